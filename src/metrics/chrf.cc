// chrF2: M. Popović, "chrF: character n-gram F-score for automatic MT evaluation" (2015), with
// character n-grams of orders 1 to 6, no word n-grams, beta 2, white space left out and case kept,
// which is what the name chrF2 stands for in the usual tools. Characters are code points. Tested in
// tests/metrics/chrf_test.cc by hand-worked cases.

#include "metrics/chrf.h"

#include <fmt/format.h>

#include <numeric>

namespace assay {
namespace {

constexpr double kBetaSquared = 4;

// Code points without white space. Ill-formed bytes, which ingest has refused already, count one
// each.
std::vector<TokenId> characters(std::string_view text) {
  std::vector<TokenId> points;
  for (std::string_view word : space_words(text)) {
    for (std::size_t i = 0; i < word.size();) {
      const auto lead = static_cast<unsigned char>(word[i]);
      const std::size_t length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      TokenId packed = 0;
      for (std::size_t k = 0; k < length && i + k < word.size(); ++k) {
        packed = packed << 8 | static_cast<unsigned char>(word[i + k]);
      }
      points.push_back(packed);
      i += length;
    }
  }
  return points;
}

class ChrfTexts {
 public:
  std::vector<ChrfStats> each(std::string_view output, std::span<const std::string> references) {
    // Six orders make about six numbers a byte, so this table is kept smaller than that of words.
    if (cache_.trim(std::size_t{1} << 20) || table_.size() > kMostGrams) {
      cache_.trim(0);
      table_.clear();
    }
    const std::vector<NgramBag> text = table_.bags(characters(output), kChrfOrder);
    std::vector<ChrfStats> result;
    for (const std::string& reference : references) {
      const auto& bags = cache_.get(reference, [&](std::string_view raw) {
        return table_.bags(characters(raw), kChrfOrder);
      });
      result.push_back(chrf_stats(text, bags));
    }
    return result;
  }

 private:
  static constexpr std::size_t kMostGrams = std::size_t{1} << 22;
  NgramTable table_;
  TextCache<std::vector<NgramBag>> cache_;
};

Compared scored(const ChrfStats& stats) {
  const auto sum = [](const auto& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  };
  return {chrf_score(stats),
          fmt::format("{} shared of {} and {} character n-grams", sum(stats.match),
                      sum(stats.output), sum(stats.reference))};
}

class ChrfScorer : public Scorer {
 public:
  std::vector<Compared> each(std::string_view output,
                             std::span<const std::string> references) override {
    std::vector<Compared> result;
    for (const ChrfStats& stats : texts_.each(output, references)) result.push_back(scored(stats));
    return result;
  }

 private:
  ChrfTexts texts_;
};

class CorpusChrf : public CorpusScorer {
 public:
  void add(std::size_t system, std::string_view output,
           std::span<const std::string> references) override {
    const std::vector<ChrfStats> all = texts_.each(output, references);
    const ChrfStats* best = nullptr;
    for (const ChrfStats& stats : all) {
      if (best == nullptr || chrf_score(stats) > chrf_score(*best)) best = &stats;
    }
    if (best != nullptr) sum_of(system) += *best;
  }
  void merge(const CorpusScorer& other) override {
    const auto& sums = dynamic_cast<const CorpusChrf&>(other).sums_;
    for (std::size_t system = 0; system < sums.size(); ++system) sum_of(system) += sums[system];
  }
  Compared score(std::size_t system) const override {
    return scored(system < sums_.size() ? sums_[system] : ChrfStats{});
  }

 private:
  ChrfStats& sum_of(std::size_t system) {
    if (system >= sums_.size()) sums_.resize(system + 1);
    return sums_[system];
  }

  ChrfTexts texts_;
  std::vector<ChrfStats> sums_;  // by system
};

}  // namespace

ChrfStats& ChrfStats::operator+=(const ChrfStats& other) {
  for (std::size_t n = 0; n < kChrfOrder; ++n) {
    match[n] += other.match[n];
    output[n] += other.output[n];
    reference[n] += other.reference[n];
  }
  return *this;
}

ChrfStats chrf_stats(std::span<const NgramBag> output, std::span<const NgramBag> reference) {
  ChrfStats stats;
  for (std::size_t n = 0; n < kChrfOrder; ++n) {
    stats.output[n] = output[n].total;
    stats.reference[n] = reference[n].total;
    stats.match[n] = overlap(output[n], reference[n]);
  }
  return stats;
}

double chrf_score(const ChrfStats& stats) {
  double precision = 0;
  double recall = 0;
  int orders = 0;
  for (std::size_t n = 0; n < kChrfOrder; ++n) {
    if (stats.output[n] == 0 || stats.reference[n] == 0) continue;
    precision += static_cast<double>(stats.match[n]) / static_cast<double>(stats.output[n]);
    recall += static_cast<double>(stats.match[n]) / static_cast<double>(stats.reference[n]);
    ++orders;
  }
  if (orders == 0 || precision + recall == 0) return 0;
  precision /= orders;
  recall /= orders;
  return (1 + kBetaSquared) * precision * recall / (kBetaSquared * precision + recall);
}

std::unique_ptr<Scorer> make_chrf() { return std::make_unique<ChrfScorer>(); }
std::unique_ptr<CorpusScorer> make_corpus_chrf() { return std::make_unique<CorpusChrf>(); }

}  // namespace assay
