// Which source sentence a sentence came from: an inverted index proposes three, the longest common
// subsequence decides. Tested in tests/evidence/nearest_test.cc.
#include "evidence/nearest.h"

#include <algorithm>
#include <array>
#include <bit>

namespace assay {
namespace {

constexpr std::size_t kCandidates = 3;
// Longer sentences are compared by their first words: the table is quadratic, and such a "sentence"
// is a list.
constexpr std::size_t kLongest = 400;

std::span<const Word> sentence_words(const WordRange& range) {
  const auto words = range.words();
  return words.first(std::min(words.size(), kLongest));
}

// The textbook table, a row at a time.
std::size_t table_lcs(std::span<const Word> a, std::span<const Word> b) {
  std::vector<std::uint32_t> row(b.size() + 1);
  for (const Word& word : a) {
    std::uint32_t diagonal = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::uint32_t above = row[j + 1];
      row[j + 1] = word.stem == b[j].stem ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  return row.back();
}

// Where a stem occurs among up to 64 words, as bits; a table of fixed size, at most half full.
class Places {
 public:
  explicit Places(std::span<const Word> words) {
    std::uint64_t bit = 1;
    for (const Word& word : words) {
      Slot& slot = slots_[find(word.stem)];
      slot.stem = word.stem;
      slot.bits |= bit;
      bit <<= 1;
    }
  }
  std::uint64_t operator[](std::uint64_t stem) const { return slots_[find(stem)].bits; }

 private:
  struct Slot {
    std::uint64_t stem = 0;
    std::uint64_t bits = 0;
  };
  std::size_t find(std::uint64_t stem) const {
    std::size_t at = stem % slots_.size();
    while (slots_[at].bits != 0 && slots_[at].stem != stem) at = (at + 1) % slots_.size();
    return at;
  }
  std::array<Slot, 128> slots_{};
};

// The same length by whole columns of the table at a time (Hyyrö 2004): a zero bit is a step of the
// column.
std::size_t bit_lcs(std::span<const Word> a, std::span<const Word> b) {
  const Places places(a);
  std::uint64_t column = ~std::uint64_t{0};
  for (const Word& word : b) {
    const std::uint64_t match = column & places[word.stem];
    column = (column + match) | (column - match);
  }
  const std::uint64_t used =
      a.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << a.size()) - 1;
  return static_cast<std::size_t>(std::popcount(~column & used));
}

}  // namespace

std::vector<std::uint32_t> nearest_sentences(const WordRange& words, const Analysis& source,
                                             std::size_t count) {
  std::vector<std::uint32_t> hits(source.sentences.size());
  std::vector<std::uint32_t> touched;
  for (const std::uint64_t stem : content_stems(words.words())) {
    auto it = std::lower_bound(source.postings.begin(), source.postings.end(), std::pair(stem, 0U));
    for (; it != source.postings.end() && it->first == stem; ++it) {
      if (hits[it->second]++ == 0) touched.push_back(it->second);
    }
  }
  const auto better = [&](std::uint32_t a, std::uint32_t b) {
    return hits[a] != hits[b] ? hits[a] > hits[b] : a < b;
  };
  count = std::min(count, touched.size());
  std::partial_sort(touched.begin(), touched.begin() + static_cast<std::ptrdiff_t>(count),
                    touched.end(), better);
  touched.resize(count);
  return touched;
}

double lcs_share(const WordRange& words, const WordRange& other) {
  const auto a = sentence_words(words);
  const auto b = sentence_words(other);
  if (a.empty()) return 0;
  const std::size_t length = a.size() <= 64 ? bit_lcs(a, b) : table_lcs(a, b);
  return static_cast<double>(length) / static_cast<double>(a.size());
}

double bigram_coverage(const WordRange& range, const Analysis& text) {
  const auto words = range.words();
  if (words.empty()) return 0;
  if (words.size() == 1) return text.has_stem(words[0].stem) ? 1 : 0;
  std::size_t found = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (text.has_bigram(bigram_of(words[i - 1].stem, words[i].stem))) ++found;
  }
  return static_cast<double>(found) / static_cast<double>(words.size() - 1);
}

Carried best_carrier(const WordRange& words, const Analysis& source) {
  Carried best;
  for (const std::uint32_t s : nearest_sentences(words, source, kCandidates)) {
    const SentenceInfo& sentence = source.sentences[s];
    const double share = lcs_share(words, {&source, sentence.first, sentence.last});
    if (!best.sentence || share > best.share) best = {share, s};
  }
  return best;
}

}  // namespace assay
