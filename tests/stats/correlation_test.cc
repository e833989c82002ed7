// Fast statistics beside textbook O(n^2) loops on random data with heavy ties, and hand-worked
// values.
#include "stats/correlation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stats/random.h"

namespace assay {
namespace {

struct Slow {
  long concordant = 0, discordant = 0, x_only = 0, y_only = 0, both = 0;
};

Slow slow_pairs(const std::vector<double>& x, const std::vector<double>& y) {
  Slow s;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      if (x[i] == x[j] && y[i] == y[j]) {
        ++s.both;
      } else if (x[i] == x[j]) {
        ++s.x_only;
      } else if (y[i] == y[j]) {
        ++s.y_only;
      } else {
        ++((x[i] < x[j]) == (y[i] < y[j]) ? s.concordant : s.discordant);
      }
    }
  }
  return s;
}

double slow_pearson(const std::vector<double>& x, const std::vector<double>& y) {
  long double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  for (double v : x) mx += v / static_cast<long double>(x.size());
  for (double v : y) my += v / static_cast<long double>(y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return static_cast<double>(xy / std::sqrt(xx * yy));
}

std::vector<double> slow_ranks(const std::vector<double>& x) {
  std::vector<double> ranks;
  for (double v : x) {
    double below = 0, same = 0;
    for (double w : x) below += w < v, same += w == v;
    ranks.push_back(below + (same + 1) / 2);
  }
  return ranks;
}

std::vector<double> ties(Random& random, int n, int values) {
  std::vector<double> column;
  for (int i = 0; i < n; ++i) column.push_back(1 + static_cast<double>(random.below(values)) / 3);
  return column;
}

TEST(Correlation, SameAsTheTextbookOnRandomTies) {
  for (int round = 0; round < 300; ++round) {
    Random random(11, round);
    const int n = 2 + static_cast<int>(random.below(40));
    const std::vector<double> x = ties(random, n, 1 + static_cast<int>(random.below(8)));
    const std::vector<double> y = ties(random, n, 1 + static_cast<int>(random.below(8)));
    const Slow slow = slow_pairs(x, y);
    const PairCounts counts = count_pairs(x, y);
    ASSERT_EQ(counts.discordant, slow.discordant);
    ASSERT_EQ(counts.concordant(), slow.concordant);
    ASSERT_EQ(counts.joint_ties, slow.both);
    ASSERT_EQ(average_ranks(x), slow_ranks(x));
    const Correlations fast = correlate(x, y);
    const double below =
        std::sqrt(static_cast<double>(slow.concordant + slow.discordant + slow.y_only)) *
        std::sqrt(static_cast<double>(slow.concordant + slow.discordant + slow.x_only));
    if (below == 0) {
      for (int s = 0; s < Correlations::kCount; ++s) EXPECT_FALSE(fast.at(s));
      continue;
    }
    EXPECT_NEAR(*fast.kendall_b, static_cast<double>(slow.concordant - slow.discordant) / below,
                1e-14);
    EXPECT_NEAR(*fast.pearson, slow_pearson(x, y), 1e-13);
    EXPECT_NEAR(*fast.spearman, slow_pearson(slow_ranks(x), slow_ranks(y)), 1e-13);
  }
}

TEST(Correlation, HandWorked) {
  // Five rows, one tie in each column: C = 6, D = 1, pairs 10, one pair tied in x, two in y.
  const std::vector<double> x = {1, 2, 2, 3, 4};
  const std::vector<double> y = {1, 3, 2, 2, 5};
  const PairCounts counts = count_pairs(x, y);
  EXPECT_EQ(counts.concordant(), 7);
  EXPECT_EQ(counts.discordant, 1);
  EXPECT_NEAR(*kendall_b(counts), 6 / std::sqrt(9.0 * 9.0), 1e-15);
  EXPECT_NEAR(*kendall_c(counts), 2 * 6 / (25 * 3.0 / 4), 1e-15);
  EXPECT_DOUBLE_EQ(*correlate(std::vector<double>{1, 2, 3}, std::vector<double>{2, 4, 6}).pearson,
                   1);
  EXPECT_DOUBLE_EQ(*correlate(std::vector<double>{1, 2, 3}, std::vector<double>{3, 2, 1}).kendall_b,
                   -1);
}

TEST(Correlation, ConstantOrTooShortIsUndefined) {
  const std::vector<std::pair<std::vector<double>, std::vector<double>>> cases = {
      {{}, {}},
      {{1}, {2}},
      {{1, 1, 1}, {1, 2, 3}},
      {{1, 2, 3}, {5, 5, 5}},
      // Constant on paper, not in bits.
      {{0.1 + 0.2, 0.3, 0.3}, {1, 2, 3}}};
  for (const auto& [x, y] : cases) {
    const Correlations value = correlate(x, y);
    for (int s = 0; s < Correlations::kCount; ++s) EXPECT_FALSE(value.at(s));
  }
}

TEST(Correlation, MeansEqualOnPaperAreTied) {
  // The same three numbers summed in two orders.
  const double a = (0.1 + 0.2 + 0.3) / 3;
  const double b = (0.3 + 0.2 + 0.1) / 3;
  ASSERT_NE(a, b);
  EXPECT_TRUE(tied(a, b));
  EXPECT_EQ(tie_classes(std::vector<double>{a, 0.5, b}), (std::vector<int>{0, 1, 0}));
  // Numbers a single-precision judge can tell apart, and tiny ones, are not.
  EXPECT_FALSE(tied(0.99999994f, 1.0f));
  EXPECT_FALSE(tied(1.9403938507118827e-13, 2.4887385539661955e-13));
  EXPECT_FALSE(tied(0, 1e-300));
}

TEST(Correlation, WeightsAreRepeatedRows) {
  for (int round = 0; round < 100; ++round) {
    Random random(5, round);
    const int n = 3 + static_cast<int>(random.below(20));
    const std::vector<double> x = ties(random, n, 6);
    const std::vector<double> y = ties(random, n, 4);
    std::vector<int> weight;
    std::vector<double> xs, ys;
    for (int i = 0; i < n; ++i) {
      weight.push_back(static_cast<int>(random.below(4)));
      for (int k = 0; k < weight[i]; ++k) xs.push_back(x[i]), ys.push_back(y[i]);
    }
    PairTable::Scratch scratch;
    const Correlations weighted = PairTable(x, y).correlations(weight, scratch);
    const Correlations repeated = correlate(xs, ys);
    for (int s = 0; s < Correlations::kCount; ++s) {
      ASSERT_EQ(weighted.at(s).has_value(), repeated.at(s).has_value());
      if (weighted.at(s)) {
        EXPECT_NEAR(*weighted.at(s), *repeated.at(s), 1e-13);
      }
    }
  }
}

TEST(Correlation, HugeAndTinyNumbers) {
  const std::vector<double> x = {1e300, 2e300, 3e300, 5e300};
  const std::vector<double> y = {1e-300, 2e-300, 3e-300, 4e-300};
  EXPECT_NEAR(*correlate(x, y).pearson, slow_pearson({1, 2, 3, 5}, {1, 2, 3, 4}), 1e-12);
}

}  // namespace
}  // namespace assay
