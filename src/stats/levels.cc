// The three levels of meta-evaluation. docs/statistics.md names which published tables use which.
// The mean over groups is taken per statistic; within a group all four statistics are defined or
// none is, so the counts hold for all four. Checked in tests/stats/levels_test.cc and against the
// recorded tables in tests/meta.
#include "stats/levels.h"

#include <algorithm>

namespace assay {
namespace {

constexpr const char* kLevels[] = {"pooled", "grouped", "system"};
constexpr const char* kRules[] = {"skip", "zero", "human-one"};

template <class Enum, std::size_t N>
std::optional<Enum> by_name(const char* const (&names)[N], std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (name == names[i]) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

bool constant(std::span<const double> values) {
  const std::vector<int> classes = tie_classes(values);
  return std::all_of(classes.begin(), classes.end(), [](int k) { return k == 0; });
}

Correlations all_four(double value) { return {value, value, value, value}; }

Association grouped(std::span<const Point> points, const LevelOptions& options) {
  Association result;
  std::vector<double> values[Correlations::kCount];
  for (const std::vector<int>& rows : rows_by_group(points)) {
    std::vector<double> scores;
    std::vector<double> humans;
    for (int row : rows) {
      scores.push_back(points[row].score);
      humans.push_back(points[row].human);
    }
    const GroupValue group = group_value(scores, humans, options);
    result.human_constant += group.human_constant;
    result.score_constant += group.score_constant;
    result.small += group.small;
    result.groups += group.counted;
    result.dropped += !group.counted;
    for (int s = 0; group.counted && s < Correlations::kCount; ++s)
      values[s].push_back(*group.value.at(s));
  }
  for (int s = 0; result.groups > 0 && s < Correlations::kCount; ++s)
    result.value.at(s) = mean_of(values[s]);
  return result;
}

}  // namespace

std::optional<Level> level_of(std::string_view name) { return by_name<Level>(kLevels, name); }
std::optional<ConstantRule> constant_rule_of(std::string_view name) {
  return by_name<ConstantRule>(kRules, name);
}
const char* level_name(Level level) { return kLevels[static_cast<int>(level)]; }
const char* constant_rule_name(ConstantRule rule) { return kRules[static_cast<int>(rule)]; }

std::vector<std::vector<int>> rows_by_group(std::span<const Point> points) {
  std::vector<std::vector<int>> groups;
  for (std::size_t row = 0; row < points.size(); ++row) {
    const auto group = static_cast<std::size_t>(points[row].group);
    if (group >= groups.size()) groups.resize(group + 1);
    groups[group].push_back(static_cast<int>(row));
  }
  std::erase_if(groups, [](const std::vector<int>& rows) { return rows.empty(); });
  return groups;
}

GroupValue group_value(std::span<const double> scores, std::span<const double> humans,
                       const LevelOptions& options) {
  GroupValue result;
  if (static_cast<int>(scores.size()) < options.min_rows) {
    result.small =
        true;  // left out under every rule: one row is "constant" without saying anything
    return result;
  }
  result.value = correlate(scores, humans);
  result.counted = true;
  if (result.value.pearson) return result;
  result.human_constant = constant(humans);
  result.score_constant = !result.human_constant;
  if (options.constant == ConstantRule::kSkip) {
    result.counted = false;
  } else {
    const bool one = options.constant == ConstantRule::kHumanOne && result.human_constant;
    result.value = all_four(one ? 1 : 0);
  }
  return result;
}

SystemMeans system_means(std::span<const Point> points) {
  std::vector<std::vector<double>> scores;
  std::vector<std::vector<double>> humans;
  for (const Point& point : points) {
    const auto system = static_cast<std::size_t>(point.system);
    if (system >= scores.size()) scores.resize(system + 1), humans.resize(system + 1);
    scores[system].push_back(point.score);
    humans[system].push_back(point.human);
  }
  SystemMeans means;
  for (std::size_t system = 0; system < scores.size(); ++system) {
    if (scores[system].empty()) continue;
    means.scores.push_back(mean_of(scores[system]));
    means.humans.push_back(mean_of(humans[system]));
  }
  return means;
}

Association associate(std::span<const Point> points, const LevelOptions& options) {
  Association result;
  if (options.level == Level::kGrouped) {
    result = grouped(points, options);
  } else {
    SystemMeans columns;
    if (options.level == Level::kSystem) {
      columns = system_means(points);
      result.groups = static_cast<int>(columns.scores.size());
    } else {
      for (const Point& point : points) {
        columns.scores.push_back(point.score);
        columns.humans.push_back(point.human);
      }
    }
    if (static_cast<int>(columns.scores.size()) >= options.min_rows) {
      result.value = correlate(columns.scores, columns.humans);
    }
  }
  result.n = static_cast<int>(points.size());
  return result;
}

}  // namespace assay
