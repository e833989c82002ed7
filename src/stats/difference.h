#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "stats/bootstrap.h"
#include "stats/levels.h"

namespace assay {

// --- Two methods against the same ratings: does one agree better with people? ---

// Williams' test (Williams 1959, Steiger 1980) of two dependent correlations that share a variable.
struct Williams {
  double t = 0;
  double p = 0;
};
// r_ah, r_bh: each method with people; r_ab: the methods with each other. Nothing below four rows
// or where the statistic has no value (identical methods).
std::optional<Williams> williams(double r_ah, double r_bh, double r_ab, std::int64_t n);

struct PermutationOptions {
  int permutations = 1000;
  std::uint64_t seed = 7;
  int threads = 0;
};

// Two-sided p-values of corr(a, human) - corr(b, human), by swapping a and b at random row by row.
// The scores are first put on one scale (z-scores for Pearson, ranks for the others; within groups
// at the grouped level), because only then does "no difference" mean that a swap changes nothing.
// a[i] and b[i] are the same row.
Correlations permutation_test(std::span<const Point> a, std::span<const Point> b,
                              const LevelOptions& level, const PermutationOptions& options);

// --- Two columns of scores of the same rows: is one higher? ---

struct PairedDifference {
  int n = 0;
  double mean = 0;  // of a - b
  std::optional<double> deviation;
  std::optional<Interval> interval;  // bootstrap, groups drawn whole
  std::optional<double> p;           // sign-flip permutation test, groups flipped whole
};

// group[i]: which unit row i belongs to, numbered from 0; rows of one group are drawn and flipped
// together.
PairedDifference paired_difference(std::span<const double> a, std::span<const double> b,
                                   std::span<const int> group, const BootstrapOptions& options);

// Holm's correction: adjusted p-values in the order given, each at least its own, at most 1.
std::vector<double> holm(std::span<const double> p);

}  // namespace assay
