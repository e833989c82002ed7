// ROUGE in two conventions newer than the 1.5.5 program: the stemming one of today's Python
// packages and nlg-eval's. Both need only the length of the longest common subsequence, never which
// one it is. Tested in tests/metrics/rouge_test.cc, nlg-eval's also against recorded scores in
// tests/metrics_expected.

#include "metrics/rouge.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {
namespace {

constexpr double kNlgEvalBeta = 1.2;
// Beyond this many table cells a row is left unscored rather than the machine hung (some minutes).
constexpr double kMostCells = 1e12;

double pick(const Prf& r, Measure measure) {
  return measure == Measure::kF ? r.f : measure == Measure::kPrecision ? r.precision : r.recall;
}

Compared compared(const Prf& r, Measure measure) {
  return {pick(r, measure),
          fmt::format("precision {:.6g}, recall {:.6g}, f {:.6g}", r.precision, r.recall, r.f)};
}

bool too_long(std::size_t a, std::size_t b) {
  return static_cast<double>(a) * static_cast<double>(b) > kMostCells;
}

struct StemmedText {
  std::vector<TokenId> words;
  std::vector<NgramBag> bags;  // empty for ROUGE-L
};

class PorterScorer : public Scorer {
 public:
  PorterScorer(RougeKind kind, Measure measure) : kind_(kind), measure_(measure) {}

  std::vector<Compared> each(std::string_view output,
                             std::span<const std::string> references) override {
    if (cache_.trim()) {
      vocabulary_.clear();
      table_.clear();
    }
    const StemmedText text = prepare(output);
    if (kind_ == RougeKind::kL) lcs_.set(text.words);
    std::vector<Compared> result;
    result.reserve(references.size());
    for (const std::string& reference : references) {
      result.push_back(
          compare(text, cache_.get(reference, [&](std::string_view raw) { return prepare(raw); })));
    }
    return result;
  }

 private:
  StemmedText prepare(std::string_view raw) {
    StemmedText text;
    for (std::string_view word : alnum_words(raw, buffer_))
      text.words.push_back(vocabulary_.id(word));
    if (kind_ != RougeKind::kL) text.bags = table_.bags(text.words, kind_ == RougeKind::k1 ? 1 : 2);
    return text;
  }

  Compared compare(const StemmedText& output, const StemmedText& reference) {
    if (kind_ == RougeKind::kL) {
      if (too_long(output.words.size(), reference.words.size()))
        return {std::nullopt, "too long for ROUGE-L"};
      return compared(
          prf(lcs_.length(reference.words), output.words.size(), reference.words.size()), measure_);
    }
    const NgramBag& a = output.bags.back();
    const NgramBag& b = reference.bags.back();
    return compared(prf(overlap(a, b), a.total, b.total), measure_);
  }

  RougeKind kind_;
  Measure measure_;
  StemVocabulary vocabulary_{Porter::kCommon};
  NgramTable table_;
  TextCache<StemmedText> cache_;
  Lcs lcs_;
  std::string buffer_;
};

class NlgEvalScorer : public Scorer {
 public:
  explicit NlgEvalScorer(Measure measure) : measure_(measure) {}

  std::vector<Compared> each(std::string_view output,
                             std::span<const std::string> references) override {
    std::vector<Compared> result;
    for (const std::optional<Prf>& r : all(output, references)) {
      result.push_back(r ? compared(*r, measure_) : Compared{std::nullopt, "too long for ROUGE-L"});
    }
    return result;
  }

  bool has_joint() const override { return true; }

  Compared joint(std::string_view output, std::span<const std::string> references) override {
    Prf best;
    for (const std::optional<Prf>& r : all(output, references)) {
      if (!r) return {std::nullopt, "too long for ROUGE-L"};
      best.precision = std::max(best.precision, r->precision);
      best.recall = std::max(best.recall, r->recall);
    }
    best.f = f_measure(best.precision, best.recall, kNlgEvalBeta);
    return compared(best, measure_);
  }

 private:
  static double f_measure(double p, double r, double beta) {
    return p == 0 || r == 0 ? 0 : (1 + beta * beta) * p * r / (r + beta * beta * p);
  }

  std::vector<std::optional<Prf>> all(std::string_view output,
                                      std::span<const std::string> references) {
    if (cache_.trim()) vocabulary_.clear();
    const std::vector<TokenId> text = prepare(output);
    lcs_.set(text);
    std::vector<std::optional<Prf>> result;
    for (const std::string& reference : references) {
      const auto& words = cache_.get(reference, [&](std::string_view raw) { return prepare(raw); });
      if (too_long(text.size(), words.size())) {
        result.emplace_back();
      } else {
        result.push_back(prf(lcs_.length(words), text.size(), words.size(), kNlgEvalBeta));
      }
    }
    return result;
  }

  std::vector<TokenId> prepare(std::string_view raw) {
    std::vector<TokenId> ids;
    for (std::string_view word : space_words(raw)) ids.push_back(vocabulary_.id(word));
    return ids;
  }

  Measure measure_;
  Vocabulary vocabulary_;
  TextCache<std::vector<TokenId>> cache_;
  Lcs lcs_;
};

}  // namespace

Prf prf(std::size_t hits, std::size_t output, std::size_t reference, double beta) {
  if (hits == 0) return {};
  Prf r;
  r.precision = static_cast<double>(hits) / static_cast<double>(output);
  r.recall = static_cast<double>(hits) / static_cast<double>(reference);
  r.f = (1 + beta * beta) * r.precision * r.recall / (r.recall + beta * beta * r.precision);
  return r;
}

Compared Scorer::joint(std::string_view, std::span<const std::string>) {
  return {std::nullopt, "this metric compares with one reference at a time"};
}

std::unique_ptr<Scorer> make_rouge_porter(RougeKind kind, Measure measure) {
  return std::make_unique<PorterScorer>(kind, measure);
}

std::unique_ptr<Scorer> make_rouge_nlg_eval(Measure measure) {
  return std::make_unique<NlgEvalScorer>(measure);
}

}  // namespace assay
