#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "methods/hypo_options.h"

namespace assay {

// How often a stage of learning asks, without repairs, where the generator gives as many different
// hypotheses as it is asked for.
struct HypoPlanLine {
  std::string stage;
  std::int64_t least = 0;
  std::int64_t most = 0;
};

// Of one seed; `texts`: pieces of literature, whose summaries all seeds share.
std::vector<HypoPlanLine> hypo_plan(const HypoOptions& options, int texts);

}  // namespace assay
