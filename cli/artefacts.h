#pragma once

#include "evaluation.h"

namespace assay::cli {

// What a method prepares once for a dimension and judge: read from --artefacts DIR where a file for
// it is there (made earlier, perhaps edited by hand since), otherwise asked for, and written there.
// Throws ConfigError.
Artefact artefact_for(const PrepareMethod& method, const Evaluation& evaluation, const Lane& lane,
                      const EngineOptions& engine, Store* store, Planner* planner);

// The rows of --labelled, which only preparations see. Throws ConfigError where one has no rating
// of the dimension.
std::vector<Row> labelled_rows(const EvalOptions& options);

}  // namespace assay::cli
