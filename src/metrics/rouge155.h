#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "metrics/lcs.h"
#include "metrics/ngrams.h"
#include "metrics/scorer.h"

namespace assay {

// Precision, recall and their harmonic mean, rounded to five decimals as ROUGE 1.5.5 prints them,
// kept as whole hundred-thousandths so that equal figures are equal and means of them tie exactly.
struct Rouge155 {
  std::int64_t precision = 0;
  std::int64_t recall = 0;
  std::int64_t f = 0;
};

enum class RougeKind { k1, k2, kL };
enum class Measure { kF, kPrecision, kRecall };

// A text in the 1.5.5 convention: stems by sentence, and the n-grams of the whole.
struct Rouge155Text {
  std::vector<std::vector<TokenId>> sentences;
  std::size_t words = 0;
  std::vector<NgramBag> bags;  // orders 1 and 2
};

// Sentences are split at " ." with one following space, tokens are runs of [a-z0-9] in lower case,
// those longer than three letters are stemmed.
Rouge155Text rouge155_text(std::string_view text, StemVocabulary& vocabulary, NgramTable& table);

Rouge155 rouge155_n(const Rouge155Text& output, const Rouge155Text& reference, std::size_t n);

// Summary-level ROUGE-L: for every reference sentence the union of its longest common subsequences
// with each output sentence, counted no more often than the word occurs in either text.
Rouge155 rouge155_l(const Rouge155Text& output, const Rouge155Text& reference, Lcs& lcs);

// The mean of five-decimal figures to nine decimals, half to even; exact integer arithmetic.
double rouge155_mean(std::span<const std::int64_t> figures);

std::unique_ptr<Scorer> make_rouge155(RougeKind kind, Measure measure);

}  // namespace assay
