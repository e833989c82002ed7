#pragma once

#include <CLI/CLI.hpp>

#include "methods/rating.h"

namespace assay::cli {

// --probs, --steps, --parser, --reasoning, --shots, --shots-random, --shots-seed: of seeval,
// g-eval, analyze-rate, rate-explain, direct and few-shot.
void add_rating_options(CLI::App& app, RateOptions& options);

}  // namespace assay::cli
