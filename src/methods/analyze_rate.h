#pragma once

#include "methods/rating.h"

namespace assay {

// Analyze-Rate and Rate-Explain (docs/methods/analyze-rate.md, rate-explain.md).
RatingKind analyze_rate_kind();
RatingKind rate_explain_kind();

}  // namespace assay
