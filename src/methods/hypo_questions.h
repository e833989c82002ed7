#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "assay/method.h"
#include "assay/rubric.h"
#include "methods/hypo_state.h"
#include "text/template.h"

namespace assay {

// What the learner's calls are about: the rows of S_tr in order, and the literature.
struct HypoMaterial {
  std::vector<const Row*> rows;
  std::vector<double> labels;  // on 1 to 5
  const std::vector<std::string>* texts = nullptr;
};

// Puts HypoEval's calls into words, with the prompts of prompts/hypoeval. Thread-safe: const after
// construction.
class HypoQuestions {
 public:
  using Prompts = std::function<const Prompt&(const std::string& id)>;
  HypoQuestions(Rubric rubric, const Prompts& prompts, std::string layout);

  // `seed` reaches the sampling of what is generated, so that seeds differ also where they see the
  // same rows.
  Question learner(const HypoCall& call, const HypoState& state, const HypoMaterial& material,
                   long seed) const;
  Question score(const Sample& sample, const std::string& hypothesis, std::string label) const;
  Question score_joined(const Sample& sample, const std::vector<std::string>& hypotheses,
                        std::string label) const;

  const Rubric& rubric() const { return rubric_; }
  std::string settings() const;  // hashes of the rubric and every prompt
  const std::map<std::string, Prompt>& prompts() const { return prompts_; }
  // Which prompt a kind of call uses: "score".
  static const char* prompt_of(HypoCall::Kind kind);

 private:
  TemplateValues values() const;
  Question question(const char* prompt, const TemplateValues& values, AnswerSpec answer) const;
  std::string texts_of(const Sample& sample) const;
  std::string rated_rows(const std::vector<int>& rows, const HypoMaterial& material) const;

  Rubric rubric_;
  std::map<std::string, Prompt> prompts_;
  std::string layout_;
};

}  // namespace assay
