#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ingest/rows.h"
#include "metrics/metric.h"

namespace assay::cli {

// What `assay metric` was asked to do, as typed.
struct MetricRun {
  IngestOptions ingest;
  MetricOptions metrics;
  std::vector<std::string> dimensions;  // empty: "*", to be set against every rated dimension
  std::vector<std::string> outputs;
  std::size_t jobs = 0;  // 0: as many as the machine has cores
  bool quiet = false;
  bool no_color = false;
};

// Reads, scores, writes; the exit code.
int run_metrics(const MetricRun& run);

}  // namespace assay::cli
