#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "stats/correlation.h"

namespace assay {

// At which level scores are set against ratings. Papers use "sample level" for two of these; ours
// are exact:
enum class Level {
  kPooled,   // one correlation over all rows
  kGrouped,  // one per group (article, dialogue), then the plain mean
  kSystem,   // one over the systems' mean scores and mean ratings
};

// What a group counts whose correlation is undefined because one side is constant.
enum class ConstantRule {
  kSkip,      // nothing: the mean is over the other groups
  kZero,      // 0
  kHumanOne,  // 1 where the ratings are constant, 0 where only the scores are (PairS, HypoEval)
};

std::optional<Level> level_of(std::string_view name);
std::optional<ConstantRule> constant_rule_of(std::string_view name);
const char* level_name(Level level);
const char* constant_rule_name(ConstantRule rule);

// One row with both a score and a rating. Groups and systems are numbered from 0 by the caller.
struct Point {
  double score = 0;
  double human = 0;
  int group = 0;
  int system = 0;
};

struct LevelOptions {
  Level level = Level::kPooled;
  ConstantRule constant = ConstantRule::kSkip;
  int min_rows = 3;  // a correlation over fewer is undefined: over two rows it is always 1 or -1
};

struct Association {
  Correlations value;
  int n = 0;               // rows
  int groups = 0;          // correlations averaged (grouped), systems (system), else 0
  int dropped = 0;         // groups left out of the mean, small ones included
  int human_constant = 0;  // groups whose ratings are constant
  int score_constant = 0;  // groups whose scores alone are constant
  int small = 0;           // groups of fewer than min_rows rows
};

Association associate(std::span<const Point> points, const LevelOptions& options);

// --- the pieces, for bootstrap and tests ---

// Row numbers by group, groups without rows left out, in order of group number.
std::vector<std::vector<int>> rows_by_group(std::span<const Point> points);

// One group: its correlations after the constant rule; `counted` is whether it enters the mean.
struct GroupValue {
  Correlations value;
  bool counted = false;
  bool human_constant = false;
  bool score_constant = false;
  bool small = false;
};
GroupValue group_value(std::span<const double> scores, std::span<const double> humans,
                       const LevelOptions& options);

// Mean score and mean rating per system, in order of system number.
struct SystemMeans {
  std::vector<double> scores;
  std::vector<double> humans;
};
SystemMeans system_means(std::span<const Point> points);

}  // namespace assay
