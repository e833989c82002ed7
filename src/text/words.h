#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/sentences.h"

namespace assay {

// The words and numbers of a text in order, in bytes. Raw and tokenised text give the same words:
// "don't" and "do n't" are "do" and "n't", "team's" is "team" and "'s", "800,000" and "800 , 000"
// are one number; hyphens part.
std::vector<TextRange> split_words(std::string_view text);

// Lower case by Unicode's simple mapping, typographic apostrophes made plain; `out` is replaced
// (and reused).
void lower_word(std::string_view word, std::string& out);

// Words that carry grammar and not content: articles, prepositions, pronouns, auxiliaries, clitics
// ("n't", "'s").
bool is_function_word(std::string_view lower_case);

// Function words that a sentence cannot end on: "the", "of", "and", ...
bool leaves_open(std::string_view lower_case);

// Content words that fit any conversation: "think", "great", "yeah", "lot". A reply of nothing else
// is generic.
bool is_small_talk(std::string_view lower_case);

// Everything here that changes an answer, for the identity of the built-in judge: the lists above
// and the version of Unicode that tells letters from other characters.
std::string word_resources();

// FNV-1a with a final mix. The same on every machine, so that what is ordered by it is too.
constexpr std::uint64_t word_hash(std::string_view word) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (const char c : word) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  h ^= h >> 32;
  h *= 0x9e3779b97f4a7c15U;
  return h ^ (h >> 29);
}

}  // namespace assay
