#include "stats/bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/difference.h"
#include "stats/meta.h"
#include "stats/random.h"

namespace assay {
namespace {

std::vector<Point> noisy(int groups, int systems, double noise, std::uint64_t seed) {
  std::vector<Point> points;
  Random random(seed, 0);
  for (int g = 0; g < groups; ++g) {
    for (int s = 0; s < systems; ++s) {
      const double truth = random.unit();
      points.push_back({truth + noise * random.unit(), std::round(truth * 6) / 3, g, s});
    }
  }
  return points;
}

TEST(Bootstrap, SameNumbersOnAnyNumberOfThreads) {
  const std::vector<Point> points = noisy(20, 6, 0.5, 3);
  for (Level level : {Level::kPooled, Level::kGrouped, Level::kSystem}) {
    const LevelOptions options{level, ConstantRule::kSkip, 3};
    const Intervals one = bootstrap(points, options, {500, 0.95, 7, 1});
    for (int threads : {2, 3, 16}) {
      const Intervals many = bootstrap(points, options, {500, 0.95, 7, threads});
      for (int s = 0; s < Correlations::kCount; ++s) {
        ASSERT_TRUE(one.of[s] && many.of[s]);
        EXPECT_EQ(one.of[s]->lo, many.of[s]->lo);
        EXPECT_EQ(one.of[s]->hi, many.of[s]->hi);
      }
    }
    const Intervals other = bootstrap(points, options, {500, 0.95, 8, 1});
    EXPECT_NE(one.of[0]->lo, other.of[0]->lo);
  }
}

TEST(Bootstrap, TheIntervalHoldsTheValueAndNarrowsWithRows) {
  const LevelOptions options{Level::kPooled, ConstantRule::kSkip, 3};
  double width[2];
  int at = 0;
  for (int groups : {10, 160}) {
    const std::vector<Point> points = noisy(groups, 6, 0.8, 4);
    const Association value = associate(points, options);
    const Intervals ci = bootstrap(points, options, {1000, 0.95, 7, 0});
    for (int s = 0; s < 3; ++s) {
      EXPECT_LT(ci.of[s]->lo, *value.value.at(s));
      EXPECT_GT(ci.of[s]->hi, *value.value.at(s));
    }
    width[at++] = ci.of[1]->hi - ci.of[1]->lo;
  }
  EXPECT_GT(width[0], 2 * width[1]);  // sixteen times the rows: a quarter of the width
}

TEST(Bootstrap, CoversAKnownCorrelation) {
  // Pearson of (truth + noise, truth): a 90 % interval holds the value of a very large sample about
  // 90 % of the time.
  const LevelOptions options{Level::kPooled, ConstantRule::kSkip, 3};
  const double known = *associate(noisy(20000, 5, 1, 99), options).value.pearson;
  int held = 0;
  for (int round = 0; round < 200; ++round) {
    const Intervals ci = bootstrap(noisy(20, 5, 1, 1000 + round), options, {300, 0.9, 7, 0});
    held += ci.of[0]->lo <= known && known <= ci.of[0]->hi;
  }
  EXPECT_GT(held, 160);
  EXPECT_LT(held, 198);
}

TEST(Bootstrap, NothingWhereNothingIsDefined) {
  const std::vector<Point> constant(12, Point{1, 2, 0, 0});
  for (Level level : {Level::kPooled, Level::kGrouped, Level::kSystem}) {
    const Intervals ci = bootstrap(constant, {level, ConstantRule::kSkip, 3}, {100, 0.95, 7, 0});
    for (int s = 0; s < Correlations::kCount; ++s) EXPECT_FALSE(ci.of[s]);
  }
  EXPECT_FALSE(bootstrap({}, {}, {}).of[0]);
}

TEST(Bootstrap, Quantile) {
  const std::vector<double> values = {1, 2, 3, 4, 5};
  EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile(values, 0.125), 1.5);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 5);
}

TEST(Difference, HolmAsInHolm1979) {
  const std::vector<double> adjusted = holm(std::vector<double>{0.01, 0.04, 0.03, 0.005});
  EXPECT_NEAR(adjusted[0], 0.03, 1e-15);
  EXPECT_NEAR(adjusted[1], 0.06, 1e-15);
  EXPECT_NEAR(adjusted[2], 0.06, 1e-15);
  EXPECT_NEAR(adjusted[3], 0.02, 1e-15);
  EXPECT_EQ(holm(std::vector<double>{0.9, 0.8}), (std::vector<double>{1, 1}));
}

TEST(Difference, WilliamsByHand) {
  // r12 = .4, r13 = .5, r23 = .1, n = 103: |R| = 1 - .16 - .25 - .01 + .04 = .62;
  // t = -.1 sqrt(102 * 1.1 / (2 * .62 * 102 / 100 + .2025 * .729)).
  const std::optional<Williams> result = williams(0.4, 0.5, 0.1, 103);
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->t, -0.1 * std::sqrt(112.2 / (1.2648 + 0.2025 * 0.729)), 1e-12);
  EXPECT_GT(result->p, 0.3);
  EXPECT_LT(result->p, 0.5);
  EXPECT_FALSE(williams(0.4, 0.5, 0.1, 3));
}

