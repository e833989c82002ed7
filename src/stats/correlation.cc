// Pearson, Spearman and Kendall (tau-b, tau-c) of two columns, each row with an integer weight.
//
// Kendall follows Knight (1966): sort by x, then y; count tied pairs from class sizes and
// discordant pairs in O(n log n). Knight counts exchanges of a merge sort; here a Fenwick tree over
// the classes of y counts the earlier rows with a greater y, because a tree takes weights and a
// merge sort does not: a bootstrap resample is then one pass over already sorted cells. All counts
// are integers, so ties are exact:
//     tau-b = (C - D) / sqrt((P - Tx)(P - Ty))        tau-c = 2 (C - D) / (n^2 (m - 1) / m)
// with P pairs, C concordant, D discordant, Tx and Ty tied, m the smaller number of distinct
// values.
//
// Spearman is Pearson on average ranks; doubled and centred, ranks are integers, exact in a long
// double up to about three million rows. Pearson is the two-pass formula in long double. Checked in
// tests/stats/correlation_test.cc against textbook O(n^2) loops, and against scipy to 1e-12.
#include "stats/correlation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace assay {
namespace {

std::vector<int> ascending(std::span<const double> values) {
  std::vector<int> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return values[a] != values[b] ? values[a] < values[b] : a < b; });
  return order;
}

std::int64_t pairs_of(std::int64_t n) { return n * (n - 1) / 2; }

double tie_term(std::int64_t t, int factor, int shift) {
  const auto size = static_cast<double>(t);
  return size * (size - 1) * (factor * size + shift);
}

// Rounding can push a perfect correlation past 1.
double clamp_unit(long double value) {
  return static_cast<double>(std::clamp<long double>(value, -1, 1));
}

std::optional<double> ratio(long double xy, long double xx, long double yy) {
  if (xx <= 0 || yy <= 0) return std::nullopt;
  return clamp_unit(xy / (std::sqrt(xx) * std::sqrt(yy)));
}

int distinct(const std::vector<std::int64_t>& weights) {
  return static_cast<int>(
      std::count_if(weights.begin(), weights.end(), [](std::int64_t w) { return w > 0; }));
}

// Twice the centred average rank of every class, in place of its weight. A class without rows gets
// a value too, which no cell with weight ever reads.
std::vector<std::int64_t> centred_ranks(const std::vector<std::int64_t>& weights, std::int64_t n) {
  std::vector<std::int64_t> ranks(weights.size());
  std::int64_t before = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    ranks[k] = 2 * before + weights[k] - n;
    before += weights[k];
  }
  return ranks;
}

}  // namespace

bool tied(double a, double b) {
  return a == b || std::abs(a - b) <= kTieTolerance * std::max(std::abs(a), std::abs(b));
}

std::vector<int> tie_classes(std::span<const double> values) {
  std::vector<int> classes(values.size());
  const std::vector<int> order = ascending(values);
  int current = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && !tied(values[order[i - 1]], values[order[i]])) ++current;
    classes[order[i]] = current;
  }
  return classes;
}

std::vector<double> average_ranks(std::span<const double> values) {
  const std::vector<int> classes = tie_classes(values);
  std::vector<std::int64_t> size(
      values.empty() ? 0 : 1 + *std::max_element(classes.begin(), classes.end()));
  for (int k : classes) ++size[k];
  std::vector<double> rank_of(size.size());
  std::int64_t before = 0;
  for (std::size_t k = 0; k < size.size(); ++k) {
    rank_of[k] = static_cast<double>(before) + (static_cast<double>(size[k]) + 1) / 2;
    before += size[k];
  }
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = rank_of[classes[i]];
  return ranks;
}

std::optional<double>& Correlations::at(int statistic) {
  return const_cast<std::optional<double>&>(std::as_const(*this).at(statistic));
}

const std::optional<double>& Correlations::at(int statistic) const {
  const std::array<const std::optional<double>*, kCount> all = {&pearson, &spearman, &kendall_b,
                                                                &kendall_c};
  return *all.at(statistic);
}

const char* statistic_name(int statistic) {
  constexpr std::array<const char*, Correlations::kCount> kNames = {"pearson", "spearman",
                                                                    "kendall_b", "kendall_c"};
  return kNames.at(statistic);
}

std::optional<double> kendall_b(const PairCounts& c) {
  if (c.x_ties == c.pairs || c.y_ties == c.pairs) return std::nullopt;
  const long double difference = c.concordant() - c.discordant;
  return clamp_unit(difference / (std::sqrt(static_cast<long double>(c.pairs - c.x_ties)) *
                                  std::sqrt(static_cast<long double>(c.pairs - c.y_ties))));
}

std::optional<double> kendall_c(const PairCounts& c) {
  if (c.x_ties == c.pairs || c.y_ties == c.pairs) return std::nullopt;
  const long double m = std::min(c.x_classes, c.y_classes);
  const long double n = c.n;
  const long double difference = c.concordant() - c.discordant;
  return clamp_unit(2 * difference * m / (n * n * (m - 1)));
}

PairTable::PairTable(std::span<const double> x, std::span<const double> y)
    : cell_of_row_(x.size()) {
  const std::vector<int> xs = tie_classes(x);
  const std::vector<int> ys = tie_classes(y);
  std::vector<int> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return xs[a] != xs[b] ? xs[a] < xs[b] : ys[a] < ys[b]; });
  for (int row : order) {
    if (cells_.empty() || cells_.back().x != xs[row] || cells_.back().y != ys[row]) {
      cells_.push_back({xs[row], ys[row], x[row], y[row]});
    }
    cell_of_row_[row] = static_cast<int>(cells_.size()) - 1;
    x_classes_ = std::max(x_classes_, xs[row] + 1);
    y_classes_ = std::max(y_classes_, ys[row] + 1);
  }
}

