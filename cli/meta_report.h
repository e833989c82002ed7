#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stats/difference.h"
#include "stats/meta.h"
#include "table.h"

namespace assay::cli {

// One line of the report: a method, judge and dimension, over all rows or one side of a quality
// split.
struct MetaRow {
  std::string method;
  std::string judge;
  std::string dimension;
  std::string part = "all";  // all | high | low
  int unscored = 0;
  int missing = 0;
  MetaValue value;
  int repeats = 1;
  Correlations deviation;  // over repeats
};

struct MetaAverage {  // over dimensions, of one method and judge
  std::string method;
  std::string judge;
  Spread over;
};

struct MetaJudges {  // over judges, of one method and dimension
  std::string method;
  std::string dimension;
  Spread over;
};

struct MetaCeiling {
  std::string dimension;
  std::string raters;  // which of the raw ratings: "expert", or empty
  Ceiling value;
};

struct MetaTest {  // two methods against the same ratings
  std::string dimension;
  std::string a;
  std::string b;
  int n = 0;
  Correlations difference;
  Correlations permutation_p;
  Correlations holm_p;               // over all pairs of the dimension
  std::optional<Williams> williams;  // of Pearson, pooled
};

struct MetaReport {
  LevelOptions level;
  BootstrapOptions bootstrap;
  std::vector<MetaRow> rows;
  std::vector<MetaAverage> averages;
  std::vector<MetaJudges> judges;
  std::vector<MetaCeiling> ceilings;
  std::vector<MetaTest> tests;
  std::vector<std::string> remarks;
};

std::string meta_json(const MetaReport& report);
// One row per method, judge and dimension; then averages, spread over judges, ceilings and tests
// where there are.
std::string meta_tables(const MetaReport& report, Format format, bool colour);
// The papers' form: one row per method and judge, the statistics of every dimension and their
// average beside it.
std::string meta_wide(const MetaReport& report, const std::vector<int>& statistics, Format format,
                      bool colour);

}  // namespace assay::cli
