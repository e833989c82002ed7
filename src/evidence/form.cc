// The form of a text: repeats, cut-off ends, sentences that say the same. Parsers, spelling and
// small language models were tried for fluency and do not work (docs/builtin-judge.md). Tested in
// tests/evidence/form_test.cc.
#include <fmt/format.h>

#include <algorithm>

#include "evidence/kinds.h"
#include "evidence/nearest.h"

namespace assay {
namespace {

void append(std::string& notes, std::string_view note) {
  if (!notes.empty()) notes += "; ";
  notes += note;
}

// The same word twice with nothing but blanks between: "the the". Numbers may ("0 0" is a score).
const Word* immediate_repeat(const WordRange& sentence) {
  const auto words = sentence.words();
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].form != words[i - 1].form || words[i].kind == WordKind::kNumber) continue;
    const std::string_view text = sentence.text->text;
    const auto gap = text.substr(words[i - 1].end, words[i].begin - words[i - 1].end);
    if (gap.find_first_not_of(" \n") == std::string_view::npos) return &words[i];
  }
  return nullptr;
}

// The first word of the earliest trigram that was there before.
const Word* repeated_trigram(const WordRange& sentence) {
  const auto words = sentence.words();
  std::vector<std::pair<std::uint64_t, std::size_t>> seen;
  for (std::size_t i = 2; i < words.size(); ++i) {
    const auto pair = bigram_of(words[i - 2].form, words[i - 1].form);
    seen.emplace_back(bigram_of(pair, words[i].form), i - 2);
  }
  std::sort(seen.begin(), seen.end());
  std::size_t first = words.size();
  for (std::size_t i = 1; i < seen.size(); ++i) {
    if (seen[i].first == seen[i - 1].first) first = std::min(first, seen[i].second);
  }
  return first == words.size() ? nullptr : &words[first];
}

std::size_t repeated_content_words(const WordRange& sentence) {
  std::vector<std::uint64_t> stems;
  for (const Word& word : sentence.words()) {
    if (word.kind == WordKind::kContent) stems.push_back(word.stem);
  }
  std::sort(stems.begin(), stems.end());
  std::size_t repeated = 0;
  for (std::size_t i = 1; i < stems.size(); ++i) {
    if (stems[i] == stems[i - 1] && (i == 1 || stems[i - 2] != stems[i])) ++repeated;
  }
  return repeated;
}

// The sentence's own end is judged only where the range reaches it.
std::string_view cut_off(const WordRange& sentence) {
  const Word& last = sentence.words().back();
  const SentenceInfo& info = sentence.text->sentences[last.sentence];
  if (sentence.last != info.last) return {};
  if (last.open) return "ends on a function word";
  return info.closed ? std::string_view{} : "has no closing mark";
}

// How far the words are the source's: the mean of the share found anywhere in it and of the share
// that one of its sentences has in the same order.
double precision(const WordRange& sentence, const Analysis& source) {
  std::size_t found = 0;
  for (const Word& word : sentence.words()) found += source.has_stem(word.stem) ? 1 : 0;
  const double anywhere = static_cast<double>(found) / static_cast<double>(sentence.words().size());
  return (anywhere + best_carrier(sentence, source).share) / 2;
}

double form_of(const WordRange& sentence, const Analysis* source, std::string& notes) {
  double value = source == nullptr ? 1 : precision(sentence, *source);
  if (value < 0.8) append(notes, fmt::format("its wording is {:.0f}% the source's", 100 * value));
  if (const Word* word = immediate_repeat(sentence)) {
    value *= 0.5;
    const auto shown = sentence.text->word_text(*word);
    append(notes, fmt::format("repeats \"{} {}\"", shown, shown));
  }
  if (const Word* word = repeated_trigram(sentence)) {
    value *= 0.7;
    const auto shown =
        std::string_view(sentence.text->text).substr(word->begin, (word + 2)->end - word->begin);
    append(notes, fmt::format("repeats the phrase \"{}\"", shown));
  }
  if (const std::size_t n = repeated_content_words(sentence); n >= 2) {
    value *= 0.8;
    append(notes, fmt::format("{} content words occur twice", n));
  }
  if (const auto why = cut_off(sentence); !why.empty()) {
    value *= 0.8;
    append(notes, why);
  }
  return value;
}

