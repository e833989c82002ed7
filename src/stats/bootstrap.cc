// Bootstrap intervals by percentile (Efron 1979). What is drawn is the unit that was sampled:
// groups where a correlation is taken inside groups, because the rows of one article stand or fall
// together.
//
// No resample sorts anything. Grouped: the groups' correlations do not change, so a resample is a
// sum over drawn groups. Pooled: the rows are sorted once and a resample is a weight per row
// (PairTable). System: the sums per (group, system) do not change. Resample i uses random stream i,
// so threads do not matter.
#include "stats/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/parallel.h"
#include "stats/random.h"

namespace assay {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();  // inside this file only

// resamples x statistics, row by row; NaN marks a resample without a value.
class Draws {
 public:
  explicit Draws(int resamples)
      : values_(static_cast<std::size_t>(resamples) * Correlations::kCount, kNothing) {}

  void set(int resample, const Correlations& value) {
    for (int s = 0; s < Correlations::kCount; ++s) {
      if (value.at(s))
        values_[static_cast<std::size_t>(resample) * Correlations::kCount + s] = *value.at(s);
    }
  }

  Intervals intervals(double confidence) const {
    Intervals result;
    for (int s = 0; s < Correlations::kCount; ++s) {
      std::vector<double> column;
      for (std::size_t i = s; i < values_.size(); i += Correlations::kCount) {
        if (!std::isnan(values_[i])) column.push_back(values_[i]);
      }
      if (column.size() * 2 * Correlations::kCount < values_.size()) continue;
      result.of[s] = percentile_interval(column, confidence);
    }
    return result;
  }

 private:
  std::vector<double> values_;
};

void draw_groups(std::span<const Point> points, const LevelOptions& level,
                 const BootstrapOptions& options, Draws& draws) {
  std::vector<GroupValue> groups;
  for (const std::vector<int>& rows : rows_by_group(points)) {
    std::vector<double> scores;
    std::vector<double> humans;
    for (int row : rows) scores.push_back(points[row].score), humans.push_back(points[row].human);
    groups.push_back(group_value(scores, humans, level));
  }
  in_parallel(options.resamples, options.threads, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Random random(options.seed, i);
      double sum[Correlations::kCount] = {};
      int counted = 0;
      for (std::size_t k = 0; k < groups.size(); ++k) {
        const GroupValue& group = groups[random.below(static_cast<std::uint32_t>(groups.size()))];
        if (!group.counted) continue;
        ++counted;
        for (int s = 0; s < Correlations::kCount; ++s) sum[s] += *group.value.at(s);
      }
      Correlations mean;
      for (int s = 0; counted > 0 && s < Correlations::kCount; ++s) mean.at(s) = sum[s] / counted;
      draws.set(i, mean);
    }
  });
}

void draw_rows(std::span<const Point> points, const BootstrapOptions& options, Draws& draws) {
  std::vector<double> scores;
  std::vector<double> humans;
  for (const Point& point : points) scores.push_back(point.score), humans.push_back(point.human);
  const PairTable table(scores, humans);
  in_parallel(options.resamples, options.threads, [&](int begin, int end) {
    PairTable::Scratch scratch;
    std::vector<int> weight(points.size());
    for (int i = begin; i < end; ++i) {
      Random random(options.seed, i);
      std::fill(weight.begin(), weight.end(), 0);
      for (std::size_t k = 0; k < points.size(); ++k) {
        ++weight[random.below(static_cast<std::uint32_t>(points.size()))];
      }
      draws.set(i, table.correlations(weight, scratch));
    }
  });
}

// Sums of one group, or of all drawn groups, per system.
struct SystemSums {
  std::vector<double> score;
  std::vector<double> human;
  std::vector<int> rows;

  explicit SystemSums(std::size_t systems) : score(systems), human(systems), rows(systems) {}
  void add(const SystemSums& other) {
    for (std::size_t s = 0; s < rows.size(); ++s) {
      score[s] += other.score[s];
      human[s] += other.human[s];
      rows[s] += other.rows[s];
    }
  }
  Correlations correlations(int min_rows) const {
    std::vector<double> scores;
    std::vector<double> humans;
    for (std::size_t s = 0; s < rows.size(); ++s) {
      if (rows[s] == 0) continue;
      scores.push_back(score[s] / rows[s]);
      humans.push_back(human[s] / rows[s]);
    }
    return static_cast<int>(scores.size()) < min_rows ? Correlations{} : correlate(scores, humans);
  }
};

void draw_systems(std::span<const Point> points, const LevelOptions& level,
                  const BootstrapOptions& options, Draws& draws) {
  std::vector<std::vector<int>> units = rows_by_group(points);
  if (units.size() < 2) {  // one group: its rows are the units
    units.clear();
    for (std::size_t row = 0; row < points.size(); ++row) units.push_back({static_cast<int>(row)});
  }
  int systems = 0;
  for (const Point& point : points) systems = std::max(systems, point.system + 1);
  std::vector<SystemSums> sums(units.size(), SystemSums(systems));
  for (std::size_t u = 0; u < units.size(); ++u) {
    for (int row : units[u]) {
      sums[u].score[points[row].system] += points[row].score;
      sums[u].human[points[row].system] += points[row].human;
      ++sums[u].rows[points[row].system];
    }
  }
  in_parallel(options.resamples, options.threads, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Random random(options.seed, i);
      SystemSums total(systems);
      for (std::size_t k = 0; k < sums.size(); ++k) {
        total.add(sums[random.below(static_cast<std::uint32_t>(sums.size()))]);
      }
      draws.set(i, total.correlations(level.min_rows));
    }
  });
}

}  // namespace

double quantile(std::span<const double> ascending, double share) {
  const double place = share * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= ascending.size()) return ascending.back();
  return ascending[below] +
         (place - static_cast<double>(below)) * (ascending[below + 1] - ascending[below]);
}

std::optional<Interval> percentile_interval(std::vector<double>& values, double confidence) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const double tail = (1 - confidence) / 2;
  return Interval{quantile(values, tail), quantile(values, 1 - tail)};
}

Intervals bootstrap(std::span<const Point> points, const LevelOptions& level,
                    const BootstrapOptions& options) {
  if (options.resamples <= 0 || points.empty()) return {};
  Draws draws(options.resamples);
  switch (level.level) {
    case Level::kGrouped:
      draw_groups(points, level, options, draws);
      break;
    case Level::kPooled:
      draw_rows(points, options, draws);
      break;
    case Level::kSystem:
      draw_systems(points, level, options, draws);
      break;
  }
  return draws.intervals(options.confidence);
}

}  // namespace assay
