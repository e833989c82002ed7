// DecompEval's named inputs, and the limit on a prompt's length. The longest prompt of a row is the
// last one: all subquestions with their answers stand in it. The documents are cut once, to what
// fits there, so that every prompt of the row still begins with the one before it. The question and
// the output are never cut.
//
// The judge's tokenizer is not known here: lengths are those of text/token_estimate.h.

#include <fmt/core.h>

#include <algorithm>

#include "methods/decompeval.h"
#include "text/fence.h"
#include "text/token_estimate.h"

namespace assay {
namespace {

std::size_t tokens_of(std::string_view text) {
  return static_cast<std::size_t>(estimate_tokens(text));
}

// A fence's tag is a hash of its text, so a cut changes it, and by a few tokens its length.
constexpr std::size_t kTagSlack = 16;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// How far a cut may move back to the end of a word. Not every script has spaces.
constexpr std::size_t kWord = 40;

// The most bytes of one end of the text that are no more than `tokens`.
template <class Piece>
std::size_t fitting(const std::string& text, std::size_t tokens, const Piece& piece) {
  std::size_t fits = 0;
  std::size_t too_long = text.size() + 1;
  while (too_long - fits > 1) {
    const std::size_t middle = fits + (too_long - fits) / 2;
    (tokens_of(piece(middle)) <= tokens ? fits : too_long) = middle;
  }
  return fits;
}

// At most `tokens` of the beginning: whole words where there are such, whole characters in any
// case.
std::string beginning(const std::string& text, std::size_t tokens) {
  const std::size_t size =
      fitting(text, tokens, [&](std::size_t n) { return std::string_view(text).substr(0, n); });
  const std::size_t least = size > kWord ? size - kWord : 0;
  std::size_t end = size;
  while (end > least && end < text.size() && !is_space(text[end])) --end;
  if (end == least) {
    end = size;
    while (end > 0 && end < text.size() && is_continuation(text[end])) --end;
  }
  while (end > 0 && is_space(text[end - 1])) --end;
  return text.substr(0, end);
}

std::string ending(const std::string& text, std::size_t tokens) {
  const std::size_t size = fitting(
      text, tokens, [&](std::size_t n) { return std::string_view(text).substr(text.size() - n); });
  const std::size_t from = text.size() - size;
  const std::size_t most = std::min(text.size(), from + kWord);
  std::size_t begin = from;
  while (begin > 0 && begin < most && !is_space(text[begin - 1])) ++begin;
  if (begin == most) {
    begin = from;
    while (begin < text.size() && is_continuation(text[begin])) ++begin;
  }
  while (begin < text.size() && is_space(text[begin])) ++begin;
  return text.substr(begin);
}

// The greatest length to which texts can be cut so that together they take no more than `room`.
std::size_t level_for(const Named<std::string>& texts, std::size_t room) {
  const auto taken = [&](std::size_t level) {
    std::size_t sum = 0;
    for (const auto& [field, text] : texts) sum += std::min(level, tokens_of(text));
    return sum;
  };
  std::size_t fits = 0;
  std::size_t too_long = room + 1;  // a single text may take all of it
  while (too_long - fits > 1) {
    const std::size_t middle = fits + (too_long - fits) / 2;
    (taken(middle) <= room ? fits : too_long) = middle;
  }
  return fits;
}

}  // namespace

DecompEval::Documents DecompEval::documents_of(const Sample& sample,
                                               const std::vector<Text>& texts) const {
  Documents documents;
  for (const Input& input : rubric_.decomp->inputs) {
    if (input.field == "output") continue;
    std::string text = field_text(sample, input.field);
    if (input.field == "references" && !options_.all_references &&
        !sample.fields.references.empty())
      text = sample.fields.references[0];
    if (text.empty() && input.required) {
      documents.failure = fmt::format("field \"{}\" is missing; decompeval needs it for {}",
                                      input.field, rubric_.id);
      return documents;
    }
    documents.texts.emplace_back(input.field, std::move(text));
  }
  if (options_.input_limit <= 0) return documents;
  const auto room = static_cast<std::size_t>(options_.input_limit);
  const std::size_t length = longest_prompt(documents, texts);
  if (length > room) cut(documents, length - room);
  return documents;
}

// In tokens, of all messages, with the longer of the two answers everywhere.
std::size_t DecompEval::longest_prompt(const Documents& documents,
                                       const std::vector<Text>& texts) const {
  std::size_t longest = 0;
  for (const Text& text : texts) {
    Chain chain{text, shown(documents, text), {}, {}};
    for (std::size_t step = 0; options_.subquestions && step < text.sentences.size(); ++step) {
      chain.answered += question(chain, step).tail + " " +
                        std::max(rubric_.yes, rubric_.no,
                                 [](const auto& a, const auto& b) { return a.size() < b.size(); });
    }
    std::size_t length = 0;
    for (const Message& message : messages_of(question(chain, text.sentences.size())))
      length += tokens_of(message.text);
    longest = std::max(longest, length);
  }
  return longest;
}

// The longest give first. A conversation loses its beginning, everything else its end.
void DecompEval::cut(Documents& documents, std::size_t over) const {
  std::size_t total = 0;
  for (const auto& [field, text] : documents.texts) total += tokens_of(text);
  if (total == 0) {
    documents.note = fmt::format(
        "the output and its questions take about {} tokens more than the limit of {}; they are "
        "never cut",
        over, options_.input_limit);
    return;
  }
  over += kTagSlack * documents.texts.size();
  const std::size_t level = total > over ? level_for(documents.texts, total - over) : 0;
  for (auto& [field, text] : documents.texts) {
    const std::size_t before = tokens_of(text);
    if (before <= level) continue;
    text = field == "history" ? ending(text, level) : beginning(text, level);
    if (text.empty()) {
      documents.failure = fmt::format(
          "the output and its questions leave no room for the {} within {} tokens; raise "
          "--input-limit",
          field, options_.input_limit);
      return;
    }
    documents.note +=
        fmt::format("{}{} cut from about {} to {} tokens", documents.note.empty() ? "" : "; ",
                    field, before, tokens_of(text));
  }
  documents.note += fmt::format(" to keep the prompt within {}", options_.input_limit);
}

std::string DecompEval::shown(const Documents& documents, const Text& text) const {
  std::string all;
  for (const Input& input : rubric_.decomp->inputs) {
    const std::string* document = find(documents.texts, input.field);
    const std::string& content = document != nullptr ? *document : text.whole.text;
    if (content.empty()) continue;
    if (!all.empty()) all += "\n\n";
    all += fence(input.shown, content);
  }
  return all;
}

}  // namespace assay
