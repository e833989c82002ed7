#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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

// Numbers tokens 0, 1, 2, ... in the order seen. Open addressing over one block of characters:
// numbering words is the inner loop of every metric. Thread-compatible.
class Vocabulary {
 public:
  static constexpr TokenId kUnknown = 0xffffffff;

  Vocabulary() { clear(); }
  TokenId id(std::string_view token);          // numbers it where it is new
  TokenId find(std::string_view token) const;  // kUnknown where it is new
  std::size_t size() const { return begins_.size() - 1; }
  void clear();

 private:
  struct Slot {
    std::uint32_t hash = 0;
    TokenId id = kUnknown;
  };
  std::size_t place(std::string_view token, std::uint32_t hash) const;
  void grow();

  std::vector<Slot> slots_;          // a power of two, at most half full
  std::string characters_;           // all tokens, one after the other
  std::vector<std::size_t> begins_;  // token i is characters_[begins_[i] .. begins_[i + 1])
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
