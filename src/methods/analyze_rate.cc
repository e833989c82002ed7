// Analyze-Rate and Rate-Explain, after "A Closer Look into Automatic Evaluation Using Large
// Language Models" (Chiang and Lee): the same question, answered with an analysis and then "Rating:
// n", or with "Rating: n" and then an explanation. In an analysis the last rating counts, so that
// one quoted from the text before it does not. An explanation may quote one after the true rating:
// two different ratings leave the answer unread (rating_score.cc). Without steps, as in that
// paper's main comparison; --steps adds them. Tested in tests/methods/analyze_rate_test.cc.

#include "methods/analyze_rate.h"

namespace assay {

RatingKind analyze_rate_kind() {
  RatingKind kind;
  kind.name = "analyze-rate";
  kind.prompt = "analyze-rate/rate";
  kind.form = RatingKind::Form::kLineLast;
  return kind;
}

RatingKind rate_explain_kind() {
  RatingKind kind;
  kind.name = "rate-explain";
  kind.prompt = "rate-explain/rate";
  kind.form = RatingKind::Form::kLineFirst;
  return kind;
}

}  // namespace assay
