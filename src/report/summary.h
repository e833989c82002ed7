#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "assay/result.h"

namespace assay {

struct SummaryLine {
  std::string method, judge, judge_kind, layout;
  std::string system;  // empty in the lines over all systems
  std::string dimension;
  bool all_systems = false;
  std::size_t n = 0;                      // scored
  std::size_t unscored = 0;               // no part of the mean
  std::optional<double> mean, low, high;  // 95 % interval; none with fewer than two groups
  std::optional<Scale> scale;
};

// Means per method, judge, system and dimension, with seeded bootstrap intervals that resample
// groups, because rows about the same source are not independent. Keeps a sum and a count per
// group. Thread-compatible.
class Summary {
 public:
  void add(const Result& result);
  // In the order of first appearance; a method and judge with several systems ends with one line
  // per dimension over all.
  std::vector<SummaryLine> lines() const;

 private:
  struct Cluster {
    double sum = 0;
    double count = 0;
  };
  struct Cell {
    SummaryLine line;
    std::vector<Cluster>
        clusters;  // in order of first appearance, so that sums never depend on a hash
    std::unordered_map<std::string, std::size_t> index;
  };
  struct Section {  // one method, judge and layout
    std::vector<std::string> systems;
    std::vector<std::string> dimensions;
    std::unordered_map<std::string, Cell> cells;  // by system and dimension
    std::string name;
  };
  Section& section(const Result& result);
  static void add_to(Cell& cell, const Result& result, bool all_systems);
  static SummaryLine finished(const Cell& cell);

  std::vector<Section> sections_;
};

// The 95 % percentile interval of sum/count over resampled clusters, 1,000 draws from a fixed seed.
// Above 20,000 clusters the normal interval takes its place: there the two agree to the digits
// shown, and the draws would take seconds.
struct MeanInterval {
  double low = 0;
  double high = 0;
};
std::optional<MeanInterval> bootstrap_mean(const std::vector<double>& sums,
                                           const std::vector<double>& counts);

}  // namespace assay
