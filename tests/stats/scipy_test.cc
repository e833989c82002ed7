// Correlations and p-values beside scipy's, on random data with heavy ties, to 1e-12.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "stats/pvalue.h"
#include "stats/random.h"

namespace assay {
namespace {

using nlohmann::json;

constexpr const char* kScript = R"(
import json, math, sys, warnings
warnings.simplefilter("ignore")
from scipy import stats
def number(v): return None if math.isnan(v) else float(v)
out = []
for x, y in json.load(open(sys.argv[1])):
    r, s = stats.pearsonr(x, y), stats.spearmanr(x, y)
    b, c = stats.kendalltau(x, y, variant="b"), stats.kendalltau(x, y, variant="c")
    out.append([[number(v[0]) for v in (r, s, b, c)], [number(v[1]) for v in (r, s, b, c)]])
print(json.dumps(out))
)";

std::string python() {
  // Debian's own interpreter holds python3-scipy; another python3 may come first in PATH.
  for (const char* name : {"/usr/bin/python3", "python3"}) {
    if (std::system(fmt::format("{} -c 'import scipy.stats' >/dev/null 2>&1", name).c_str()) == 0)
      return name;
  }
  return "";
}

std::vector<double> column(Random& random, int n, int kind) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) {
    if (kind == 0) values.push_back(random.unit());
    if (kind == 1) values.push_back(static_cast<double>(random.below(5)) + 1);
    if (kind == 2) values.push_back(static_cast<double>(random.below(9)) / 3 - 1);
  }
  return values;
}

json answers(const json& cases, const std::string& interpreter) {
  const std::string folder = testing::TempDir();
  const std::string data = folder + "assay_scipy_cases.json";
  const std::string script = folder + "assay_scipy.py";
  std::ofstream(data) << cases.dump();
  std::ofstream(script) << kScript;
  FILE* pipe = popen(fmt::format("{} {} {}", interpreter, script, data).c_str(), "r");
  std::string text;
  char buffer[4096];
  while (std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, got);
  pclose(pipe);
  std::remove(data.c_str());
  std::remove(script.c_str());
  return json::parse(text);
}

TEST(Scipy, CorrelationsAndPValues) {
  const std::string interpreter = python();
  if (interpreter.empty()) GTEST_SKIP() << "python3-scipy is not installed: not compared with it";
  json cases = json::array();
  std::vector<std::pair<std::vector<double>, std::vector<double>>> columns;
  for (int round = 0; round < 200; ++round) {
    Random random(31, round);
    const int n = round < 100 ? 3 + static_cast<int>(random.below(40))
                              : 50 + static_cast<int>(random.below(400));
    columns.emplace_back(column(random, n, round % 3), column(random, n, (round / 3) % 3));
    cases.push_back({columns.back().first, columns.back().second});
  }
  const json expected = answers(cases, interpreter);
  ASSERT_EQ(expected.size(), columns.size());
  int compared = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::vector<Point> points;
    for (std::size_t k = 0; k < columns[i].first.size(); ++k) {
      points.push_back({columns[i].first[k], columns[i].second[k], 0, 0});
    }
    const Correlations value = correlate(columns[i].first, columns[i].second);
    const Correlations p = p_values(points, {Level::kPooled, ConstantRule::kSkip, 3});
    for (int s = 0; s < Correlations::kCount; ++s) {
      ASSERT_EQ(value.at(s).has_value(), !expected[i][0][s].is_null())
          << i << " " << statistic_name(s);
      if (!value.at(s)) continue;
      ++compared;
      EXPECT_NEAR(*value.at(s), expected[i][0][s].get<double>(), 1e-12)
          << i << " " << statistic_name(s);
      EXPECT_NEAR(*p.at(s), expected[i][1][s].get<double>(), 1e-10)
          << i << " " << statistic_name(s);
    }
  }
  EXPECT_GT(compared, 700);
}

TEST(PValue, KnownValues) {
  // Student's t: P(|T| >= 2.228) with 10 degrees of freedom is .05; with 1, P(|T| >= 1) is one
  // half.
  EXPECT_NEAR(t_two_sided(2.228138851986273, 10), 0.05, 1e-13);
  EXPECT_NEAR(t_two_sided(1, 1), 0.5, 1e-14);
  EXPECT_EQ(*correlation_p(1, 10), 0);
  EXPECT_FALSE(correlation_p(0.5, 2));
  // Five rows in perfect order: 2 / 5!.
  PairCounts counts =
      count_pairs(std::vector<double>{1, 2, 3, 4, 5}, std::vector<double>{1, 2, 3, 4, 5});
  EXPECT_NEAR(*kendall_p(counts), 2.0 / 120, 1e-15);
}

}  // namespace
}  // namespace assay
