// Every kind of evidence by name, and the few helpers they share.
#include <algorithm>
#include <array>

#include "evidence/kinds.h"

namespace assay {
namespace {

constexpr std::array<EvidenceKind, 19> kKinds = {{
    {"source-support", false, kReadsSource, source_support},
    {"names-and-numbers", false, kReadsSource, names_and_numbers},
    {"sentence-form", false, kReadsSource, sentence_form},
    {"clean-form", false, kReadsNothing, clean_form},
    {"source-order", false, kReadsSource, source_order},
    {"no-repeated-bigrams", true, kReadsNothing, no_repeated_bigrams},
    {"no-overlap", true, kReadsNothing, no_overlap},
    {"weakest-support", true, kReadsSource, weakest_support},
    {"lead-coverage", true, kReadsSource, lead_coverage},
    {"no-repetition", true, kReadsNothing, no_repetition},
    {"reference-unigrams", true, kReadsReferences, reference_unigrams},
    {"reference-pyramid", true, kReadsReferences, reference_pyramid},
    {"fact-use", true, kReadsFact, fact_use},
    {"content", true, kReadsNothing, content},
    {"on-topic", true, kReadsHistory, on_topic},
    {"earlier-turns", true, kReadsHistory, earlier_turns},
    {"not-generic", true, kReadsNothing, not_generic},
    {"type-token", true, kReadsNothing, type_token},
    {"short-turn", true, kReadsNothing, short_turn},
}};

}  // namespace

std::span<const EvidenceKind> evidence_kinds() { return kKinds; }

const EvidenceKind* find_evidence(std::string_view name) {
  const auto* found = std::find_if(kKinds.begin(), kKinds.end(),
                                   [&](const EvidenceKind& k) { return k.name == name; });
  return found == kKinds.end() ? nullptr : found;
}

std::vector<std::string> evidence_names() {
  std::vector<std::string> names;
  for (const EvidenceKind& kind : kKinds) names.emplace_back(kind.name);
  return names;
}

std::optional<EvidenceResult> measure(std::string_view name, const EvidenceInput& input) {
  const EvidenceKind* kind = find_evidence(name);
  return kind == nullptr ? std::nullopt : kind->measure(input);
}

double ramp(double x, double a, double b) { return std::clamp((x - a) / (b - a), 0.0, 1.0); }

std::vector<WordRange> sentences_of(const WordRange& unit) {
  std::vector<WordRange> out;
  for (std::uint32_t at = unit.first; at < unit.last;) {
    const std::uint32_t end =
        std::min(unit.last, unit.text->sentences[unit.text->words[at].sentence].last);
    out.push_back({unit.text, at, end});
    at = end;
  }
  return out;
}

WordRange whole(const Analysis& text) {
  return {&text, 0, static_cast<std::uint32_t>(text.words.size())};
}

std::vector<std::uint64_t> content_stems(std::span<const Word> words) {
  std::vector<std::uint64_t> stems;
  stems.reserve(words.size());
  for (const Word& word : words) {
    if (word.kind != WordKind::kFunction) stems.push_back(word.stem);
  }
  std::sort(stems.begin(), stems.end());
  stems.erase(std::unique(stems.begin(), stems.end()), stems.end());
  return stems;
}

std::size_t shared(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  std::size_t n = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) ++n;
    const bool left = *i <= *j;
    const bool right = *j <= *i;
    i += left;
    j += right;
  }
  return n;
}

}  // namespace assay
