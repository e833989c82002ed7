#include "stats/meta.h"

#include <algorithm>
#include <limits>

#include "stats/pvalue.h"

namespace assay {
namespace {

struct Range {
  double lo = std::numeric_limits<double>::infinity();
  double hi = -std::numeric_limits<double>::infinity();
  void add(double value) {
    lo = std::min(lo, value);
    hi = std::max(hi, value);
  }
  double middle() const { return lo + (hi - lo) / 2; }
};

// The points with the unscored ones filled in. `ends`: at the ends of the score range; else in
// proportion.
std::vector<Point> filled(std::span<const Point> points, std::span<const Point> unscored,
                          bool for_people, bool ends) {
  Range scores;
  Range humans;
  for (const Point& point : points) scores.add(point.score), humans.add(point.human);
  for (const Point& point : unscored) humans.add(point.human);
  std::vector<Point> all(points.begin(), points.end());
  for (Point point : unscored) {
    double share =
        humans.hi > humans.lo ? (point.human - humans.lo) / (humans.hi - humans.lo) : 0.5;
    if (ends) share = point.human >= humans.middle() ? 1 : 0;
    if (!for_people) share = 1 - share;
    point.score = scores.lo + share * (scores.hi - scores.lo);
    all.push_back(point);
  }
  return all;
}

}  // namespace

Correlations bound(std::span<const Point> points, std::span<const Point> unscored,
                   const LevelOptions& level, bool for_people) {
  Correlations result = associate(points, level).value;
  if (points.empty()) return result;
  for (bool ends : {false, true}) {
    const Correlations value = associate(filled(points, unscored, for_people, ends), level).value;
    for (int s = 0; s < Correlations::kCount; ++s) {
      if (!value.at(s)) continue;
      if (!result.at(s)) result.at(s) = value.at(s);
      result.at(s) = for_people ? std::max(*result.at(s), *value.at(s))
                                : std::min(*result.at(s), *value.at(s));
    }
  }
  return result;
}

MetaValue analyse(std::span<const Point> points, std::span<const Point> unscored,
                  const MetaOptions& options) {
  MetaValue result;
  result.association = associate(points, options.level);
  result.p = p_values(points, options.level);
  result.ci = bootstrap(points, options.level, options.bootstrap);
  if (!unscored.empty()) {
    result.best = bound(points, unscored, options.level, true);
    result.worst = bound(points, unscored, options.level, false);
  }
  return result;
}

Ceiling noise_ceiling(std::span<const RatedRow> rows, const LevelOptions& level) {
  Ceiling ceiling;
  std::vector<const RatedRow*> used;
  for (const RatedRow& row : rows) {
    if (row.ratings.size() < 2) continue;
    const int count = static_cast<int>(row.ratings.size());
    ceiling.raters = used.empty() ? count : std::min(ceiling.raters, count);
    used.push_back(&row);
  }
  ceiling.n = static_cast<int>(used.size());
  std::vector<Correlations> lower;
  std::vector<Correlations> upper;
  for (int rater = 0; rater < ceiling.raters; ++rater) {
    std::vector<Point> others;
    std::vector<Point> all;
    for (const RatedRow* row : used) {
      const std::vector<double> ratings(row->ratings.begin(),
                                        row->ratings.begin() + ceiling.raters);
      std::vector<double> rest = ratings;
      rest.erase(rest.begin() + rater);
      others.push_back({ratings[rater], mean_of(rest), row->group, row->system});
      all.push_back({ratings[rater], mean_of(ratings), row->group, row->system});
    }
    lower.push_back(associate(others, level).value);
    upper.push_back(associate(all, level).value);
  }
  ceiling.lower = spread(lower).mean;
  ceiling.upper = spread(upper).mean;
  return ceiling;
}

Spread spread(std::span<const Correlations> values) {
  Spread result;
  result.count = static_cast<int>(values.size());
  for (int s = 0; s < Correlations::kCount; ++s) {
    std::vector<double> defined;
    for (const Correlations& value : values) {
      if (value.at(s)) defined.push_back(*value.at(s));
    }
    if (defined.size() != values.size() || defined.empty()) continue;
    result.mean.at(s) = mean_of(defined);
    result.deviation.at(s) = deviation_of(defined);
  }
  return result;
}

}  // namespace assay