TEST(Difference, PairedFindsARealDifferenceAndNoOther) {
  std::vector<double> a, b, c;
  std::vector<int> group;
  Random random(2, 0);
  for (int i = 0; i < 200; ++i) {
    a.push_back(random.unit());
    b.push_back(a.back() + 0.1 + 0.2 * (random.unit() - 0.5));
    c.push_back(a.back() + 0.4 * (random.unit() - 0.5));
    group.push_back(i / 4);
  }
  const BootstrapOptions options{2000, 0.95, 7, 0};
  const PairedDifference real = paired_difference(a, b, group, options);
  EXPECT_NEAR(real.mean, -0.1, 0.02);
  EXPECT_LT(real.interval->hi, 0);
  EXPECT_DOUBLE_EQ(*real.p, 1.0 / 2001);
  const PairedDifference none = paired_difference(a, c, group, options);
  EXPECT_LT(none.interval->lo, 0);
  EXPECT_GT(none.interval->hi, 0);
  EXPECT_GT(*none.p, 0.05);
  const PairedDifference same = paired_difference(a, a, group, options);
  EXPECT_EQ(same.mean, 0);
  EXPECT_EQ(*same.p, 1);
}

TEST(Difference, PermutationTestOfTwoMethods) {
  std::vector<Point> good = noisy(30, 6, 0.3, 6);
  std::vector<Point> bad = good;
  std::vector<Point> twin = good;
  Random random(9, 0);
  for (Point& point : bad) point.score = 100 * random.unit();
  for (Point& point : twin) point.score = 5 * point.score + 1;  // another scale, the same order
  for (Level level : {Level::kPooled, Level::kGrouped}) {
    const LevelOptions options{level, ConstantRule::kSkip, 3};
    const Correlations apart = permutation_test(good, bad, options, {200, 7, 0});
    const Correlations same = permutation_test(good, twin, options, {200, 7, 0});
    for (int s = 0; s < Correlations::kCount; ++s) {
      EXPECT_LT(*apart.at(s), 0.01);
      EXPECT_EQ(*same.at(s), 1);
    }
    const Correlations again = permutation_test(good, bad, options, {200, 7, 3});
    EXPECT_EQ(*apart.kendall_b, *again.kendall_b);
  }
}

TEST(Meta, BoundsHoldTheValue) {
  std::vector<Point> points = noisy(30, 6, 0.6, 8);
  std::vector<Point> unscored(points.begin(), points.begin() + 20);
  points.erase(points.begin(), points.begin() + 20);
  for (Level level : {Level::kPooled, Level::kGrouped, Level::kSystem}) {
    const LevelOptions options{level, ConstantRule::kSkip, 3};
    const Correlations value = associate(points, options).value;
    const Correlations best = bound(points, unscored, options, true);
    const Correlations worst = bound(points, unscored, options, false);
    for (int s = 0; s < Correlations::kCount; ++s) {
      EXPECT_LE(*worst.at(s), *value.at(s));
      EXPECT_GE(*best.at(s), *value.at(s));
      EXPECT_GT(*best.at(s), *worst.at(s));
    }
  }
}

TEST(Meta, NoiseCeiling) {
  // Two raters in perfect agreement, a third that turns them round.
  std::vector<RatedRow> rows;
  for (int i = 0; i < 5; ++i) rows.push_back({{1.0 * i, 2.0 * i}, 0, i});
  const Ceiling perfect = noise_ceiling(rows, {Level::kPooled, ConstantRule::kSkip, 3});
  EXPECT_EQ(perfect.raters, 2);
  EXPECT_DOUBLE_EQ(*perfect.lower.pearson, 1);
  EXPECT_DOUBLE_EQ(*perfect.upper.pearson, 1);
  for (int i = 0; i < 5; ++i) rows[i].ratings.push_back(-3.5 * i);
  const Ceiling torn = noise_ceiling(rows, {Level::kPooled, ConstantRule::kSkip, 3});
  EXPECT_EQ(torn.raters, 3);
  EXPECT_DOUBLE_EQ(*torn.lower.pearson, (-1 - 1 - 1) / 3.0);
  rows.push_back({{1}, 0, 0});
  EXPECT_EQ(noise_ceiling(rows, {Level::kPooled, ConstantRule::kSkip, 3}).n, 5);
}

TEST(Meta, SpreadIsUndefinedWhereAValueIs) {
  const std::vector<Correlations> values = {{0.2, 0.4, {}, 0.1}, {0.4, 0.8, 0.5, 0.1}};
  const Spread over = spread(values);
  EXPECT_NEAR(*over.mean.pearson, 0.3, 1e-15);
  EXPECT_NEAR(*over.deviation.spearman, 0.4 / std::sqrt(2.0), 1e-15);
  EXPECT_FALSE(over.mean.kendall_b);
}

}  // namespace
}  // namespace assay
