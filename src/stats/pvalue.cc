// p-values by the conventions of scipy 1.10, which papers use; tests/stats/scipy_test.cc compares.
// The incomplete beta function is the continued fraction of Lentz's method (Abramowitz and
// Stegun 26.5.8); the exact distribution of Kendall's score counts permutations by their number of
// inversions (Kendall 1970, 68-69).
#include "stats/pvalue.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace assay {
namespace {

double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  constexpr double kEnough = 1e-16;
  const auto away = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double c = 1;
  double d = 1 / away(1 - (a + b) * x / (a + 1));
  double result = d;
  for (int m = 1; m < 10000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    result *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    result *= d * c;
    if (std::abs(d * c - 1) < kEnough) break;
  }
  return result;
}

// Share of the permutations of n rows with at most c inversions, doubled.
double exact_two_sided(std::int64_t n, std::int64_t c) {
  if (n <= 2 || 4 * c == n * (n - 1)) return 1;
  // share[k]: permutations of j rows with k inversions, divided by j! on the way so that nothing
  // overflows.
  std::vector<double> share(c + 1, 0.0);
  share[0] = 1;
  for (std::int64_t j = 2; j <= n; ++j) {
    std::vector<double> next(c + 1, 0.0);
    double window = 0;  // the last j entries
    for (std::int64_t k = 0; k <= c; ++k) {
      window += share[k];
      if (k >= j) window -= share[k - j];
      next[k] = window / static_cast<double>(j);
    }
    share = std::move(next);
  }
  double sum = 0;
  for (double value : share) sum += value;
  return std::clamp(2 * sum, 0.0, 1.0);
}

Correlations grouped_p(std::span<const Point> points, const LevelOptions& options) {
  std::vector<double> values[Correlations::kCount];
  for (const std::vector<int>& rows : rows_by_group(points)) {
    std::vector<double> scores;
    std::vector<double> humans;
    for (int row : rows) scores.push_back(points[row].score), humans.push_back(points[row].human);
    const GroupValue group = group_value(scores, humans, options);
    for (int s = 0; group.counted && s < Correlations::kCount; ++s)
      values[s].push_back(*group.value.at(s));
  }
  Correlations result;
  for (int s = 0; s < Correlations::kCount; ++s) {
    const std::optional<double> deviation = deviation_of(values[s]);
    if (!deviation || *deviation <= 0) continue;
    const auto n = static_cast<double>(values[s].size());
    result.at(s) = t_two_sided(mean_of(values[s]) / (*deviation / std::sqrt(n)), n - 1);
  }
  return result;
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  // The fraction converges fast on this side of the mean only.
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double t_two_sided(double t, double df) { return incomplete_beta(df / 2, 0.5, df / (df + t * t)); }

std::optional<double> correlation_p(double r, std::int64_t n) {
  if (n < 3) return std::nullopt;
  const auto df = static_cast<double>(n - 2);
  // df / (df + t^2) = 1 - r^2, without the division by zero at |r| = 1.
  return incomplete_beta(df / 2, 0.5, (1 - r) * (1 + r));
}

std::optional<double> kendall_p(const PairCounts& c) {
  if (c.n < 2 || c.x_ties == c.pairs || c.y_ties == c.pairs) return std::nullopt;
  const std::int64_t few = std::min(c.discordant, c.pairs - c.discordant);
  if (c.x_ties == 0 && c.y_ties == 0 && (c.n <= 33 || few <= 1)) return exact_two_sided(c.n, few);
  const auto n = static_cast<double>(c.n);
  const double m = n * (n - 1);
  const double variance = (m * (2 * n + 5) - c.x_t5 - c.y_t5) / 18 +
                          2 * static_cast<double>(c.x_ties) * static_cast<double>(c.y_ties) / m +
                          (n > 2 ? c.x_t2 * c.y_t2 / (9 * m * (n - 2)) : 0);
  const auto score = static_cast<double>(c.concordant() - c.discordant);
  return std::erfc(std::abs(score) / std::sqrt(variance) / std::sqrt(2.0));
}

Correlations p_values(std::span<const Point> points, const LevelOptions& options) {
  if (options.level == Level::kGrouped) return grouped_p(points, options);
  SystemMeans columns;
  if (options.level == Level::kSystem) {
    columns = system_means(points);
  } else {
    for (const Point& point : points) {
      columns.scores.push_back(point.score);
      columns.humans.push_back(point.human);
    }
  }
  if (static_cast<int>(columns.scores.size()) < options.min_rows) return {};
  const Correlations value = correlate(columns.scores, columns.humans);
  if (!value.pearson) return {};
  const PairCounts counts = count_pairs(columns.scores, columns.humans);
  return {correlation_p(*value.pearson, counts.n), correlation_p(*value.spearman, counts.n),
          kendall_p(counts), kendall_p(counts)};
}

}  // namespace assay
