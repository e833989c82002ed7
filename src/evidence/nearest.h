#pragma once

#include <vector>

#include "evidence/evidence.h"

namespace assay {

// The up to `count` sentences of `source` that share most content stems with the words, best first;
// of equals the earlier. Those that share none are left out.
std::vector<std::uint32_t> nearest_sentences(const WordRange& words, const Analysis& source,
                                             std::size_t count);

// Length of the longest common subsequence of stems, over the number of words in `words`.
double lcs_share(const WordRange& words, const WordRange& other);

// Share of the words' adjacent pairs that are also in the text; of a single word, whether it is.
double bigram_coverage(const WordRange& words, const Analysis& text);

// The largest lcs_share with one of the three nearest sentences, and which it was (nothing: none is
// near).
struct Carried {
  double share = 0;
  std::optional<std::uint32_t> sentence;
};
Carried best_carrier(const WordRange& words, const Analysis& source);

}  // namespace assay
