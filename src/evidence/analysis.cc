// One pass over the sentences and words of a text. Stemming and dictionary look-up are the cost, so
// what is known of a word is remembered per thread. Tested in tests/evidence/analysis_test.cc.
#include "evidence/analysis.h"

#include <algorithm>
#include <cmath>

#include "text/numbers.h"
#include "text/sentences.h"
#include "text/words.h"

namespace assay {
namespace {

constexpr std::size_t kKnownWords = 1U << 13;

bool is_closing_mark(std::string_view sentence) {
  // Behind quotes, brackets and blanks there must be a full stop, a question or exclamation mark,
  // or an ellipsis.
  while (!sentence.empty() &&
         std::string_view("\"')]} `").find(sentence.back()) != std::string_view::npos) {
    sentence.remove_suffix(1);
  }
  for (const std::string_view quote : {"”", "’", "»"}) {
    if (sentence.ends_with(quote)) sentence.remove_suffix(quote.size());
  }
  if (sentence.empty()) return false;
  if (std::string_view(".!?").find(sentence.back()) != std::string_view::npos) return true;
  for (const std::string_view mark : {"…", "。", "！", "？", "।"}) {
    if (sentence.ends_with(mark)) return true;
  }
  return false;
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// Positions count content words and numbers only.
void weigh_lead(Analysis& out) {
  out.lead.assign(out.content.size(), 0);
  double position = 0;
  for (const Word& word : out.words) {
    if (word.kind == WordKind::kFunction) continue;
    const auto at = std::lower_bound(out.content.begin(), out.content.end(), word.stem);
    out.lead[static_cast<std::size_t>(at - out.content.begin())] += 1 / std::sqrt(1 + position);
    position += 1;
  }
}

void index(Analysis& out) {
  out.stems.reserve(out.words.size());
  out.bigrams.reserve(out.words.size());
  out.postings.reserve(out.words.size());
  for (std::size_t i = 0; i < out.words.size(); ++i) {
    const Word& word = out.words[i];
    out.stems.push_back(word.stem);
    if (word.kind != WordKind::kFunction) out.postings.emplace_back(word.stem, word.sentence);
    if (i > 0 && out.words[i - 1].sentence == word.sentence) {
      out.bigrams.push_back(bigram_of(out.words[i - 1].stem, word.stem));
    }
  }
  std::sort(out.stems.begin(), out.stems.end());
  sort_unique(out.bigrams);
  sort_unique(out.postings);
  out.content.reserve(out.postings.size());
  for (const auto& [stem, sentence] : out.postings) {
    if (out.content.empty() || out.content.back() != stem) out.content.push_back(stem);
  }
  weigh_lead(out);
}

}  // namespace

bool Analysis::has_stem(std::uint64_t stem) const {
  return std::binary_search(stems.begin(), stems.end(), stem);
}

bool Analysis::has_bigram(std::uint64_t bigram) const {
  return std::binary_search(bigrams.begin(), bigrams.end(), bigram);
}

Analyzer::Analyzer(const WordList& words) : list_(words), known_(kKnownWords) {}

const Analyzer::Known& Analyzer::know(std::string_view lower_case) {
  const std::uint64_t form = word_hash(lower_case);
  Known& known = known_[form & (kKnownWords - 1)];
  if (known.form == form) return known;
  known =
      Known{form, 0, WordKind::kContent, true, leaves_open(lower_case), is_small_talk(lower_case)};
  if (const auto number = normal_number(lower_case)) {
    known.kind = WordKind::kNumber;
    known.stem = word_hash(*number);
    return known;
  }
  if (is_function_word(lower_case)) known.kind = WordKind::kFunction;
  known.stem = word_hash(stemmer_.stem(lower_case));
  known.listed = known.kind == WordKind::kFunction || list_.contains(lower_case);
  return known;
}

// "twenty-one" is 21: the second word is put into the first.
bool Analyzer::join_number(Analysis& out, std::size_t begin, std::string_view lower_case) {
  const int value = number_word(lower_case);
  const int tens = tens_;
  tens_ = value >= 20 ? value : 0;
  if (tens == 0 || value == 0 || value > 9) return false;
  Word& before = out.words.back();
  if (begin - before.end > 3) return false;
  before.stem = word_hash(std::to_string(tens + value));
  before.end = static_cast<std::uint32_t>(begin + lower_case.size());
  return true;
}

void Analyzer::add_word(Analysis& out, std::size_t begin, std::size_t end, std::uint32_t sentence,
                        bool first) {
  const std::string_view text = std::string_view(out.text).substr(begin, end - begin);
  lower_word(text, lower_);
  if (join_number(out, begin, lower_)) return;
  const Known& known = know(lower_);
  Word word{known.form,
            known.stem,
            static_cast<std::uint32_t>(begin),
            static_cast<std::uint32_t>(end),
            sentence,
            known.kind,
            false,
            known.open,
            known.small_talk};
  const bool capital = is_capital(text[0]) && !first;
  word.name = known.kind == WordKind::kContent && (capital || !known.listed);
  out.words.push_back(word);
}

Analysis Analyzer::analyse(std::string_view text) {
  Analysis out;
  out.text = text;
  for (const TextRange& range : split_sentences(out.text)) {
    const std::string_view sentence =
        std::string_view(out.text).substr(range.begin, range.end - range.begin);
    const auto number = static_cast<std::uint32_t>(out.sentences.size());
    const auto first = static_cast<std::uint32_t>(out.words.size());
    tens_ = 0;
    for (const TextRange& word : split_words(sentence)) {
      add_word(out, range.begin + word.begin, range.begin + word.end, number,
               out.words.size() == first);
    }
    const auto last = static_cast<std::uint32_t>(out.words.size());
    if (last == first) continue;
    out.sentences.push_back({static_cast<std::uint32_t>(range.begin),
                             static_cast<std::uint32_t>(range.end), first, last,
                             is_closing_mark(sentence)});
  }
  index(out);
  return out;
}

}  // namespace assay
