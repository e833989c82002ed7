#pragma once

#include <string>

#include "methods/rating.h"

namespace assay {

// What a rating method needs once for a dimension and judge, in this order: steps (--steps
// generated), the judge's explanation of the task (SEEval), labelled examples (few-shot). The
// question for the steps is the same for every method, so several methods run together ask it once.
// Thread-safe: const after construction.
class RatingPreparation : public PrepareMethod {
 public:
  RatingPreparation(RatingSetup setup, const PromptSource& prompts);

  std::string name() const override { return setup_.kind.name; }
  std::string dimension() const override { return setup_.rubric.id; }
  std::string layout() const override { return setup_.options.layout; }
  std::string settings() const override { return settings_; }
  Needs needs() const override;
  // Throws ConfigError, before the first question, where the labelled rows do not serve as
  // examples.
  PrepareStep next(const Preparation& preparation, const Transcript& transcript) const override;

 private:
  Ask ask_steps() const;
  Ask ask_explanation(const std::string& steps) const;

  RatingSetup setup_;
  Prompt steps_;
  Prompt explain_;
  std::string settings_;
};

// options.shots labelled rows, spread over the labels that occur: the row nearest to each of so
// many evenly spaced points between the lowest and the highest label; or drawn at random. Which of
// equally suitable rows, and the order shown, follow the seed and the rows' ids, not the order in
// the file. Throws ConfigError on too few rows, labels off the scale, or constant labels.
std::vector<RatingExample> choose_examples(const Rubric& rubric, const std::vector<Row>& labelled,
                                           const RateOptions& options);

}  // namespace assay
