#pragma once

#include <optional>
#include <span>
#include <vector>

#include "stats/bootstrap.h"
#include "stats/levels.h"

namespace assay {

// Everything `assay meta` says of one column of scores beside ratings.
struct MetaValue {
  Association association;
  Correlations p;
  Intervals ci;
  std::optional<Correlations> best;  // only where rows are unscored: see `bounds`
  std::optional<Correlations> worst;
};

struct MetaOptions {
  LevelOptions level;
  BootstrapOptions bootstrap;
};

// `unscored`: rated rows without a score. They are no part of the value, only of the bounds.
MetaValue analyse(std::span<const Point> points, std::span<const Point> unscored,
                  const MetaOptions& options);

// What the correlations could have been had the unscored rows been scored: with people
// (`for_people` true: best) or against them (worst). Each missing score is filled from the rating,
// once mapped linearly onto the range of the scores and once pushed to its ends, and the more
// extreme correlation is kept.
Correlations bound(std::span<const Point> points, std::span<const Point> unscored,
                   const LevelOptions& level, bool for_people);

// --- The noise ceiling: how well people agree with people ---

struct RatedRow {
  std::vector<double> ratings;  // of one text, by rater
  int group = 0;
  int system = 0;
};

struct Ceiling {
  int raters = 0;
  int n = 0;
  Correlations lower;  // one rater with the mean of the others, averaged over raters
  Correlations upper;  // one rater with the mean of all, that rater included
};

// Over the rows with at least two ratings; raters beyond the shortest such list are not looked at.
Ceiling noise_ceiling(std::span<const RatedRow> rows, const LevelOptions& level);

// --- Spread: over judges, over repeats, over dimensions ---

struct Spread {
  int count = 0;
  Correlations mean;
  Correlations deviation;  // n - 1; nothing for a single value
};

// Per statistic, over the values that are defined; nothing where one of them is not.
Spread spread(std::span<const Correlations> values);

}  // namespace assay
