#pragma once

#include "methods/rating.h"

namespace assay {

// Direct and few-shot scoring (docs/methods/direct.md, few-shot.md).
RatingKind direct_kind(const RateOptions& options);
RatingKind few_shot_kind(const RateOptions& options);

}  // namespace assay
