#include "stats/levels.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

// Three groups: perfect agreement; constant ratings; constant scores.
std::vector<Point> three_groups() {
  std::vector<Point> points;
  const double scores[3][3] = {{1, 2, 3}, {1, 2, 3}, {2, 2, 2}};
  const double humans[3][3] = {{2, 4, 5}, {3, 3, 3}, {1, 2, 3}};
  for (int g = 0; g < 3; ++g) {
    for (int s = 0; s < 3; ++s) points.push_back({scores[g][s], humans[g][s], g, s});
  }
  return points;
}

TEST(Levels, ConstantRules) {
  struct Case {
    ConstantRule rule;
    double spearman;
    int groups, dropped;
  };
  for (const Case& c :
       {Case{ConstantRule::kSkip, 1, 1, 2}, Case{ConstantRule::kZero, 1.0 / 3, 3, 0},
        Case{ConstantRule::kHumanOne, 2.0 / 3, 3, 0}}) {
    const Association a = associate(three_groups(), {Level::kGrouped, c.rule, 3});
    EXPECT_DOUBLE_EQ(*a.value.spearman, c.spearman);
    EXPECT_EQ(a.groups, c.groups);
    EXPECT_EQ(a.dropped, c.dropped);
    EXPECT_EQ(a.human_constant, 1);
    EXPECT_EQ(a.score_constant, 1);
    EXPECT_EQ(a.n, 9);
  }
}

TEST(Levels, SystemLevelIsOverMeans) {
  const Association a = associate(three_groups(), {Level::kSystem, ConstantRule::kSkip, 3});
  EXPECT_EQ(a.groups, 3);
  EXPECT_DOUBLE_EQ(*a.value.kendall_b, 1);
}

TEST(Levels, SystemMeansEqualOnPaperAreTied) {
  // Systems 0 and 1 have the same three scores in another order; system 2 is higher.
  std::vector<Point> points;
  const double scores[3][3] = {{0.1, 0.2, 0.3}, {0.3, 0.2, 0.1}, {0.9, 0.9, 0.9}};
  for (int s = 0; s < 3; ++s) {
    for (int g = 0; g < 3; ++g) points.push_back({scores[s][g], static_cast<double>(s), g, s});
  }
  const SystemMeans means = system_means(points);
  EXPECT_EQ(tie_classes(means.scores), (std::vector<int>{0, 0, 1}));
}

TEST(Levels, SmallGroupsDoNotCount) {
  std::vector<Point> points = three_groups();
  points.push_back({1, 1, 3, 0});
  points.push_back({2, 2, 4, 0});
  points.push_back({1, 3, 4, 1});
  for (ConstantRule rule : {ConstantRule::kSkip, ConstantRule::kHumanOne}) {
    const Association a = associate(points, {Level::kGrouped, rule, 3});
    EXPECT_EQ(a.small, 2);
  }
  const Association pairs = associate(points, {Level::kGrouped, ConstantRule::kSkip, 2});
  EXPECT_EQ(pairs.small, 1);
  EXPECT_EQ(pairs.groups, 2);
  EXPECT_DOUBLE_EQ(*pairs.value.spearman, 0);  // mean of 1 and -1
}

TEST(Levels, AllConstantIsUndefined) {
  const std::vector<Point> points = {{1, 1, 0, 0}, {1, 2, 0, 1}, {1, 3, 0, 2}};
  for (Level level : {Level::kPooled, Level::kGrouped, Level::kSystem}) {
    const Association a = associate(points, {level, ConstantRule::kSkip, 3});
    for (int s = 0; s < Correlations::kCount; ++s) EXPECT_FALSE(a.value.at(s)) << level_name(level);
  }
}

TEST(Levels, NamesAreRoundTrips) {
  for (const char* name : {"pooled", "grouped", "system"})
    EXPECT_STREQ(level_name(*level_of(name)), name);
  for (const char* name : {"skip", "zero", "human-one"}) {
    EXPECT_STREQ(constant_rule_name(*constant_rule_of(name)), name);
  }
  EXPECT_FALSE(level_of("sample"));
}

}  // namespace
}  // namespace assay
