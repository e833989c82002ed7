// Worked examples (Krippendorff 2011; a Fleiss table; Cohen by hand), and a coincidence-matrix
// alpha beside ours.
#include "stats/agreement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "stats/random.h"

namespace assay {
namespace {

constexpr std::nullopt_t kNone = std::nullopt;

// Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), part C: four observers, twelve
// units, missing data.
std::vector<Unit> krippendorff_2011() {
  const std::vector<Unit> observers = {{1, 2, 3, 3, 2, 1, 4, 1, 2, kNone, kNone, kNone},
                                       {1, 2, 3, 3, 2, 2, 4, 1, 2, 5, kNone, 3},
                                       {kNone, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, kNone},
                                       {1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, kNone}};
  std::vector<Unit> units(12);
  for (const Unit& observer : observers) {
    for (std::size_t u = 0; u < 12; ++u) units[u].push_back(observer[u]);
  }
  return units;
}

TEST(Agreement, KrippendorffsWorkedExample) {
  const std::vector<Unit> units = krippendorff_2011();
  EXPECT_NEAR(*krippendorff_alpha(units, Metric::kNominal), 0.743, 5e-4);
  EXPECT_NEAR(*krippendorff_alpha(units, Metric::kOrdinal), 0.815, 5e-4);
  EXPECT_NEAR(*krippendorff_alpha(units, Metric::kInterval), 0.849, 5e-4);
  EXPECT_NEAR(*krippendorff_alpha(units, Metric::kRatio), 0.797, 5e-4);
}

// The same paper, part A: two observers, binary, ten units: alpha = 0.095.
TEST(Agreement, KrippendorffsBinaryExample) {
  const double meg[] = {0, 1, 0, 0, 0, 0, 0, 0, 1, 0};
  const double owen[] = {1, 1, 1, 0, 0, 1, 0, 0, 0, 0};
  std::vector<Unit> units;
  for (int i = 0; i < 10; ++i) units.push_back({meg[i], owen[i]});
  EXPECT_NEAR(*krippendorff_alpha(units, Metric::kNominal), 0.095, 5e-4);
}

// The table of ten subjects and fourteen raters that texts on Fleiss (1971) work through: kappa
// 0.210.
TEST(Agreement, FleissTable) {
  const int counts[10][5] = {{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0},
                             {2, 2, 8, 1, 1},  {7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2},
                             {6, 5, 2, 1, 0},  {0, 2, 2, 3, 7}};
  std::vector<Unit> units;
  for (const auto& row : counts) {
    Unit unit;
    for (int c = 0; c < 5; ++c) {
      for (int k = 0; k < row[c]; ++k) unit.emplace_back(c);
    }
    units.push_back(unit);
  }
  EXPECT_NEAR(*fleiss_kappa(units), 0.210, 5e-4);
  units[3][0] = kNone;
  EXPECT_FALSE(fleiss_kappa(units));
}

// Worked by hand: 200 subjects, agreement (50+4+4)/200 = .29, chance .5*.4 + .3*.3 + .2*.3 = .35.
TEST(Agreement, CohenTable) {
  const int table[3][3] = {{50, 26, 24}, {24, 4, 32}, {6, 30, 4}};
  std::vector<Unit> units;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < table[i][j]; ++k) units.push_back({1.0 * i, 1.0 * j});
    }
  }
  EXPECT_NEAR(*percent_agreement(units), 0.29, 1e-12);
  EXPECT_NEAR(*cohen_kappa(units), (0.29 - 0.35) / (1 - 0.35), 1e-12);
}

// Alpha from the coincidence matrix, as the paper tabulates it.
double slow_alpha(const std::vector<Unit>& units, Metric metric) {
  std::map<std::pair<double, double>, double> o;
  std::map<double, double> n;
  double total = 0;
  for (const Unit& unit : units) {
    std::vector<double> values;
    for (const auto& value : unit) {
      if (value) values.push_back(*value);
    }
    if (values.size() < 2) continue;
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = 0; j < values.size(); ++j) {
        if (i != j) o[{values[i], values[j]}] += 1.0 / static_cast<double>(values.size() - 1);
      }
      ++n[values[i]];
      ++total;
    }
  }
  const auto delta = [&](double c, double k) {
    if (metric == Metric::kNominal) return c == k ? 0.0 : 1.0;
    if (metric == Metric::kInterval) return (c - k) * (c - k);
    if (metric == Metric::kRatio) return c + k == 0 ? 0 : std::pow((c - k) / (c + k), 2);
    double between = 0;
    for (const auto& [value, count] : n) {
      if (value >= std::min(c, k) && value <= std::max(c, k)) between += count;
    }
    return std::pow(between - (n.at(c) + n.at(k)) / 2, 2);
  };
  double observed = 0;
  double expected = 0;
  for (const auto& [pair, count] : o) observed += count * delta(pair.first, pair.second);
  for (const auto& [c, nc] : n) {
    for (const auto& [k, nk] : n) expected += nc * nk * delta(c, k);
  }
  return 1 - (total - 1) * observed / expected;
}

TEST(Agreement, SameAsTheCoincidenceMatrix) {
  for (int round = 0; round < 100; ++round) {
    Random random(21, round);
    std::vector<Unit> units;
    for (int u = 0; u < 12; ++u) {
      Unit unit;
      for (int r = 0; r < 4; ++r) {
        unit.push_back(random.below(4) == 0 ? Unit::value_type()
                                            : Unit::value_type(random.below(5)));
      }
      units.push_back(unit);
    }
    for (Metric metric : {Metric::kNominal, Metric::kOrdinal, Metric::kInterval, Metric::kRatio}) {
      EXPECT_NEAR(*krippendorff_alpha(units, metric), slow_alpha(units, metric), 1e-12)
          << metric_name(metric);
    }
  }
}

TEST(Agreement, NothingWhereNoDisagreementIsPossible) {
  const std::vector<Unit> same = {{1, 1}, {1, 1}, {kNone, 1}};
  EXPECT_FALSE(krippendorff_alpha(same, Metric::kInterval));
  EXPECT_FALSE(cohen_kappa(same));
  EXPECT_EQ(*percent_agreement(same), 1);
  const std::vector<Unit> single = {{1, kNone}, {kNone, 2}};
  const Agreement none = agreement(single, Metric::kNominal);
  EXPECT_EQ(none.units, 0);
  EXPECT_FALSE(none.alpha);
  EXPECT_FALSE(none.fleiss);
  EXPECT_FALSE(none.percent);
  EXPECT_FALSE(krippendorff_alpha({}, Metric::kOrdinal));
}

TEST(Agreement, PerfectIsOne) {
  const std::vector<Unit> units = {{1, 1, 1}, {2, 2, 2}, {5, 5, kNone}};
  for (Metric metric : {Metric::kNominal, Metric::kOrdinal, Metric::kInterval, Metric::kRatio}) {
    EXPECT_DOUBLE_EQ(*krippendorff_alpha(units, metric), 1);
  }
  const Agreement all = agreement(units, Metric::kNominal);
  EXPECT_EQ(all.complete, 2);
  EXPECT_DOUBLE_EQ(*all.fleiss, 1);
}

}  // namespace
}  // namespace assay
