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

#include "metrics/ngrams.h"

namespace assay {
namespace {

constexpr double kTiny = 1e-15;  // nlg-eval's constants
constexpr double kSmall = 1e-9;

struct BleuText {
  std::uint64_t words = 0;
  NgramIds grams;
};

// How often each n-gram may count: its largest count in any of the references. Kept as a table by
// number, so that an output is counted in one pass without sorting. Thread-compatible.
class NgramLimits {
 public:
  void set(std::span<const BleuText* const> references) {
    for (std::uint32_t id : touched_) most_[id] = 0;
    touched_.clear();
    for (const BleuText* reference : references) {
      for (const auto& ids : reference->grams) raise(ids);
    }
  }

  std::uint64_t matches(std::span<const std::uint32_t> ids) {
    taken_.clear();
    for (std::uint32_t id : ids) {
      if (id >= most_.size() || most_[id] == 0) continue;
      --most_[id];
      taken_.push_back(id);
    }
    for (std::uint32_t id : taken_) ++most_[id];
    return taken_.size();
  }

 private:
  void raise(std::span<const std::uint32_t> ids) {
    for (std::uint32_t id : ids) {
      if (id >= most_.size()) {
        most_.resize(id + 1 + id / 2, 0);
        seen_.resize(most_.size(), 0);
      }
      if (++seen_[id] <= most_[id]) continue;
      if (most_[id]++ == 0) touched_.push_back(id);
    }
    for (std::uint32_t id : ids) seen_[id] = 0;
  }

  std::vector<std::uint32_t> most_;  // by number; 0 for n-grams of no reference, so for 0 too
  std::vector<std::uint32_t> seen_;  // all 0 between calls
  std::vector<std::uint32_t> touched_;
  std::vector<std::uint32_t> taken_;
};

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

// Turns texts into counts, and keeps what it finds out about references. Thread-compatible.
class BleuTexts {
 public:
  explicit BleuTexts(const BleuOptions& options) : options_(options) {}

  // Against all references at once.
  BleuStats stats(std::string_view output, std::span<const std::string> references) {
    // Rows of a group follow each other with the same references: then everything is ready.
    if (!std::equal(references.begin(), references.end(), last_.begin(), last_.end())) {
      start_row();
      for (const std::string& reference : references) ready_.push_back(&cached(reference));
      limits_.set(ready_);
      last_.assign(references.begin(), references.end());
    }
    return compare(look_up(output), ready_);
  }

  // Against each by itself.
  std::vector<BleuStats> each(std::string_view output, std::span<const std::string> references) {
    start_row();
    for (const std::string& reference : references) ready_.push_back(&cached(reference));
    const BleuText text = look_up(output);
    std::vector<BleuStats> result;
    for (const BleuText*& one : ready_) {
      limits_.set(std::span(&one, 1));
      result.push_back(compare(text, std::span(&one, 1)));
    }
    return result;
  }

 private:
  void start_row() {
    ready_.clear();
    last_.clear();
    limits_.set({});
    if (!cache_.trim()) return;
    vocabulary_.clear();
    table_.clear();
  }

  BleuStats compare(const BleuText& output, std::span<const BleuText* const> references) {
    BleuStats stats;
    stats.output_words = output.words;
    stats.reference_words = nearest_length(output.words, references);
    for (std::size_t n = 0; n < options_.order; ++n) {
      stats.total[n] = output.grams[n].size();
      stats.match[n] = limits_.matches(output.grams[n]);
    }
    return stats;
  }

  const BleuText& cached(const std::string& text) {
    return cache_.get(text, [&](std::string_view raw) {
      cut(raw, [&](std::string_view word) { return vocabulary_.id(word); });
      return BleuText{ids_.size(), table_.number(ids_, options_.order)};
    });
  }

  // What only the output has need not be numbered: it matches nothing.
  BleuText look_up(std::string_view raw) {
    cut(raw, [&](std::string_view word) { return vocabulary_.find(word); });
    return {ids_.size(), table_.look_up(ids_, options_.order)};
  }

  template <class Number>
  void cut(std::string_view raw, Number number) {
    ids_.clear();
    std::string spaced;
    if (options_.tokenize_13a && !options_.nlg_eval) raw = spaced = tokenize_13a(raw);
    for (std::string_view word : space_words(raw)) ids_.push_back(number(word));
  }

  BleuOptions options_;
  Vocabulary vocabulary_;
  NgramTable table_;
  TextCache<BleuText> cache_;
  std::vector<TokenId> ids_;
  std::vector<std::string> last_;  // the references `ready_` and `limits_` are of
  std::vector<const BleuText*> ready_;
  NgramLimits limits_;
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
