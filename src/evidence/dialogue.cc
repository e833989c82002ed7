// A reply and what it replies to. Tested in tests/evidence/dialogue_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "evidence/kinds.h"

namespace assay {
namespace {

// The words of the last turn and of those before it: turns are lines.
struct Turns {
  std::span<const Word> last;
  std::span<const Word> earlier;
};

Turns turns_of(const Analysis& history) {
  const std::span<const Word> words = history.words;
  if (words.empty()) return {};
  const std::size_t line = std::string_view(history.text).rfind('\n', words.back().begin);
  if (line == std::string_view::npos) return {words, {}};
  const auto first = std::partition_point(words.begin(), words.end(),
                                          [&](const Word& w) { return w.begin < line; });
  const auto n = static_cast<std::size_t>(first - words.begin());
  return {words.subspan(n), words.first(n)};
}

// The distinct stems of what is neither grammar nor small talk.
std::vector<std::uint64_t> specific_stems(std::span<const Word> words) {
  std::vector<Word> specific;
  std::copy_if(words.begin(), words.end(), std::back_inserter(specific),
               [](const Word& word) { return !word.small_talk; });
  return content_stems(specific);
}

std::size_t taken_up(const EvidenceInput& in, std::span<const Word> turns) {
  return shared(specific_stems(in.output->words), specific_stems(turns));
}

}  // namespace

bool is_no_fact(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return true;
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin) == "_nofact";
}

Measured fact_use(const EvidenceInput& in) {
  if (in.fact == nullptr) return EvidenceResult{1, "no fact given", {}};
  const std::size_t n = shared(in.output->content, in.fact->content);
  EvidenceResult out{std::min(1.0, static_cast<double>(n) / 4), {}, {}};
  if (out.value < 1) out.note = fmt::format("takes {} of the fact's words", n);
  return out;
}

Measured content(const EvidenceInput& in) {
  const std::size_t n = in.output->content.size();
  EvidenceResult out{ramp(static_cast<double>(n), 0, 16), {}, {}};
  if (out.value < 0.5) out.note = fmt::format("has only {} content words", n);
  return out;
}

Measured on_topic(const EvidenceInput& in) {
  if (in.history == nullptr || in.history->words.empty()) return std::nullopt;
  const std::size_t n = taken_up(in, turns_of(*in.history).last);
  EvidenceResult out{std::min(1.0, static_cast<double>(n) / 2), {}, {}};
  if (n == 0) out.note = "takes up no word of the last turn";
  return out;
}

Measured earlier_turns(const EvidenceInput& in) {
  if (in.history == nullptr) return std::nullopt;
  const auto earlier = turns_of(*in.history).earlier;
  if (earlier.empty()) return std::nullopt;
  const std::size_t n = taken_up(in, earlier);
  EvidenceResult out{std::min(1.0, static_cast<double>(n) / 4), {}, {}};
  if (n == 0) out.note = "takes up no word of the earlier turns";
  return out;
}

// The share of the content words that are not small talk.
Measured not_generic(const EvidenceInput& in) {
  if (in.output->words.empty()) return std::nullopt;
  const auto all = static_cast<double>(in.output->content.size());
  const auto specific = static_cast<double>(specific_stems(in.output->words).size());
  EvidenceResult out{all == 0 ? 0 : specific / all, {}, {}};
  if (out.value < 0.5) out.note = "would fit almost anywhere";
  return out;
}

}  // namespace assay
