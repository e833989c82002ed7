#pragma once

#include "methods/rating.h"

namespace assay {

// SEEval (docs/methods/seeval.md).
RatingKind seeval_kind(const Rubric& rubric);

}  // namespace assay
