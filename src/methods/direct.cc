// The plain baselines: criterion, scale and texts, answered with a number, with or without reasons
// before it; few-shot shows labelled rows first (rating_shots.cc says which). Direct scoring with
// steps and without reasons is G-Eval's question to the byte, so the two share their calls when
// they run together without probabilities. Tested in tests/methods/direct_test.cc.

#include "methods/direct.h"

namespace assay {
namespace {

void reason_first(RatingKind& kind) {
  kind.form = RatingKind::Form::kLineLast;
  kind.label = "Score";
}

}  // namespace

RatingKind direct_kind(const RateOptions& options) {
  RatingKind kind;
  kind.name = "direct";
  kind.prompt = options.reasoning ? "direct/reasoned" : "rating/score";
  if (options.reasoning) reason_first(kind);
  return kind;
}

RatingKind few_shot_kind(const RateOptions& options) {
  RatingKind kind;
  kind.name = "few-shot";
  kind.prompt = options.reasoning ? "few-shot/reasoned" : "few-shot/score";
  if (options.reasoning) reason_first(kind);
  kind.shows = true;
  return kind;
}

}  // namespace assay
