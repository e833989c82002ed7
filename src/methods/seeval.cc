// SEEval, after "SEEval: Advancing LLM Text Evaluation Efficiency and Accuracy through
// Self-Explanation Prompting", section 2.3:
//   1  base prompt (introduction, criterion, scale, steps) + elicitor -> the judge's explanation of
//   the task, once for
//      a dimension and judge, at temperature 0 rating_prepare.cc, seeval/explain
//   2  for every row the dialogue (base prompt + elicitor), (explanation), (texts + form) ->
//   "Coherence: n"
//                                                                                  rating.cc,
//                                                                                  seeval/rate
//   3  the number after the dimension's name, the last one; or its expected value over samples or
//   log-probabilities
// Example: "Coherence: 4" is 4. Counter-example: "4" alone has no name before it and is repaired,
// then unscored. Deviations: with log-probabilities the number stands alone, because they are read
// where the reply begins. Tested in tests/methods/seeval_test.cc.

#include "methods/seeval.h"

namespace assay {

RatingKind seeval_kind(const Rubric& rubric) {
  RatingKind kind;
  kind.name = "seeval";
  kind.prompt = "seeval/rate";
  kind.form = RatingKind::Form::kLine;
  kind.label = rubric.id;
  if (!kind.label.empty() && kind.label[0] >= 'a' && kind.label[0] <= 'z')
    kind.label[0] = static_cast<char>(kind.label[0] - 'a' + 'A');
  kind.steps = RateOptions::Steps::kGenerated;
  kind.explains = true;
  return kind;
}

}  // namespace assay
