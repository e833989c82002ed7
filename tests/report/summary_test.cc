#include "report/summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "report/fixtures.h"

namespace assay {
namespace {

Result scored(std::string group, std::string system, std::string dimension,
              std::optional<double> score) {
  Result result = testing::bridge_result();
  result.group = std::move(group);
  result.system = std::move(system);
  result.dimension = std::move(dimension);
  result.score = score;
  return result;
}

TEST(Summary, LinesFollowFirstAppearanceAndEndWithAll) {
  Summary summary;
  summary.add(scored("1", "b", "fluency", 1));
  summary.add(scored("1", "b", "coherence", 0));
  summary.add(scored("2", "a", "fluency", 0.5));
  summary.add(scored("2", "b", "fluency", std::nullopt));
  std::string order;
  for (const SummaryLine& line : summary.lines()) {
    order += (line.all_systems ? "*" : line.system) + ":" + line.dimension + ":" +
             std::to_string(line.n) + ":" + std::to_string(line.unscored) + " ";
  }
  EXPECT_EQ(order, "b:fluency:1:1 b:coherence:1:0 a:fluency:1:0 *:fluency:2:1 *:coherence:1:0 ");
}

TEST(Summary, UnscoredIsNoZero) {
  Summary summary;
  summary.add(scored("1", "a", "fluency", 1));
  summary.add(scored("2", "a", "fluency", std::nullopt));
  summary.add(scored("3", "a", "fluency", std::nan("")));
  const auto lines = summary.lines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].mean, 1);
  EXPECT_EQ(lines[0].unscored, 2u);
  EXPECT_FALSE(lines[0].low);
}

TEST(Summary, IntervalIsThatOfTheMean) {
  std::mt19937_64 random(1);
  std::vector<double> sums, counts(400, 1);
  double mean = 0, squares = 0;
  for (int i = 0; i < 400; ++i) sums.push_back(static_cast<double>(random() % 1000) / 1000);
  for (const double x : sums) mean += x / 400;
  for (const double x : sums) squares += (x - mean) * (x - mean);
  const double half = 1.96 * std::sqrt(squares / 399 / 400);
  const auto interval = bootstrap_mean(sums, counts);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, mean - half, 0.15 * half);
  EXPECT_NEAR(interval->high, mean + half, 0.15 * half);
  const auto again = bootstrap_mean(sums, counts);
  EXPECT_EQ(interval->low, again->low);
  EXPECT_EQ(interval->high, again->high);
}

// Ten rows about one source carry less than ten rows about ten sources.
TEST(Summary, GroupsAreResampledWhole) {
  std::vector<double> rows, row_counts(200, 1), groups, group_counts(20, 10);
  for (int group = 0; group < 20; ++group) {
    const double value = group % 2;
    groups.push_back(value * 10);
    for (int i = 0; i < 10; ++i) rows.push_back(value);
  }
  const auto single = bootstrap_mean(rows, row_counts);
  const auto grouped = bootstrap_mean(groups, group_counts);
  EXPECT_NEAR((grouped->high - grouped->low) / (single->high - single->low), std::sqrt(10), 0.4);
}

TEST(Summary, ManyGroupsTakeTheNormalIntervalAndAgree) {
  std::mt19937_64 random(2);
  std::vector<double> sums, counts(25000, 1);
  for (int i = 0; i < 25000; ++i) sums.push_back(static_cast<double>(random() % 2));
  const auto normal = bootstrap_mean(sums, counts);
  sums.resize(20000);
  counts.resize(20000);
  const auto drawn = bootstrap_mean(sums, counts);
  EXPECT_NEAR((normal->high - normal->low) * std::sqrt(25000),
              (drawn->high - drawn->low) * std::sqrt(20000), 0.15);
}

TEST(Summary, OneGroupHasNoInterval) { EXPECT_FALSE(bootstrap_mean({5}, {10})); }

TEST(Summary, EqualScoresHaveAnIntervalOfNoWidth) {
  const auto interval = bootstrap_mean({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(interval->low, 1);
  EXPECT_EQ(interval->high, 1);
}

}  // namespace
}  // namespace assay
