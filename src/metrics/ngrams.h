#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/tokens.h"

namespace assay {

// How often an n-gram occurs in a text.
struct NgramCount {
  std::uint32_t id = 0;
  std::uint32_t count = 0;
};

// The n-grams of one order, sorted by id; `total` is the sum of the counts.
struct NgramBag {
  std::vector<NgramCount> counts;
  std::uint64_t total = 0;
};

// The numbers of a text's n-grams, by order and place: [n - 1][i] is the n-gram that starts at i.
using NgramIds = std::vector<std::vector<std::uint32_t>>;

// Numbers n-grams exactly, without hashing collisions: an n-gram is the pair of its first n-1
// items' number and its last item. Bags are comparable only when they come from the same table.
// Thread-compatible.
class NgramTable {
 public:
  NgramTable();
  // The n-grams of orders 1..orders by number, from 1; those longer than the text are empty lists.
  NgramIds number(std::span<const TokenId> items, std::size_t orders);
  // The same without numbering new ones: 0 where an n-gram has not been seen.
  NgramIds look_up(std::span<const TokenId> items, std::size_t orders) const;
  // The bags of orders 1..orders; those longer than the text are empty.
  std::vector<NgramBag> bags(std::span<const TokenId> items, std::size_t orders);
  std::size_t size() const { return used_; }
  void clear();

 private:
  std::uint32_t id(std::uint32_t prefix, TokenId item);
  std::uint32_t find(std::uint32_t prefix, TokenId item) const;
  void grow();

  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t id = 0;  // 0: free
  };
  std::vector<Slot> slots_;  // open addressing; a power of two, at most half full
  std::uint32_t used_ = 0;
};

// The sum over shared n-grams of the smaller count.
std::uint64_t overlap(const NgramBag& a, const NgramBag& b);

}  // namespace assay
