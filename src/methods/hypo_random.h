#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace assay {

// SplitMix64: the same numbers from a seed on every machine and library, which std::shuffle does
// not promise.
class SeededRandom {
 public:
  explicit SeededRandom(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  // Evenly from 0 to n - 1: numbers of the last, incomplete run are thrown away.
  std::uint64_t below(std::uint64_t n) {
    const std::uint64_t surplus = (0 - n) % n;
    std::uint64_t drawn = next();
    while (drawn < surplus) drawn = next();
    return drawn % n;
  }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace assay
