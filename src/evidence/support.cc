// Support by the source's wording: what a summary's sentence takes from its source, what it adds,
// and in which order. It is not truth: a true paraphrase scores low (docs/builtin-judge.md). Tested
// in tests/evidence/support_test.cc.
#include <fmt/format.h>

#include <algorithm>

#include "evidence/kinds.h"
#include "evidence/nearest.h"

namespace assay {
namespace {

constexpr double kNewNameOrNumber = 0.7;

bool is_fixed(const Word& word) { return word.name || word.kind == WordKind::kNumber; }

// What a sentence says that the source does not: shares of content words, and the new names and
// numbers.
struct Novelty {
  double weight = 0;
  double found = 0;
  std::vector<const Word*> fresh;  // names and numbers, each once
  int content = 0;
  int content_found = 0;

  double share() const { return weight == 0 ? 1 : found / weight; }
};

Novelty novelty_of(const WordRange& sentence, const Analysis& source) {
  Novelty out;
  for (const Word& word : sentence.words()) {
    if (word.kind == WordKind::kFunction) continue;
    const double weight = is_fixed(word) ? 2 : 1;
    const bool known = source.has_stem(word.stem);
    out.weight += weight;
    ++out.content;
    if (known) {
      out.found += weight;
      ++out.content_found;
    } else if (is_fixed(word) &&
               std::none_of(out.fresh.begin(), out.fresh.end(),
                            [&](const Word* w) { return w->stem == word.stem; })) {
      out.fresh.push_back(&word);
    }
  }
  return out;
}

std::string fresh_note(const Novelty& novelty, const Analysis& text) {
  std::string note;
  for (const Word* word : novelty.fresh) {
    if (!note.empty()) note += "; ";
    const std::string_view shown = text.word_text(*word);
    note += word->kind == WordKind::kNumber ? fmt::format("number {} is not in the source", shown)
                                            : fmt::format("new name \"{}\"", shown);
  }
  return note;
}

double power(double base, std::size_t n) {
  double out = 1;
  for (; n > 0; --n) out *= base;
  return out;
}

std::string support_note(const Novelty& novelty, const Carried& carried,
                         const WordRange& sentence) {
  std::string note = fresh_note(novelty, *sentence.text);
  if (note.empty() && novelty.content_found < novelty.content) {
    note = fmt::format("{} of {} content words are in the source", novelty.content_found,
                       novelty.content);
  }
  if (note.empty() && carried.share < 0.75) {
    note = fmt::format("no single source sentence carries it (best {:.2f})", carried.share);
  }
  return note;
}

void append(std::string& notes, const std::string& note) {
  if (note.empty()) return;
  if (!notes.empty()) notes += "; ";
  notes += note;
}

}  // namespace

// Share of content words in the source (names and numbers twice) × 0.7 for each new name or number
// × how well one source sentence carries it. A unit of several sentences has their mean.
Measured source_support(const EvidenceInput& in) {
  const auto sentences = sentences_of(in.unit);
  if (in.source == nullptr || sentences.empty()) return std::nullopt;
  EvidenceResult out;
  for (const WordRange& sentence : sentences) {
    const Novelty novelty = novelty_of(sentence, *in.source);
    const Carried carried = best_carrier(sentence, *in.source);
    const double carry = (bigram_coverage(sentence, *in.source) + carried.share) / 2;
    out.value += novelty.share() * power(kNewNameOrNumber, novelty.fresh.size()) * carry;
    append(out.note, support_note(novelty, carried, sentence));
    if (!out.nearest) out.nearest = carried.sentence;
  }
  out.value /= static_cast<double>(sentences.size());
  return out;
}

Measured names_and_numbers(const EvidenceInput& in) {
  const auto sentences = sentences_of(in.unit);
  if (in.source == nullptr || sentences.empty()) return std::nullopt;
  EvidenceResult out;
  for (const WordRange& sentence : sentences) {
    const Novelty novelty = novelty_of(sentence, *in.source);
    out.value += power(kNewNameOrNumber, novelty.fresh.size());
    append(out.note, fresh_note(novelty, *sentence.text));
  }
  out.value /= static_cast<double>(sentences.size());
  return out;
}

// Share of the unit's adjacent pairs whose second sentence comes one to three source sentences
// after the first's.
Measured source_order(const EvidenceInput& in) {
  const auto sentences = sentences_of(in.unit);
  if (in.source == nullptr || sentences.size() < 2) return std::nullopt;
  EvidenceResult out;
  std::optional<std::uint32_t> before;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const auto near = nearest_sentences(sentences[i], *in.source, 1);
    const auto here = near.empty() ? std::nullopt : std::optional(near[0]);
    if (i == 0) out.nearest = here;
    if (i > 0 && before && here && *here > *before && *here - *before <= 3) {
      out.value += 1;
    } else if (i > 0 && out.note.empty()) {
      out.note =
          !before || !here ? "one of the two is not from the source"
          : *here <= *before
              ? fmt::format("steps back from source sentence {} to {}", *before + 1, *here + 1)
              : fmt::format("jumps from source sentence {} to {}", *before + 1, *here + 1);
    }
    before = here;
  }
  out.value /= static_cast<double>(sentences.size() - 1);
  return out;
}

Measured weakest_support(const EvidenceInput& in) {
  const auto sentences = sentences_of(whole(*in.output));
  if (in.source == nullptr || sentences.empty()) return std::nullopt;
  double weakest = 1;
  const WordRange* worst = nullptr;
  for (const WordRange& sentence : sentences) {
    const double share = best_carrier(sentence, *in.source).share;
    if (share < weakest) {
      weakest = share;
      worst = &sentence;
    }
  }
  EvidenceResult out{ramp(weakest, 0.42, 1), {}, {}};
  if (worst != nullptr && out.value < 0.5) {
    out.note = fmt::format("sentence {} follows no sentence of the source",
                           in.output->words[worst->first].sentence + 1);
  }
  return out;
}

}  // namespace assay
