#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "metrics/scorer.h"

namespace assay {

constexpr std::size_t kMaxBleu = 4;

enum class Smooth { kNone, kFloor, kAddK, kExp };

struct BleuOptions {
  std::size_t order = 4;  // 1..4
  bool nlg_eval = false;  // nlg-eval's formula and tokens; the rest below is then without effect
  Smooth smooth = Smooth::kExp;
  double smooth_value = 0.1;  // kFloor: what a zero becomes; kAddK: what is added (1)
  bool tokenize_13a = true;   // otherwise at white space
};

// What BLEU is computed from; that of a corpus is the sum over its texts.
struct BleuStats {
  std::array<std::uint64_t, kMaxBleu> match{};
  std::array<std::uint64_t, kMaxBleu> total{};
  std::uint64_t output_words = 0;
  std::uint64_t reference_words = 0;  // of the reference nearest in length; of two the shorter

  BleuStats& operator+=(const BleuStats& other);
};

// With `effective_order` only orders the output is long enough for count: for single texts.
double bleu_score(const BleuStats& stats, const BleuOptions& options, bool effective_order);
double bleu_nlg_eval(const BleuStats& stats, std::size_t order);

std::unique_ptr<Scorer> make_bleu(const BleuOptions& options);
std::unique_ptr<CorpusScorer> make_corpus_bleu(const BleuOptions& options);

}  // namespace assay
