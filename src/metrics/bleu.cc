// BLEU: Papineni, Roukos, Ward and Zhu (2002), in two conventions.
//  standard: M. Post, "A call for clarity in reporting BLEU scores" (2018): 13a tokens, case kept,
//  nearest
//            reference length, smoothing by name ("exp": the k-th zero counts 1/2^k), for a single
//            text only the orders it has.
//  nlg-eval: white-space tokens, (match + 1e-15) / (total + 1e-9) at every order, no other
//  smoothing.
// Tested in tests/metrics/bleu_test.cc, nlg-eval's also against recorded scores in
// tests/metrics_expected.

#include "metrics/bleu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double kTiny = 1e-15;  // nlg-eval's constants
constexpr double kSmall = 1e-9;

// Turns texts into bags, and keeps those of references. Thread-compatible.
class BleuTexts {
 public:
  explicit BleuTexts(const BleuOptions& options) : options_(options) {}

  BleuStats stats(std::string_view output, std::span<const std::string> references) {
    start_row();
    const BleuText text = prepare(output);
    pointers_.clear();
    for (const std::string& reference : references) pointers_.push_back(&cached(reference));
    return bleu_stats(text, pointers_, options_.order);
  }

  std::vector<BleuStats> each(std::string_view output, std::span<const std::string> references) {
    start_row();
    const BleuText text = prepare(output);
    std::vector<BleuStats> result;
    for (const std::string& reference : references) {
      const BleuText* one = &cached(reference);
      result.push_back(bleu_stats(text, std::span(&one, 1), options_.order));
    }
    return result;
  }

 private:
  void start_row() {
    if (!cache_.trim()) return;
    vocabulary_.clear();
    table_.clear();
  }

  const BleuText& cached(const std::string& text) {
    return cache_.get(text, [&](std::string_view raw) { return prepare(raw); });
  }

  BleuText prepare(std::string_view raw) {
    if (options_.tokenize_13a && !options_.nlg_eval) {
      const std::string spaced = tokenize_13a(raw);
      return number(space_words(spaced));
    }
    return number(space_words(raw));
  }

  BleuText number(const std::vector<std::string_view>& words) {
    ids_.clear();
    for (std::string_view word : words) ids_.push_back(vocabulary_.id(word));
    return {ids_.size(), table_.bags(ids_, options_.order)};
  }

  BleuOptions options_;
  Vocabulary vocabulary_;
  NgramTable table_;
  TextCache<BleuText> cache_;
  std::vector<TokenId> ids_;
  std::vector<const BleuText*> pointers_;
};

std::string describe(const BleuStats& stats, std::size_t order) {
  std::string note = "matches";
  for (std::size_t n = 0; n < order; ++n) {
    note += fmt::format(" {}/{}", stats.match[n], stats.total[n]);
  }
  return note + fmt::format(", words {} against {}", stats.output_words, stats.reference_words);
}

Compared scored(const BleuStats& stats, const BleuOptions& options, bool effective_order) {
  const double value = options.nlg_eval ? bleu_nlg_eval(stats, options.order)
                                        : bleu_score(stats, options, effective_order);
  return {value, describe(stats, options.order)};
}

class BleuScorer : public Scorer {
 public:
  explicit BleuScorer(const BleuOptions& options) : options_(options), texts_(options) {}

  std::vector<Compared> each(std::string_view output,
                             std::span<const std::string> references) override {
    std::vector<Compared> result;
    for (const BleuStats& stats : texts_.each(output, references)) {
      result.push_back(scored(stats, options_, true));
    }
    return result;
  }
  bool has_joint() const override { return true; }
  Compared joint(std::string_view output, std::span<const std::string> references) override {
    return scored(texts_.stats(output, references), options_, true);
  }

 private:
  BleuOptions options_;
  BleuTexts texts_;
};

class CorpusBleu : public CorpusScorer {
 public:
  explicit CorpusBleu(const BleuOptions& options) : options_(options), texts_(options) {}

  void add(std::size_t system, std::string_view output,
           std::span<const std::string> references) override {
    sum_of(system) += texts_.stats(output, references);
  }
  void merge(const CorpusScorer& other) override {
    const auto& sums = dynamic_cast<const CorpusBleu&>(other).sums_;
    for (std::size_t system = 0; system < sums.size(); ++system) sum_of(system) += sums[system];
  }
  Compared score(std::size_t system) const override {
    return scored(system < sums_.size() ? sums_[system] : BleuStats{}, options_, false);
  }

 private:
  BleuStats& sum_of(std::size_t system) {
    if (system >= sums_.size()) sums_.resize(system + 1);
    return sums_[system];
  }

