#include "answer/last_match.h"

#include <algorithm>
#include <charconv>

namespace assay {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || (c & 0x80) != 0;
}

bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

// What people and models put around a number without meaning anything by it.
bool is_dressing(char c) {
  return std::string_view(" \t\r\n*_#[](){}\"'`:=<>").find(c) != std::string_view::npos;
}

void skip_dressing(std::string_view& text) {
  while (!text.empty() && is_dressing(text.front())) text.remove_prefix(1);
}

void skip_word(std::string_view& text, std::string_view word) {
  if (text.size() > word.size() && same(text.substr(0, word.size()), word) &&
      !is_word(text[word.size()]))
    text.remove_prefix(word.size());
}

// The number at the beginning, where nothing numeric runs on behind it.
std::optional<double> number_at(std::string_view text) {
  double n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc()) return std::nullopt;
  std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (!rest.empty() && (is_word(rest[0]) || rest[0] == '%')) return std::nullopt;
  const bool runs_on = rest.size() > 1 &&
                       std::string_view(".,-").find(rest[0]) != std::string_view::npos &&
                       rest[1] >= '0' && rest[1] <= '9';
  return runs_on ? std::nullopt : std::optional(n);
}

}  // namespace

std::optional<double> last_number_after(std::string_view text, std::string_view label) {
  std::optional<double> last;
  for (std::size_t at = 0; at + label.size() <= text.size(); ++at) {
    if (!same(text.substr(at, label.size()), label)) continue;
    if (at > 0 && is_word(text[at - 1])) continue;
    std::string_view rest = text.substr(at + label.size());
    if (rest.empty() || is_word(rest.front())) continue;
    skip_dressing(rest);
    for (const char* filler : {"is", "of"}) {
      skip_word(rest, filler);
      skip_dressing(rest);
    }
    if (const auto n = number_at(rest)) last = n;
  }
  return last;
}

Named<bool> last_yes_no_lines(std::string_view text, const std::vector<std::string>& ids) {
  std::vector<std::optional<bool>> answers(ids.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && (is_dressing(line.front()) || line.front() == '-'))
      line.remove_prefix(1);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    std::string_view id = line.substr(0, colon);
    while (!id.empty() && is_dressing(id.back())) id.remove_suffix(1);
    std::string_view word = line.substr(colon + 1);
    while (!word.empty() && is_dressing(word.front())) word.remove_prefix(1);
    while (!word.empty() && (is_dressing(word.back()) || word.back() == '.')) word.remove_suffix(1);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!same(id, ids[i])) continue;
      if (same(word, "yes")) answers[i] = true;
      if (same(word, "no")) answers[i] = false;
    }
  }
  Named<bool> given;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (answers[i]) given.emplace_back(ids[i], *answers[i]);
  }
  return given;
}

}  // namespace assay
