#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace assay {

// Two numbers this close, relative to the larger, are one number: means of the same small integers
// that differ only by the order of their summation. docs/statistics.md, "Ties", gives the reasons
// for the size.
inline constexpr double kTieTolerance = 1e-12;

bool tied(double a, double b);

// For every value the index of its tie class, classes numbered from 0 in ascending order.
std::vector<int> tie_classes(std::span<const double> values);

// Ranks from 1; equal values share the mean of their ranks.
std::vector<double> average_ranks(std::span<const double> values);

// Nothing where a statistic is undefined (fewer than two rows, or one side constant): never NaN,
// never 0.
struct Correlations {
  std::optional<double> pearson;
  std::optional<double> spearman;
  std::optional<double> kendall_b;
  std::optional<double> kendall_c;

  // The same four by number, for loops over statistics.
  static constexpr int kCount = 4;
  std::optional<double>& at(int statistic);
  const std::optional<double>& at(int statistic) const;
};
const char* statistic_name(int statistic);

// Exact pair counts behind Kendall's statistics and their p-values.
struct PairCounts {
  std::int64_t n = 0;
  std::int64_t pairs = 0;       // n (n - 1) / 2
  std::int64_t x_ties = 0;      // pairs tied in x, joint ties included
  std::int64_t y_ties = 0;      // pairs tied in y, joint ties included
  std::int64_t joint_ties = 0;  // pairs tied in both
  std::int64_t discordant = 0;
  std::int64_t x_classes = 0;
  std::int64_t y_classes = 0;
  // Sums over the tie classes of size t, for the variance of the score under no association.
  double x_t2 = 0;  // t (t - 1) (t - 2)
  double y_t2 = 0;
  double x_t5 = 0;  // t (t - 1) (2 t + 5)
  double y_t5 = 0;

  std::int64_t concordant() const { return pairs - x_ties - y_ties + joint_ties - discordant; }
};

std::optional<double> kendall_b(const PairCounts& counts);
std::optional<double> kendall_c(const PairCounts& counts);

// Two columns of equal length, sorted and ranked once, so that the statistics of many weighted
// copies of them (bootstrap resamples) cost no sort. Thread-safe: const after construction; scratch
// is the caller's.
class PairTable {
 public:
  struct Scratch {
    std::vector<std::int64_t> x_weight;
    std::vector<std::int64_t> y_weight;
    std::vector<std::int64_t> cell_weight;
    std::vector<std::int64_t> tree;
  };

  PairTable(std::span<const double> x, std::span<const double> y);

  std::size_t rows() const { return cell_of_row_.size(); }
  // row_weight[i]: how often row i occurs; empty: every row once.
  Correlations correlations(std::span<const int> row_weight, Scratch& scratch) const;
  PairCounts counts(std::span<const int> row_weight, Scratch& scratch) const;

 private:
  struct Cell {  // rows with the same x and the same y
    int x = 0;
    int y = 0;
    double x_value = 0;
    double y_value = 0;
  };
  void weigh(std::span<const int> row_weight, Scratch& scratch) const;
  PairCounts count(Scratch& scratch) const;
  std::int64_t discordant(Scratch& scratch) const;
  std::optional<double> pearson(const Scratch& scratch) const;
  std::optional<double> spearman(const Scratch& scratch) const;

  std::vector<Cell> cells_;  // by x, then y
  std::vector<int> cell_of_row_;
  int x_classes_ = 0;
  int y_classes_ = 0;
};

Correlations correlate(std::span<const double> x, std::span<const double> y);
PairCounts count_pairs(std::span<const double> x, std::span<const double> y);

// The mean, summed with compensation so that the order of rows cannot make a tie.
double mean_of(std::span<const double> values);
// Standard deviation with n - 1; nothing for fewer than two values.
std::optional<double> deviation_of(std::span<const double> values);

}  // namespace assay
