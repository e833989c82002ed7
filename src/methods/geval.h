#pragma once

#include "methods/rating.h"

namespace assay {

// G-Eval (docs/methods/g-eval.md).
RatingKind geval_kind();

}  // namespace assay
