#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/stem.h"
#include "text/word_list.h"

namespace assay {

enum class WordKind : std::uint8_t { kContent, kFunction, kNumber };

// A word as evidence sees it. Form and stem are 64-bit hashes: comparing them is comparing words,
// and no table of words has to be shared between threads.
struct Word {
  std::uint64_t form = 0;
  std::uint64_t stem = 0;  // numbers: of the normal spelling
  std::uint32_t begin = 0;
  std::uint32_t end = 0;  // in bytes of the text
  std::uint32_t sentence = 0;
  WordKind kind = WordKind::kContent;
  bool name = false;        // capitalised within a sentence, or in no dictionary
  bool open = false;        // no sentence ends on it
  bool small_talk = false;  // fits any conversation
};

struct SentenceInfo {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;    // in bytes
  std::uint32_t first = 0;  // words [first, last)
  std::uint32_t last = 0;
  bool closed = false;  // ends on a closing mark
};

// A text taken apart once, with the look-up tables that evidence needs. Immutable, so threads may
// share it.
struct Analysis {
  std::string text;
  std::vector<Word> words;
  std::vector<SentenceInfo> sentences;  // those without a word are left out
  std::vector<std::uint64_t> stems;     // of all words, sorted, as often as they occur
  std::vector<std::uint64_t> content;   // of content words and numbers, sorted, each once
  std::vector<double> lead;             // for each of these the sum of 1/sqrt(1 + position)
  std::vector<std::uint64_t> bigrams;   // of stems within sentences, sorted, each once
  // (stem of a content word or number, sentence), sorted, each once.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> postings;

  bool has_stem(std::uint64_t stem) const;
  bool has_bigram(std::uint64_t bigram) const;
  std::string_view word_text(const Word& word) const {
    return std::string_view(text).substr(word.begin, word.end - word.begin);
  }
};

constexpr std::uint64_t bigram_of(std::uint64_t first, std::uint64_t second) {
  return (first * 0x9e3779b97f4a7c15U) ^ (second + (first >> 31));
}

// Takes texts apart. Holds the stemmer and a table of the words met so far, so it belongs to one
// thread; the word list is shared and must outlive it.
class Analyzer {
 public:
  explicit Analyzer(const WordList& words);
  Analysis analyse(std::string_view text);

 private:
  struct Known {  // what is known of a lower-case form, whatever its context
    std::uint64_t form = 0;
    std::uint64_t stem = 0;
    WordKind kind = WordKind::kContent;
    bool listed = true;
    bool open = false;
    bool small_talk = false;
  };
  const Known& know(std::string_view lower_case);
  void add_word(Analysis& out, std::size_t begin, std::size_t end, std::uint32_t sentence,
                bool first);
  bool join_number(Analysis& out, std::size_t begin, std::string_view lower_case);

  const WordList& list_;
  Stemmer stemmer_;
  std::string lower_;
  std::vector<Known> known_;  // direct-mapped: a fixed bound, and a clash only costs time
  int tens_ = 0;              // the last word was "twenty" to "ninety"
};

}  // namespace assay
