#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

// PairS' merge sort with a beam, as a state that wants comparisons and is told their outcome.
// Merges that do not depend on each other go on side by side, so one round holds everything that
// can be asked at once. Thread-compatible.
class PairSort {
 public:
  struct Options {
    std::size_t beam = 1;
    double gap = 0.1;  // both branches are kept where |P(A) - 0.5| is at most this
    std::uint64_t seed = 7;
  };
  struct Pair {
    std::size_t a = 0;  // from the left half
    std::size_t b = 0;
    bool operator==(const Pair&) const = default;
  };

  PairSort(std::size_t items, Options options);

  // How many comparisons a sort takes; the answers decide where between the two.
  struct Count {
    std::size_t least = 0;
    std::size_t most = 0;
  };
  static Count comparisons(std::size_t items, std::size_t beam);

  const std::vector<Pair>& pending() const { return pending_; }  // empty: sorted
  // P(a is better) of every pending pair, in order.
  void tell(const std::vector<double>& p_a);

  const std::vector<std::size_t>& order() const { return merges_.back().merged; }  // worst first
  double path_score() const { return merges_.back().score; }  // of the last merge

 private:
  // One way of merging so far.
  struct Path {
    std::size_t i = 0;  // taken from the left
    std::size_t j = 0;
    double sum = 0;  // of log-probabilities
    int compared = 0;
    std::vector<std::size_t> taken;
    double score() const { return compared == 0 ? 0 : sum / compared; }
  };
  struct Merge {
    std::size_t left = 0;  // merges whose results are merged here; equal: a single item
    std::size_t right = 0;
    bool done = false;
    std::vector<std::size_t> merged;
    double score = 0;
    std::vector<Path> beam;
    std::vector<std::optional<double>> p;  // [i * right size + j]
  };

  std::size_t build(const std::vector<std::size_t>& items, std::size_t begin, std::size_t end);
  void advance();
  bool want(Merge& merge, std::size_t index);
  void grow(Merge& merge) const;

  Options options_;
  std::vector<Merge> merges_;  // children before their parents; the last is the root
  std::vector<Pair> pending_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // merge and cell of every pending pair
};

}  // namespace assay
