#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace assay {

// A piece of a text, in bytes, without surrounding white space.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The sentences of a text in order; never empty pieces. Knows abbreviations, initials, numbers,
// quotes, ellipses, text that is already tokenised ("It ended . He left .") and line breaks. A text
// of only white space has none.
std::vector<TextRange> split_sentences(std::string_view text);

}  // namespace assay
