// How much of what matters is said: the source's words, those of its beginning counting more, and
// the references'. Tested in tests/evidence/coverage_test.cc.
#include <fmt/format.h>

#include <algorithm>

#include "evidence/kinds.h"

namespace assay {
namespace {

// ROUGE-1 F: clipped matches of stems.
double unigram_f(const Analysis& output, const Analysis& reference) {
  if (output.words.empty() || reference.words.empty()) return 0;
  const auto matches = static_cast<double>(shared(output.stems, reference.stems));
  return 2 * matches / static_cast<double>(output.stems.size() + reference.stems.size());
}

}  // namespace

// Coverage of the source's content words, each weighing 1/sqrt(1 + position).
Measured lead_coverage(const EvidenceInput& in) {
  if (in.source == nullptr || in.source->postings.empty()) return std::nullopt;
  const auto& said = in.output->content;
  double total = 0;
  double covered = 0;
  auto next = said.begin();
  for (std::size_t i = 0; i < in.source->content.size(); ++i) {  // both are sorted
    const std::uint64_t stem = in.source->content[i];
    total += in.source->lead[i];
    while (next != said.end() && *next < stem) ++next;
    if (next != said.end() && *next == stem) covered += in.source->lead[i];
  }
  EvidenceResult out{ramp(covered / total, 0.20, 0.62), {}, {}};
  if (out.value < 0.5) {
    out.note = fmt::format("takes up {:.0f}% of what the source opens with", 100 * covered / total);
  }
  return out;
}

Measured reference_unigrams(const EvidenceInput& in) {
  if (in.references.empty()) return std::nullopt;
  double sum = 0;
  for (const Analysis* reference : in.references) sum += unigram_f(*in.output, *reference);
  const double mean = sum / static_cast<double>(in.references.size());
  EvidenceResult out{ramp(mean, 0.23, 0.43), {}, {}};
  if (out.value < 0.5)
    out.note = fmt::format("shares few words with the references (F {:.2f})", mean);
  return out;
}

// Recall of the content words that two or more references have.
Measured reference_pyramid(const EvidenceInput& in) {
  if (in.references.size() < 2) return std::nullopt;
  std::vector<std::uint64_t> all;
  for (const Analysis* reference : in.references) {
    all.insert(all.end(), reference->content.begin(), reference->content.end());
  }
  std::sort(all.begin(), all.end());
  std::vector<std::uint64_t> agreed;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i] == all[i - 1] && (agreed.empty() || agreed.back() != all[i]))
      agreed.push_back(all[i]);
  }
  if (agreed.empty()) return std::nullopt;
  const std::size_t hit = shared(in.output->content, agreed);
  const double recall = static_cast<double>(hit) / static_cast<double>(agreed.size());
  EvidenceResult out{ramp(recall, 0.23, 0.76), {}, {}};
  if (out.value < 0.5) {
    out.note = fmt::format("says {} of the {} words that references agree on", hit, agreed.size());
  }
  return out;
}

}  // namespace assay
