#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "metrics/ngrams.h"
#include "metrics/scorer.h"

namespace assay {

constexpr std::size_t kChrfOrder = 6;

// Character n-gram counts of one comparison, or their sum over a corpus.
struct ChrfStats {
  std::array<std::uint64_t, kChrfOrder> match{};
  std::array<std::uint64_t, kChrfOrder> output{};
  std::array<std::uint64_t, kChrfOrder> reference{};

  ChrfStats& operator+=(const ChrfStats& other);
};

ChrfStats chrf_stats(std::span<const NgramBag> output, std::span<const NgramBag> reference);

// The means of precision and recall over the orders that both sides are long enough for, then F2,
// in [0, 1].
double chrf_score(const ChrfStats& stats);

std::unique_ptr<Scorer> make_chrf();
// Adds up, per row, the counts against the reference that scores best.
std::unique_ptr<CorpusScorer> make_corpus_chrf();

}  // namespace assay
