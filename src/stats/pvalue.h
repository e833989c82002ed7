#pragma once

#include <optional>
#include <span>

#include "stats/correlation.h"
#include "stats/levels.h"

namespace assay {

// The regularised incomplete beta function I_x(a, b), for a, b > 0 and x in [0, 1].
double incomplete_beta(double a, double b, double x);

// P(|T| >= |t|) for Student's t with `df` degrees of freedom.
double t_two_sided(double t, double df);

// Two-sided p-value of a Pearson or Spearman correlation over n rows: t = r sqrt((n-2)/(1-r^2)), n
// - 2 degrees of freedom. Nothing below three rows.
std::optional<double> correlation_p(double r, std::int64_t n);

// Two-sided p-value of Kendall's tau. Without ties, and up to 33 rows or with at most one pair out
// of order, the exact distribution; else the normal approximation with the variance corrected for
// ties.
std::optional<double> kendall_p(const PairCounts& counts);

// p-values of the four correlations against "no association". Pooled and system level: as above.
// Grouped: a t-test of the groups' correlations against 0, because groups are the sample; nothing
// for fewer than two groups.
Correlations p_values(std::span<const Point> points, const LevelOptions& options);

}  // namespace assay