void PairTable::weigh(std::span<const int> row_weight, Scratch& s) const {
  s.x_weight.assign(x_classes_, 0);
  s.y_weight.assign(y_classes_, 0);
  s.cell_weight.assign(cells_.size(), 0);
  for (std::size_t row = 0; row < cell_of_row_.size(); ++row) {
    s.cell_weight[cell_of_row_[row]] += row_weight.empty() ? 1 : row_weight[row];
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    s.x_weight[cells_[i].x] += s.cell_weight[i];
    s.y_weight[cells_[i].y] += s.cell_weight[i];
  }
}

PairCounts PairTable::count(Scratch& s) const {
  PairCounts c;
  for (std::int64_t w : s.x_weight) {
    c.n += w;
    c.x_ties += pairs_of(w);
    c.x_t2 += tie_term(w, 1, -2);
    c.x_t5 += tie_term(w, 2, 5);
  }
  for (std::int64_t w : s.y_weight) {
    c.y_ties += pairs_of(w);
    c.y_t2 += tie_term(w, 1, -2);
    c.y_t5 += tie_term(w, 2, 5);
  }
  for (std::int64_t w : s.cell_weight) c.joint_ties += pairs_of(w);
  c.pairs = pairs_of(c.n);
  c.x_classes = distinct(s.x_weight);
  c.y_classes = distinct(s.y_weight);
  c.discordant = discordant(s);
  return c;
}

std::int64_t PairTable::discordant(Scratch& s) const {
  std::int64_t pairs = 0;
  s.tree.assign(y_classes_ + 1, 0);
  std::int64_t seen = 0;  // weight of the rows with a smaller x
  for (std::size_t begin = 0; begin < cells_.size();) {
    std::size_t end = begin;
    for (; end < cells_.size() && cells_[end].x == cells_[begin].x; ++end) {
      if (s.cell_weight[end] == 0) continue;
      std::int64_t not_greater = 0;
      for (int k = cells_[end].y + 1; k > 0; k -= k & -k) not_greater += s.tree[k];
      pairs += s.cell_weight[end] * (seen - not_greater);
    }
    for (; begin < end; ++begin) {  // only now: rows with the same x are no pairs of each other
      seen += s.cell_weight[begin];
      if (s.cell_weight[begin] == 0) continue;
      for (int k = cells_[begin].y + 1; k <= y_classes_; k += k & -k)
        s.tree[k] += s.cell_weight[begin];
    }
  }
  return pairs;
}

std::optional<double> PairTable::pearson(const Scratch& s) const {
  long double n = 0;
  long double x_sum = 0;
  long double y_sum = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const long double w = s.cell_weight[i];
    n += w;
    x_sum += w * cells_[i].x_value;
    y_sum += w * cells_[i].y_value;
  }
  const long double x_mean = x_sum / n;
  const long double y_mean = y_sum / n;
  long double xx = 0;
  long double yy = 0;
  long double xy = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const long double w = s.cell_weight[i];
    const long double dx = cells_[i].x_value - x_mean;
    const long double dy = cells_[i].y_value - y_mean;
    xx += w * dx * dx;
    yy += w * dy * dy;
    xy += w * dx * dy;
  }
  return ratio(xy, xx, yy);
}

std::optional<double> PairTable::spearman(const Scratch& s) const {
  const std::int64_t n = std::accumulate(s.x_weight.begin(), s.x_weight.end(), std::int64_t{0});
  const std::vector<std::int64_t> x_rank = centred_ranks(s.x_weight, n);
  const std::vector<std::int64_t> y_rank = centred_ranks(s.y_weight, n);
  long double xx = 0;
  long double yy = 0;
  long double xy = 0;
  for (std::size_t k = 0; k < x_rank.size(); ++k) {
    xx += static_cast<long double>(s.x_weight[k] * x_rank[k]) * x_rank[k];
  }
  for (std::size_t k = 0; k < y_rank.size(); ++k) {
    yy += static_cast<long double>(s.y_weight[k] * y_rank[k]) * y_rank[k];
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    xy += static_cast<long double>(s.cell_weight[i] * x_rank[cells_[i].x]) * y_rank[cells_[i].y];
  }
  return ratio(xy, xx, yy);
}

PairCounts PairTable::counts(std::span<const int> row_weight, Scratch& scratch) const {
  weigh(row_weight, scratch);
  return count(scratch);
}

Correlations PairTable::correlations(std::span<const int> row_weight, Scratch& scratch) const {
  weigh(row_weight, scratch);
  if (distinct(scratch.x_weight) < 2 || distinct(scratch.y_weight) < 2) return {};
  const PairCounts c = count(scratch);
  return {pearson(scratch), spearman(scratch), kendall_b(c), kendall_c(c)};
}

Correlations correlate(std::span<const double> x, std::span<const double> y) {
  PairTable::Scratch scratch;
  return PairTable(x, y).correlations({}, scratch);
}

PairCounts count_pairs(std::span<const double> x, std::span<const double> y) {
  PairTable::Scratch scratch;
  return PairTable(x, y).counts({}, scratch);
}

double mean_of(std::span<const double> values) {
  long double sum = 0;
  for (double value : values) sum += value;
  return values.empty() ? 0 : static_cast<double>(sum / values.size());
}

std::optional<double> deviation_of(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  const long double mean = mean_of(values);
  long double squares = 0;
  for (double value : values) squares += (value - mean) * (value - mean);
  return static_cast<double>(std::sqrt(squares / (values.size() - 1)));
}

}  // namespace assay