  BleuOptions options_;
  BleuTexts texts_;
  std::vector<BleuStats> sums_;  // by system
};

// The number of times the n-gram stands in the bag; `at` moves forward through the sorted counts.
std::uint32_t count_in(const NgramBag& bag, std::uint32_t id, std::size_t& at) {
  while (at < bag.counts.size() && bag.counts[at].id < id) ++at;
  return at < bag.counts.size() && bag.counts[at].id == id ? bag.counts[at].count : 0;
}

std::uint64_t clipped(const NgramBag& output, std::span<const BleuText* const> references,
                      std::size_t n) {
  if (references.size() == 1) return overlap(output, references[0]->bags[n]);
  std::vector<std::size_t> at(references.size(), 0);
  std::uint64_t sum = 0;
  for (const NgramCount& gram : output.counts) {
    std::uint32_t most = 0;
    for (std::size_t r = 0; r < references.size(); ++r) {
      most = std::max(most, count_in(references[r]->bags[n], gram.id, at[r]));
    }
    sum += std::min(most, gram.count);
  }
  return sum;
}

std::uint64_t nearest_length(std::uint64_t words, std::span<const BleuText* const> references) {
  std::uint64_t best = 0;
  std::uint64_t best_gap = ~std::uint64_t{0};
  for (const BleuText* reference : references) {
    const std::uint64_t n = reference->words;
    const std::uint64_t gap = n > words ? n - words : words - n;
    if (gap < best_gap || (gap == best_gap && n < best)) {
      best = n;
      best_gap = gap;
    }
  }
  return best;
}

}  // namespace

BleuStats& BleuStats::operator+=(const BleuStats& other) {
  for (std::size_t n = 0; n < kMaxBleu; ++n) {
    match[n] += other.match[n];
    total[n] += other.total[n];
  }
  output_words += other.output_words;
  reference_words += other.reference_words;
  return *this;
}

BleuStats bleu_stats(const BleuText& output, std::span<const BleuText* const> references,
                     std::size_t order) {
  BleuStats stats;
  stats.output_words = output.words;
  stats.reference_words = nearest_length(output.words, references);
  for (std::size_t n = 0; n < order; ++n) {
    stats.total[n] = output.bags[n].total;
    stats.match[n] = clipped(output.bags[n], references, n);
  }
  return stats;
}

double bleu_score(const BleuStats& stats, const BleuOptions& options, bool effective_order) {
  const bool none =
      std::all_of(stats.match.begin(), stats.match.end(), [](auto m) { return m == 0; });
  if (none || stats.output_words == 0) return 0;
  double logs = 0;
  double zero = 1;
  std::size_t orders = options.order;
  for (std::size_t n = 0; n < options.order; ++n) {
    const double added = options.smooth == Smooth::kAddK && n > 0 ? options.smooth_value : 0;
    const double total = static_cast<double>(stats.total[n]) + added;
    double match = static_cast<double>(stats.match[n]) + added;
    if (total == 0) {
      if (!effective_order) return 0;
      orders = n;
      break;
    }
    if (match == 0) {
      if (options.smooth == Smooth::kNone || options.smooth == Smooth::kAddK) return 0;
      match = options.smooth == Smooth::kExp ? 1 / (zero *= 2) : options.smooth_value;
    }
    logs += std::log(match / total);
  }
  const auto words = static_cast<double>(stats.output_words);
  const auto wanted = static_cast<double>(stats.reference_words);
  const double brevity = words < wanted ? std::exp(1 - wanted / words) : 1;
  return brevity * std::exp(logs / static_cast<double>(orders));
}

double bleu_nlg_eval(const BleuStats& stats, std::size_t order) {
  double product = 1;
  for (std::size_t n = 0; n < order; ++n) {
    product *= (static_cast<double>(stats.match[n]) + kTiny) /
               (static_cast<double>(stats.total[n]) + kSmall);
  }
  double bleu = std::pow(product, 1.0 / static_cast<double>(order));
  const double ratio = (static_cast<double>(stats.output_words) + kTiny) /
                       (static_cast<double>(stats.reference_words) + kSmall);
  if (ratio < 1) bleu *= std::exp(1 - 1 / ratio);
  return bleu;
}

std::unique_ptr<Scorer> make_bleu(const BleuOptions& options) {
  return std::make_unique<BleuScorer>(options);
}

std::unique_ptr<CorpusScorer> make_corpus_bleu(const BleuOptions& options) {
  return std::make_unique<CorpusBleu>(options);
}

}  // namespace assay