Measured mean_form(const WordRange& unit, const Analysis* source) {
  const auto sentences = sentences_of(unit);
  if (sentences.empty()) return std::nullopt;
  EvidenceResult out;
  for (const WordRange& sentence : sentences) out.value += form_of(sentence, source, out.note);
  out.value /= static_cast<double>(sentences.size());
  return out;
}

double repeated_bigram_share(const Analysis& text) {
  std::size_t total = 0;
  for (const SentenceInfo& sentence : text.sentences) total += sentence.last - sentence.first - 1;
  if (total == 0) return 0;
  return 1 - static_cast<double>(text.bigrams.size()) / static_cast<double>(total);
}

struct Overlap {
  double share = 0;
  std::size_t first = 0;
  std::size_t second = 0;
};

// The two sentences that share most of the shorter one's content words.
Overlap largest_overlap(const Analysis& text) {
  constexpr std::size_t kMost = 60;  // pairs are quadratic; a summary or reply is far below
  std::vector<std::vector<std::uint64_t>> stems;
  for (const WordRange& sentence : sentences_of(whole(text))) {
    stems.push_back(content_stems(sentence.words()));
    if (stems.size() == kMost) break;
  }
  Overlap best;
  for (std::size_t i = 0; i < stems.size(); ++i) {
    for (std::size_t j = i + 1; j < stems.size(); ++j) {
      const auto shorter = std::min(stems[i].size(), stems[j].size());
      if (shorter == 0) continue;
      const double share =
          static_cast<double>(shared(stems[i], stems[j])) / static_cast<double>(shorter);
      if (share > best.share) best = {share, i + 1, j + 1};
    }
  }
  return best;
}

}  // namespace

Measured sentence_form(const EvidenceInput& in) { return mean_form(in.unit, in.source); }

Measured clean_form(const EvidenceInput& in) { return mean_form(in.unit, nullptr); }

Measured no_repeated_bigrams(const EvidenceInput& in) {
  if (in.output->words.empty()) return std::nullopt;
  const double share = repeated_bigram_share(*in.output);
  EvidenceResult out{1 - ramp(share, 0, 0.155), {}, {}};
  if (out.value < 0.5) out.note = fmt::format("{:.0f}% of its word pairs are repeats", 100 * share);
  return out;
}

Measured no_overlap(const EvidenceInput& in) {
  if (in.output->words.empty()) return std::nullopt;
  const Overlap overlap = largest_overlap(*in.output);
  EvidenceResult out{1 - ramp(overlap.share, 0, 0.75), {}, {}};
  if (out.value < 0.5) {
    out.note = fmt::format("sentences {} and {} say much the same", overlap.first, overlap.second);
  }
  return out;
}

Measured no_repetition(const EvidenceInput& in) { return no_repeated_bigrams(in); }

Measured type_token(const EvidenceInput& in) {
  if (in.output->words.empty()) return std::nullopt;
  std::vector<std::uint64_t> forms;
  for (const Word& word : in.output->words) forms.push_back(word.form);
  std::sort(forms.begin(), forms.end());
  const auto distinct = std::unique(forms.begin(), forms.end()) - forms.begin();
  const double ratio = static_cast<double>(distinct) / static_cast<double>(forms.size());
  EvidenceResult out{ramp(ratio, 0.6, 1), {}, {}};
  if (out.value < 0.5) out.note = fmt::format("only {} of {} words differ", distinct, forms.size());
  return out;
}

Measured short_turn(const EvidenceInput& in) {
  const std::size_t n = in.output->sentences.size();
  if (n == 0) return std::nullopt;
  if (n <= 3) return EvidenceResult{1, {}, {}};
  return EvidenceResult{3 / static_cast<double>(n), fmt::format("{} sentences in one turn", n), {}};
}

}  // namespace assay
