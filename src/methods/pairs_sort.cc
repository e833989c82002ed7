// PairS (Liu et al. 2024), the sort. Halves are sorted, then merged worst first: of the two heads A
// (left) and B the worse one is taken. P(A) is the probability that A is better, so taking B has
// probability P(A), and taking A has 1 - P(A). Where |P(A) - 0.5| is at most the gap both ways are
// followed; a way's score is the mean log-probability of its choices, and the best `beam` ways go
// on. Equal ways: A is taken. What is left over when one half is used up costs nothing.
//
// Departure: the released code forgets the first choice of a merge when it averages; here all
// choices count. Checked against a plain recursive merge in tests/methods/pairs_test.cc.
#include "methods/pairs_sort.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace assay {
namespace {

constexpr double kLeast = 1e-9;   // log 0 is not a number to average
constexpr double kSlack = 1e-12;  // 0.6 - 0.5 is not exactly 0.1

// splitmix64: a shuffle must be the same everywhere, which <random> does not promise.
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed) {
  std::vector<std::size_t> items(n);
  std::iota(items.begin(), items.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i) std::swap(items[i - 1], items[next_random(seed) % i]);
  return items;
}

double log_of(double p) { return std::log(std::max(p, kLeast)); }

}  // namespace

PairSort::PairSort(std::size_t items, Options options) : options_(options) {
  merges_.reserve(2 * items);
  build(shuffled(items, options.seed), 0, items);
  advance();
}

PairSort::Count PairSort::comparisons(std::size_t items, std::size_t beam) {
  if (items < 2) return {};
  const std::size_t left = items / 2;
  const std::size_t right = items - left;
  const Count of_left = comparisons(left, beam);
  const Count of_right = comparisons(right, beam);
  const std::size_t most = beam == 1 ? items - 1 : left * right;
  return {of_left.least + of_right.least + std::min(left, right),
          of_left.most + of_right.most + most};
}

std::size_t PairSort::build(const std::vector<std::size_t>& items, std::size_t begin,
                            std::size_t end) {
  Merge merge;
  if (end - begin == 1) {
    merge.merged = {items[begin]};
    merge.done = true;
  } else if (end > begin) {
    const std::size_t middle = begin + (end - begin) / 2;
    merge.left = build(items, begin, middle);
    merge.right = build(items, middle, end);
  } else {
    merge.done = true;
  }
  merges_.push_back(std::move(merge));
  return merges_.size() - 1;
}

void PairSort::tell(const std::vector<double>& p_a) {
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const double p = p_a[k];
    merges_[places_[k].first].p[places_[k].second] = std::abs(p - 0.5) < kSlack ? 0.5 : p;
  }
  advance();
}

void PairSort::advance() {
  pending_.clear();
  places_.clear();
  for (std::size_t m = 0; m < merges_.size(); ++m) {
    Merge& merge = merges_[m];
    if (merge.done || !merges_[merge.left].done || !merges_[merge.right].done) continue;
    if (merge.beam.empty()) {
      merge.beam.emplace_back();
      merge.p.resize(merges_[merge.left].merged.size() * merges_[merge.right].merged.size());
    }
    while (!merge.done && !want(merge, m)) grow(merge);
  }
}

// Puts down the comparisons the beam's next step lacks; false where it lacks none.
bool PairSort::want(Merge& merge, std::size_t index) {
  const auto& left = merges_[merge.left].merged;
  const auto& right = merges_[merge.right].merged;
  std::set<std::size_t> lacking;
  for (const Path& path : merge.beam) {
    if (path.i == left.size() || path.j == right.size()) continue;
    const std::size_t cell = path.i * right.size() + path.j;
    if (merge.p[cell] || !lacking.insert(cell).second) continue;
    pending_.push_back({left[path.i], right[path.j]});
    places_.emplace_back(index, cell);
  }
  return !lacking.empty();
}

// One step of every path, then the best of them.
void PairSort::grow(Merge& merge) const {
  const auto& left = merges_[merge.left].merged;
  const auto& right = merges_[merge.right].merged;
  std::vector<Path> grown;
  const auto take = [&](const Path& path, bool a, std::optional<double> p) {
    Path longer = path;
    longer.taken.push_back(a ? left[longer.i++] : right[longer.j++]);
    if (p) longer.sum += log_of(*p), ++longer.compared;
    grown.push_back(std::move(longer));
  };
  for (const Path& path : merge.beam) {
    if (path.i == left.size() || path.j == right.size()) {
      take(path, path.j == right.size(), std::nullopt);
      continue;
    }
    const double p = *merge.p[path.i * right.size() + path.j];
    if (p - 0.5 <= options_.gap + kSlack) take(path, true, 1 - p);
    if (0.5 - p <= options_.gap + kSlack) take(path, false, p);
  }
  std::stable_sort(grown.begin(), grown.end(),
                   [](const Path& x, const Path& y) { return x.score() > y.score(); });
  if (grown.size() > options_.beam) grown.resize(options_.beam);
  merge.beam = std::move(grown);
  if (merge.beam.front().taken.size() < left.size() + right.size()) return;
  merge.done = true;
  merge.merged = merge.beam.front().taken;
  merge.score = merge.beam.front().score();
  merge.beam.clear();
  merge.p.clear();
}

}  // namespace assay
