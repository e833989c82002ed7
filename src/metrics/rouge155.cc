// ROUGE in the convention of the program ROUGE 1.5.5 with -m (stemming), which is behind most
// printed tables before 2020: C.-Y. Lin, "ROUGE: a package for automatic evaluation of summaries"
// (2004), and the program's own choices where the paper leaves room. Figures are rounded before
// they are averaged, because the program's are. Tested in tests/metrics/rouge_test.cc by
// hand-worked cases and in tests/metrics_expected against recorded scores of SummEval and QAGS,
// which give the published correlations.

#include "metrics/rouge155.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace assay {
namespace {

constexpr double kUnit = 1e5;
// Beyond this many table cells (a gigabyte of states) a row is left unscored rather than the
// machine hung.
constexpr double kMostCells = 8.6e9;

// To five decimals, half to even in the decimal expansion of the double, as printf rounds.
std::int64_t five_decimals(double value) {
  const double scaled = value * kUnit;
  const double down = std::floor(scaled);
  if (std::abs(scaled - down - 0.5) > 1e-6) return static_cast<std::int64_t>(std::llround(scaled));
  char text[32];
  std::snprintf(text, sizeof text, "%.5f", value);
  return std::llround(std::strtod(text, nullptr) * kUnit);
}

Rouge155 figures(std::uint64_t hits, std::uint64_t output, std::uint64_t reference) {
  const double p = output == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(output);
  const double r = reference == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(reference);
  const double f = hits == 0 ? 0 : p * r / (0.5 * p + 0.5 * r);
  return {five_decimals(p), five_decimals(r), five_decimals(f)};
}

// Splits at " ." and one following space.
std::vector<std::string_view> dotted_sentences(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t at = text.find(" ."); at != std::string_view::npos;
       at = text.find(" .", begin)) {
    parts.push_back(text.substr(begin, at - begin));
    begin = at + 2;
    if (begin < text.size() && text[begin] == ' ') ++begin;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

// What is left to be matched of each word, looked up in a sorted bag of the words themselves.
class Clip {
 public:
  explicit Clip(const Rouge155Text& text) {
    for (const auto& sentence : text.sentences)
      words_.insert(words_.end(), sentence.begin(), sentence.end());
    std::sort(words_.begin(), words_.end());
    taken_.assign(words_.size(), 0);
  }
  bool take(TokenId word) {
    const auto first = std::lower_bound(words_.begin(), words_.end(), word) - words_.begin();
    if (static_cast<std::size_t>(first) == words_.size() || words_[first] != word) return false;
    const std::size_t next = first + taken_[first];
    if (next >= words_.size() || words_[next] != word) return false;
    ++taken_[first];
    return true;
  }

 private:
  std::vector<TokenId> words_;
  std::vector<std::uint32_t> taken_;  // at the first place of each word
};

class Rouge155Scorer : public Scorer {
 public:
  Rouge155Scorer(RougeKind kind, Measure measure) : kind_(kind), measure_(measure) {}

  std::vector<Compared> each(std::string_view output,
                             std::span<const std::string> references) override {
    if (cache_.trim()) {
      vocabulary_.clear();
      table_.clear();
    }
    const Rouge155Text text = rouge155_text(output, vocabulary_, table_);
    std::vector<Compared> result;
    result.reserve(references.size());
    for (const std::string& reference : references) {
      const Rouge155Text& prepared = cache_.get(
          reference, [&](std::string_view raw) { return rouge155_text(raw, vocabulary_, table_); });
      result.push_back(compare(text, prepared));
    }
    return result;
  }

 private:
  Compared compare(const Rouge155Text& output, const Rouge155Text& reference) {
    const double cells = static_cast<double>(output.words) * static_cast<double>(reference.words);
    if (kind_ == RougeKind::kL && cells > kMostCells) return {std::nullopt, "too long for ROUGE-L"};
    const Rouge155 r = kind_ == RougeKind::kL   ? rouge155_l(output, reference, lcs_)
                       : kind_ == RougeKind::k1 ? rouge155_n(output, reference, 1)
                                                : rouge155_n(output, reference, 2);
    const std::int64_t figure = measure_ == Measure::kF           ? r.f
                                : measure_ == Measure::kPrecision ? r.precision
                                                                  : r.recall;
    return {figure / kUnit, fmt::format("precision {:.5f}, recall {:.5f}, f {:.5f}",
                                        r.precision / kUnit, r.recall / kUnit, r.f / kUnit)};
  }

  RougeKind kind_;
  Measure measure_;
  StemVocabulary vocabulary_{Porter::kRouge155};
  NgramTable table_;
  TextCache<Rouge155Text> cache_;
  Lcs lcs_;
};

}  // namespace

Rouge155Text rouge155_text(std::string_view text, StemVocabulary& vocabulary, NgramTable& table) {
  Rouge155Text result;
  std::vector<TokenId> all;
  std::string buffer;
  for (std::string_view sentence : dotted_sentences(text)) {
    std::vector<TokenId> ids;
    for (std::string_view word : alnum_words(sentence, buffer)) ids.push_back(vocabulary.id(word));
    if (ids.empty()) continue;
    all.insert(all.end(), ids.begin(), ids.end());
    result.sentences.push_back(std::move(ids));
  }
  result.words = all.size();
  result.bags = table.bags(all, 2);
  return result;
}

Rouge155 rouge155_n(const Rouge155Text& output, const Rouge155Text& reference, std::size_t n) {
  const NgramBag& a = output.bags[n - 1];
  const NgramBag& b = reference.bags[n - 1];
  return figures(overlap(a, b), a.total, b.total);
}

Rouge155 rouge155_l(const Rouge155Text& output, const Rouge155Text& reference, Lcs& lcs) {
  // Only the output's counts can run out: a word is marked at most as often as the reference has
  // it.
  Clip clip(output);
  std::uint64_t hits = 0;
  std::vector<char> marked;
  for (const auto& sentence : reference.sentences) {
    marked.assign(sentence.size(), 0);
    lcs.set(sentence);
    for (const auto& other : output.sentences) lcs.mark(other, marked);
    for (std::size_t i = 0; i < sentence.size(); ++i) {
      if (marked[i] && clip.take(sentence[i])) ++hits;
    }
  }
  return figures(hits, output.words, reference.words);
}

double rouge155_mean(std::span<const std::int64_t> figures) {
  if (figures.empty()) return 0;
  std::int64_t sum = 0;
  for (std::int64_t figure : figures) sum += figure;
  const auto n = static_cast<std::int64_t>(figures.size());
  std::int64_t billionths = sum * 10000 / n;
  const std::int64_t rest = sum * 10000 % n;
  if (2 * rest > n || (2 * rest == n && billionths % 2 == 1)) ++billionths;
  return static_cast<double>(billionths) / 1e9;
}

std::unique_ptr<Scorer> make_rouge155(RougeKind kind, Measure measure) {
  return std::make_unique<Rouge155Scorer>(kind, measure);
}

}  // namespace assay
