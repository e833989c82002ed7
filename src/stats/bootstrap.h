#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "stats/levels.h"

namespace assay {

struct BootstrapOptions {
  int resamples = 1000;
  double confidence = 0.95;
  std::uint64_t seed = 7;
  int threads = 0;  // 0: all cores; the numbers are the same whatever it is
};

struct Interval {
  double lo = 0;
  double hi = 0;
};

// Percentile intervals of the four correlations; nothing where fewer than half the resamples have a
// value.
struct Intervals {
  std::optional<Interval> of[Correlations::kCount];
};

// Grouped: whole groups are drawn, with replacement. Pooled: rows. System: groups, and every
// system's means are taken over the drawn groups; rows where there is one group only.
Intervals bootstrap(std::span<const Point> points, const LevelOptions& level,
                    const BootstrapOptions& options);

// The interval of the middle `confidence` of the values (linear interpolation); sorts them.
std::optional<Interval> percentile_interval(std::vector<double>& values, double confidence);

// The value at `share` (0 .. 1) of ascending values, linear interpolation between neighbours.
double quantile(std::span<const double> ascending, double share);

}  // namespace assay
