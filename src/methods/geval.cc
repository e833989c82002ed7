// G-Eval, after "G-Eval: NLG Evaluation using GPT-4 with Better Human Alignment":
//   1  introduction, criterion and scale -> evaluation steps written by the judge, once for a
//   dimension   rating/steps 2  introduction, criterion, scale, steps and the texts of a row -> the
//   score and nothing else         rating/score 3  score = sum of p(point) * point over the scale's
//   points, from log-probabilities or samples
// Example: p(4) = 0.6 and p(5) = 0.2 give 4 * 0.75 + 5 * 0.25 = 4.25: what the other tokens hold is
// left out. A judge without log-probabilities is refused unless --probs sample:N or none is asked
// for. Tested in tests/methods/geval_test.cc.

#include "methods/geval.h"

namespace assay {

RatingKind geval_kind() {
  RatingKind kind;
  kind.name = "g-eval";
  kind.prompt = "rating/score";
  kind.probs = {ProbSource::Kind::kLogprobs, 1};
  kind.steps = RateOptions::Steps::kGenerated;
  return kind;
}

}  // namespace assay
