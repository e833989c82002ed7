#pragma once

#include <string>

#include "assay/method.h"
#include "methods/hypo_options.h"
#include "methods/hypo_questions.h"
#include "methods/hypo_state.h"

namespace assay {

// The kinds of artefact learning ends in: a bank file of one seed, or (in `body`) the reason why
// there is none: a reply that could not be used, or an answer that never came and may come when
// asked again.
inline constexpr const char* kBankArtefact = "hypothesis-bank";
inline constexpr const char* kFailedArtefact = "failed";
inline constexpr const char* kUnansweredArtefact = "unanswered";

// HypoEval's learning stage: labelled rows and literature in, a hypothesis bank out. One instance
// learns one seed. Thread-safe: const after construction.
class HypoLearn : public PrepareMethod {
 public:
  HypoLearn(Rubric rubric, const HypoQuestions::Prompts& prompts, HypoOptions options);

  std::string name() const override { return "hypoeval"; }
  std::string dimension() const override { return questions_.rubric().id; }
  std::string layout() const override { return options_.layout; }
  std::string settings() const override;
  Needs needs() const override;
  // Replays the transcript from the top; hypo_state.cc says why that is cheap. Throws ConfigError
  // as `check` does.
  PrepareStep next(const Preparation& preparation, const Transcript& transcript) const override;

  // Throws ConfigError (file, line, remedy) on too few labels, labels outside the rubric's scale or
  // all equal, and literature that is asked for and not given. `file`: what the rows are called in
  // messages.
  void check(const Preparation& preparation, const std::string& file) const;

  // The parts of `next`, for a caller that folds rounds as they come: same state, same bytes
  // (tests/methods).
  HypoMaterial material(const Preparation& preparation) const;
  HypoState start(const Preparation& preparation) const;
  Ask ask(const HypoState& state, const HypoMaterial& material) const;
  Artefact artefact(const Preparation& preparation, const HypoState& state,
                    const Transcript& transcript) const;

 private:
  bool needs_labels() const { return options_.from != HypoOptions::From::kZeroShot; }

  HypoQuestions questions_;
  HypoOptions options_;
};

}  // namespace assay
