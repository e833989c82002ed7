#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace assay {

// from, from + 1, ..., to - 1.
inline std::vector<int> numbers(int from, int to) {
  std::vector<int> all(static_cast<std::size_t>(std::max(0, to - from)));
  std::iota(all.begin(), all.end(), from);
  return all;
}

// Adds what is not there yet: these lists are sets that keep their order.
inline void add_new(std::vector<int>& to, int item) {
  if (std::find(to.begin(), to.end(), item) == to.end()) to.push_back(item);
}

}  // namespace assay
