#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/tokens.h"

namespace assay {

// Longest common subsequences with one fixed sequence, 64 places at a time. Thread-compatible;
// reuse one object for many pairs, it keeps its buffers.
class Lcs {
 public:
  // The sequence the following calls compare with.
  void set(std::span<const TokenId> fixed);

  // The length of the longest common subsequence.
  std::size_t length(std::span<const TokenId> other);

  // Sets hits[i] where the i-th item of the fixed sequence is in the subsequence found by walking
  // back from the ends: a common item is always taken, otherwise the fixed sequence gives way
  // first. This is the choice of ROUGE 1.5.5; with repeated words another choice gives another
  // union.
  void mark(std::span<const TokenId> other, std::vector<char>& hits);

 private:
  const std::uint64_t* row_of(TokenId token) const;
  void step(const std::uint64_t* match, std::uint64_t* state) const;

  std::vector<TokenId> fixed_;
  std::size_t words_ = 0;              // 64-bit words per row
  std::vector<std::uint32_t> slots_;   // token -> 1 + its row, 0: not in the fixed sequence
  std::vector<std::uint64_t> rows_;    // row: the places of one token
  std::vector<std::uint64_t> states_;  // one state, or one per item of `other` when marking
};

}  // namespace assay
