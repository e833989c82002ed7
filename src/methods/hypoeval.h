#pragma once

#include <string>
#include <vector>

#include "assay/method.h"
#include "methods/hypo_questions.h"
#include "rubric/bank.h"

namespace assay {

struct HypoEvalOptions {
  std::vector<std::string> banks;  // files; those of the dimension are used together
  bool joined = false;  // ablation: all selected hypotheses as one criterion, one question
  std::string layout = "shared";

  std::string describe() const;
};

// HypoEval: every selected hypothesis of a learned bank scores the text from 1 to 5 with reasons;
// the score is their mean (docs/methods/hypoeval.md). Banks of several seeds are averaged.
// Thread-safe: const after construction.
class HypoEval : public RowMethod {
 public:
  // Throws ConfigError where no bank is given or one is for another task or dimension.
  HypoEval(Rubric rubric, const HypoQuestions::Prompts& prompts, HypoEvalOptions options,
           std::vector<Bank> banks);

  std::string name() const override { return "hypoeval"; }
  std::string dimension() const override { return questions_.rubric().id; }
  std::string layout() const override { return options_.layout; }
  std::string settings() const override { return settings_; }
  Needs needs() const override;
  Step next(const Sample& sample, const Transcript& transcript) const override;

  // Whether a bank was learned from the row of this id.
  bool seen(std::string_view row) const;

 private:
  // The hypotheses of one bank and seed.
  struct Voters {
    std::string label;
    std::vector<BankHypothesis> hypotheses;
  };
  Ask ask(const Sample& sample) const;
  Score aggregate(const Sample& sample, const Round& round) const;
  Evidence voter_node(const Voters& voters, const Round& round, std::size_t& at) const;

  HypoEvalOptions options_;
  HypoQuestions questions_;
  std::vector<Bank> banks_;
  std::vector<Voters> voters_;
  Scale scale_{1, 5};
  std::string settings_;
};

// The banks of a task and dimension among the files given. Throws ConfigError where there is none,
// naming what the files are for.
std::vector<Bank> banks_for(const std::vector<std::string>& files, const std::string& task,
                            const std::string& dimension);

}  // namespace assay
