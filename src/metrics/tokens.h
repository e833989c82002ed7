#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "metrics/porter.h"

namespace assay {

using TokenId = std::uint32_t;

// Pieces of a text as each convention cuts it. Pure; the views point into `text` or `buffer`.

// Runs of ASCII letters and digits in lower case (ROUGE, both conventions). `buffer` holds the
// lower-cased text.
std::vector<std::string_view> alnum_words(std::string_view text, std::string& buffer);
// At white space as Python's str.split() sees it, Unicode spaces included (nlg-eval, --tokenize
// none).
std::vector<std::string_view> space_words(std::string_view text);
// The tokeniser 13a of the WMT scripts (BLEU, standard).
std::string tokenize_13a(std::string_view text);

// Numbers tokens 0, 1, 2, ... in the order seen. Thread-compatible.
class Vocabulary {
 public:
  TokenId id(std::string_view token);
  std::size_t size() const { return ids_.size(); }
  void clear() { ids_.clear(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  std::unordered_map<std::string, TokenId, Hash, std::equal_to<>> ids_;
};

// Numbers tokens by their stems, where they are longer than three letters as in all ROUGE
// implementations; each distinct token is stemmed once. Thread-compatible.
class StemVocabulary {
 public:
  explicit StemVocabulary(Porter variant) : variant_(variant) {}
  TokenId id(std::string_view token);
  std::size_t size() const { return tokens_.size(); }  // an upper bound of the ids too
  void clear();

 private:
  Porter variant_;
  Vocabulary tokens_;
  Vocabulary stems_;
  std::vector<TokenId> stem_of_;  // by token
};

}  // namespace assay
