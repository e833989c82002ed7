// Tests of a difference. Permutation p-values count the observed arrangement among the permuted
// ones, (1 + at least as extreme) / (1 + permutations), so that none is ever 0. Sums compared with
// the observed one carry a tolerance of 1e-12: an arrangement equal on paper counts as at least as
// extreme.
#include "stats/difference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "stats/parallel.h"
#include "stats/pvalue.h"
#include "stats/random.h"

namespace assay {
namespace {

constexpr double kSame = 1e-12;

std::vector<double> z_scores(std::span<const double> values) {
  const double mean = mean_of(values);
  const double deviation = deviation_of(values).value_or(0);
  std::vector<double> result;
  for (double value : values) result.push_back(deviation > 0 ? (value - mean) / deviation : 0);
  return result;
}

// One column of points on a scale that a swap of methods does not change.
std::vector<Point> standardised(std::span<const Point> points, bool ranks, bool within_groups) {
  std::vector<Point> result(points.begin(), points.end());
  std::vector<std::vector<int>> blocks;
  if (within_groups) {
    blocks = rows_by_group(points);
  } else {
    blocks.emplace_back(points.size());
    std::iota(blocks[0].begin(), blocks[0].end(), 0);
  }
  for (const std::vector<int>& rows : blocks) {
    std::vector<double> scores;
    for (int row : rows) scores.push_back(points[row].score);
    const std::vector<double> scaled = ranks ? average_ranks(scores) : z_scores(scores);
    for (std::size_t i = 0; i < rows.size(); ++i) result[rows[i]].score = scaled[i];
  }
  return result;
}

struct Scaled {
  std::vector<Point> a;
  std::vector<Point> b;
};

// The differences of the four statistics; Pearson from the z-scores, the others from the ranks.
Correlations differences(const Scaled& z, const Scaled& rank, const LevelOptions& level) {
  const Correlations za = associate(z.a, level).value;
  const Correlations zb = associate(z.b, level).value;
  const Correlations ra = associate(rank.a, level).value;
  const Correlations rb = associate(rank.b, level).value;
  Correlations result;
  for (int s = 0; s < Correlations::kCount; ++s) {
    const std::optional<double>& a = s == 0 ? za.at(s) : ra.at(s);
    const std::optional<double>& b = s == 0 ? zb.at(s) : rb.at(s);
    if (a && b) result.at(s) = *a - *b;
  }
  return result;
}

void swap_rows(Scaled& z, Scaled& rank, Random& random) {
  for (std::size_t i = 0; i < z.a.size(); ++i) {
    if (!random.coin()) continue;
    std::swap(z.a[i].score, z.b[i].score);
    std::swap(rank.a[i].score, rank.b[i].score);
  }
}

struct Unit {
  double sum = 0;
  int rows = 0;
};

std::vector<Unit> units_of(std::span<const double> difference, std::span<const int> group) {
  std::vector<Unit> units;
  for (std::size_t i = 0; i < difference.size(); ++i) {
    const auto g = static_cast<std::size_t>(group[i]);
    if (g >= units.size()) units.resize(g + 1);
    units[g].sum += difference[i];
    ++units[g].rows;
  }
  std::erase_if(units, [](const Unit& unit) { return unit.rows == 0; });
  return units;
}

std::optional<Interval> difference_interval(const std::vector<Unit>& units,
                                            const BootstrapOptions& options) {
  std::vector<double> means(options.resamples);
  in_parallel(options.resamples, options.threads, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Random random(options.seed, i);
      double sum = 0;
      int rows = 0;
      for (std::size_t k = 0; k < units.size(); ++k) {
        const Unit& unit = units[random.below(static_cast<std::uint32_t>(units.size()))];
        sum += unit.sum;
        rows += unit.rows;
      }
      means[i] = sum / rows;
    }
  });
  return percentile_interval(means, options.confidence);
}

double sign_flip_p(const std::vector<Unit>& units, const BootstrapOptions& options) {
  double observed = 0;
  double size = 0;
  for (const Unit& unit : units) observed += unit.sum, size += std::abs(unit.sum);
  std::vector<char> extreme(options.resamples, 0);
  in_parallel(options.resamples, options.threads, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Random random(options.seed + 1, i);
      double sum = 0;
      for (const Unit& unit : units) sum += random.coin() ? unit.sum : -unit.sum;
      extreme[i] = std::abs(sum) >= std::abs(observed) - kSame * size;
    }
  });
  const int count = static_cast<int>(std::count(extreme.begin(), extreme.end(), 1));
  return (1.0 + count) / (1.0 + options.resamples);
}

}  // namespace

std::optional<Williams> williams(double r_ah, double r_bh, double r_ab, std::int64_t n) {
  if (n < 4) return std::nullopt;
  const auto rows = static_cast<double>(n);
  const double k = 1 - r_ah * r_ah - r_bh * r_bh - r_ab * r_ab + 2 * r_ah * r_bh * r_ab;
  const double mean = (r_ah + r_bh) / 2;
  const double below = 2 * k * (rows - 1) / (rows - 3) + mean * mean * std::pow(1 - r_ab, 3);
  if (below <= kSame) return std::nullopt;
  const double t = (r_ah - r_bh) * std::sqrt((rows - 1) * (1 + r_ab) / below);
  return Williams{t, t_two_sided(t, rows - 3)};
}

Correlations permutation_test(std::span<const Point> a, std::span<const Point> b,
                              const LevelOptions& level, const PermutationOptions& options) {
  const bool within = level.level == Level::kGrouped;
  const Scaled z{standardised(a, false, within), standardised(b, false, within)};
  const Scaled rank{standardised(a, true, within), standardised(b, true, within)};
  const Correlations observed = differences(z, rank, level);
  std::vector<std::array<char, Correlations::kCount>> extreme(options.permutations);
  in_parallel(options.permutations, options.threads, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Random random(options.seed, i);
      Scaled swapped_z = z;
      Scaled swapped_rank = rank;
      swap_rows(swapped_z, swapped_rank, random);
      const Correlations permuted = differences(swapped_z, swapped_rank, level);
      for (int s = 0; s < Correlations::kCount; ++s) {
        extreme[i][s] = observed.at(s) && permuted.at(s) &&
                        std::abs(*permuted.at(s)) >= std::abs(*observed.at(s)) - kSame;
      }
    }
  });
  Correlations p;
  for (int s = 0; s < Correlations::kCount; ++s) {
    if (!observed.at(s)) continue;
    int count = 0;
    for (const auto& flags : extreme) count += flags[s];
    p.at(s) = (1.0 + count) / (1.0 + options.permutations);
  }
  return p;
}

PairedDifference paired_difference(std::span<const double> a, std::span<const double> b,
                                   std::span<const int> group, const BootstrapOptions& options) {
  PairedDifference result;
  result.n = static_cast<int>(a.size());
  if (a.empty()) return result;
  std::vector<double> difference(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] = tied(a[i], b[i]) ? 0 : a[i] - b[i];
  result.mean = mean_of(difference);
  result.deviation = deviation_of(difference);
  const std::vector<Unit> units = units_of(difference, group);
  if (units.size() >= 2 && options.resamples > 0) {
    result.interval = difference_interval(units, options);
    result.p = sign_flip_p(units, options);
  }
  return result;
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<int> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double running = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    running = std::max(running, std::min(1.0, p[order[i]] * static_cast<double>(p.size() - i)));
    adjusted[order[i]] = running;
  }
  return adjusted;
}

}  // namespace assay
