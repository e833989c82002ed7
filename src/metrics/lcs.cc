// The bit-parallel recurrence of Crochemore, Iliopoulos, Pinzon and Reid (2001) in Hyyrö's form:
//   U = V & M[token];  V = (V + U) | (V - U)
// where bit i of V is 0 exactly when the table entry c[i][j] is c[i-1][j] + 1. So the number of
// zeros is the length, and keeping V for every j is enough to walk the table back: c[i-1][j] >=
// c[i][j-1] holds, for unequal items, exactly when bit i is 1. Tested in tests/metrics/lcs_test.cc
// against the plain table.

#include "metrics/lcs.h"

#include <algorithm>
#include <bit>

namespace assay {

void Lcs::set(std::span<const TokenId> fixed) {
  for (TokenId token : fixed_) slots_[token] = 0;
  fixed_.assign(fixed.begin(), fixed.end());
  words_ = (fixed.size() + 63) / 64;
  rows_.clear();
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    const TokenId token = fixed[i];
    if (token >= slots_.size()) slots_.resize(token + 1 + token / 2, 0);
    if (slots_[token] == 0) {
      rows_.resize(rows_.size() + words_, 0);
      slots_[token] = static_cast<std::uint32_t>(rows_.size() / words_);
    }
    rows_[(slots_[token] - 1) * words_ + i / 64] |= std::uint64_t{1} << i % 64;
  }
}

const std::uint64_t* Lcs::row_of(TokenId token) const {
  if (token >= slots_.size() || slots_[token] == 0) return nullptr;
  return &rows_[(slots_[token] - 1) * words_];
}

void Lcs::step(const std::uint64_t* match, std::uint64_t* state) const {
  std::uint64_t carry = 0;
  for (std::size_t w = 0; w < words_; ++w) {
    const std::uint64_t v = state[w];
    const std::uint64_t u = v & match[w];
    const std::uint64_t sum = v + u;
    const std::uint64_t with_carry = sum + carry;
    carry = static_cast<std::uint64_t>(sum < v) | static_cast<std::uint64_t>(with_carry < sum);
    state[w] = with_carry | (v - u);
  }
}

std::size_t Lcs::length(std::span<const TokenId> other) {
  states_.assign(words_, ~std::uint64_t{0});
  for (TokenId token : other) {
    if (const std::uint64_t* match = row_of(token)) step(match, states_.data());
  }
  // Places beyond the end never become 0: no token matches there, and a carry only sets bits that v
  // - u keeps.
  std::size_t zeros = 0;
  for (std::uint64_t state : states_) zeros += static_cast<std::size_t>(std::popcount(~state));
  return zeros;
}

void Lcs::mark(std::span<const TokenId> other, std::vector<char>& hits) {
  if (words_ == 0) return;
  states_.assign(words_ * (other.size() + 1), ~std::uint64_t{0});
  for (std::size_t j = 0; j < other.size(); ++j) {
    std::uint64_t* state = &states_[(j + 1) * words_];
    std::copy_n(state - words_, words_, state);
    if (const std::uint64_t* match = row_of(other[j])) step(match, state);
  }
  std::size_t i = fixed_.size();
  std::size_t j = other.size();
  while (i > 0 && j > 0) {
    if (fixed_[i - 1] == other[j - 1]) {
      hits[--i] = 1;
      --j;
    } else if (states_[j * words_ + (i - 1) / 64] >> (i - 1) % 64 & 1) {
      --i;
    } else {
      --j;
    }
  }
}

}  // namespace assay
