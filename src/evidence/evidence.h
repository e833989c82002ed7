#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/analysis.h"

namespace assay {

// Words [first, last) of an analysed text: a unit, or the part of it that lies in one sentence.
struct WordRange {
  const Analysis* text = nullptr;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::span<const Word> words() const {
    return std::span(text->words).subspan(first, last - first);
  }
};

// What evidence may look at. Absent texts are null (or no references); `unit` lies in the output,
// or, where the unit's wording is not the output's (a generated fact), in an analysis of its own.
struct EvidenceInput {
  const Analysis* output = nullptr;
  WordRange unit;
  const Analysis* source = nullptr;
  std::vector<const Analysis*> references;
  const Analysis* fact = nullptr;
  const Analysis* history = nullptr;  // turns separated by line breaks
};

struct EvidenceResult {
  double value = 0;                      // in [0,1]; 1 is good
  std::string note;                      // why it is less than 1; may be empty
  std::optional<std::uint32_t> nearest;  // the source sentence the unit was compared with
};

using Measure = std::optional<EvidenceResult> (*)(const EvidenceInput&);

// Which texts beside the output a kind of evidence reads, so that no other is taken apart for it.
enum Reads : unsigned {
  kReadsNothing = 0,
  kReadsSource = 1,
  kReadsReferences = 2,
  kReadsFact = 4,
  kReadsHistory = 8,
};

// One kind of evidence. Text-level evidence does not look at `unit`: it has one value for the
// whole output.
struct EvidenceKind {
  std::string_view name;
  bool text_level;
  Reads reads;
  Measure measure;
};

// All of them; null for a name that is none. Names and meanings: src/evidence/README.md.
std::span<const EvidenceKind> evidence_kinds();
const EvidenceKind* find_evidence(std::string_view name);
std::vector<std::string> evidence_names();

// Nothing where the evidence does not apply: no such name, or a text it needs is absent.
std::optional<EvidenceResult> measure(std::string_view name, const EvidenceInput& input);

// True for an empty fact and for the mark Topical-Chat's files have in its place ("_nofact").
bool is_no_fact(std::string_view text);

// --- What the kinds of evidence share. ---

// clip((x - a) / (b - a), 0, 1)
double ramp(double x, double a, double b);

// The unit cut at sentence boundaries, in order.
std::vector<WordRange> sentences_of(const WordRange& unit);
WordRange whole(const Analysis& text);

// The distinct stems of the content words and numbers, sorted.
std::vector<std::uint64_t> content_stems(std::span<const Word> words);
std::size_t shared(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b);

}  // namespace assay
