// How each convention cuts text into tokens. The rules are those of the programs behind published
// figures, so that figures compare; docs/metrics.md states them. Tested in
// tests/metrics/tokens_test.cc.

#include "metrics/tokens.h"

#include "text/words.h"

namespace assay {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alnum(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c); }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
unsigned byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

// The length in bytes of the white space at `i`; 0 where there is none.
std::size_t space_at(std::string_view text, std::size_t i) {
  const unsigned c = byte_at(text, i);
  if (c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1c && c <= 0x1f)) return 1;
  if (c < 0x80) return 0;
  const unsigned d = byte_at(text, i + 1);
  const unsigned e = byte_at(text, i + 2);
  if (c == 0xc2) return d == 0x85 || d == 0xa0 ? 2 : 0;  // next line, no-break space
  const unsigned point = (c & 15) << 12 | (d & 63) << 6 | (e & 63);
  if (c < 0xe1 || c > 0xe3) return 0;
  const bool space = point == 0x1680 || (point >= 0x2000 && point <= 0x200a) || point == 0x2028 ||
                     point == 0x2029 || point == 0x202f || point == 0x205f || point == 0x3000;
  return space ? 3 : 0;
}

// What 13a puts spaces around wherever it stands: all ASCII punctuation but ' , - .
bool splits_always(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
         (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}
bool is_point(char c) { return c == '.' || c == ','; }

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::size_t at = text.find(from);
  if (at == std::string::npos) return;
  std::string out;
  std::size_t done = 0;
  for (; at != std::string::npos; at = text.find(from, done)) {
    out.append(text, done, at - done).append(to);
    done = at + from.size();
  }
  text = out.append(text, done);
}

// The mark-up that 13a takes out before it splits.
std::string plain_line(std::string_view text) {
  std::string line(text);
  replace_all(line, "<skipped>", "");
  replace_all(line, "-\n", "");
  replace_all(line, "\n", " ");
  if (line.find('&') != std::string::npos) {
    replace_all(line, "&quot;", "\"");
    replace_all(line, "&amp;", "&");
    replace_all(line, "&lt;", "<");
    replace_all(line, "&gt;", ">");
  }
  return ' ' + line + ' ';
}

// One left-to-right pass over pairs of characters, which are consumed when they match, like a
// global regular-expression substitution of "(a)(b)" by "\1`glue`\2`end`" with a leading `start`.
template <class Matches>
std::string split_pairs(const std::string& line, std::string_view start, std::string_view end,
                        Matches matches) {
  std::string out;
  out.reserve(line.size() + line.size() / 8);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i + 1 < line.size() && matches(line[i], line[i + 1])) {
      out.append(start).push_back(line[i]);
      out.push_back(' ');
      out.push_back(line[++i]);
      out.append(end);
    } else {
      out.push_back(line[i]);
    }
  }
  return out;
}

}  // namespace

std::vector<std::string_view> alnum_words(std::string_view text, std::string& buffer) {
  buffer.assign(text);
  for (char& c : buffer) c = lower(c);
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= buffer.size(); ++i) {
    if (i < buffer.size() && is_alnum(buffer[i])) continue;
    if (i > begin) words.push_back(std::string_view(buffer).substr(begin, i - begin));
    begin = i + 1;
  }
  return words;
}

std::vector<std::string_view> space_words(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size();) {
    const std::size_t width = i < text.size() ? space_at(text, i) : 1;
    if (width == 0) {
      ++i;
      continue;
    }
    if (i > begin) words.push_back(text.substr(begin, i - begin));
    i += width;
    begin = i;
  }
  return words;
}

std::string tokenize_13a(std::string_view text) {
  std::string spaced;
  for (char c : plain_line(text)) {
    if (splits_always(c)) {
      spaced.append(1, ' ').append(1, c).append(1, ' ');
    } else {
      spaced.push_back(c);
    }
  }
  // A point or comma is split off unless digits stand on both sides; a dash after a digit is split
  // off.
  spaced = split_pairs(spaced, "", " ", [](char a, char b) { return !is_digit(a) && is_point(b); });
  spaced = split_pairs(spaced, " ", "", [](char a, char b) { return is_point(a) && !is_digit(b); });
  return split_pairs(spaced, "", " ", [](char a, char b) { return is_digit(a) && b == '-'; });
}

void Vocabulary::clear() {
  slots_.assign(1024, Slot{});
  characters_.clear();
  begins_.assign(1, 0);
}

std::size_t Vocabulary::place(std::string_view token, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at].id != kUnknown; at = (at + 1) & mask) {
    if (slots_[at].hash != hash) continue;
    const std::size_t begin = begins_[slots_[at].id];
    const std::size_t end = begins_[slots_[at].id + 1];
    if (std::string_view(characters_).substr(begin, end - begin) == token) break;
  }
  return at;
}

TokenId Vocabulary::find(std::string_view token) const {
  return slots_[place(token, static_cast<std::uint32_t>(word_hash(token)))].id;
}

TokenId Vocabulary::id(std::string_view token) {
  const auto hash = static_cast<std::uint32_t>(word_hash(token));
  Slot& slot = slots_[place(token, hash)];
  if (slot.id != kUnknown) return slot.id;
  const auto next = static_cast<TokenId>(size());
  slot = {hash, next};
  characters_.append(token);
  begins_.push_back(characters_.size());
  if (size() * 2 > slots_.size()) grow();
  return next;
}

void Vocabulary::grow() {
  std::vector<Slot> old(slots_.size() * 4);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == kUnknown) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].id != kUnknown) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

TokenId StemVocabulary::id(std::string_view token) {
  const TokenId raw = tokens_.id(token);
  if (raw == stem_of_.size()) {
    stem_of_.push_back(token.size() > 3 ? stems_.id(porter_stem(token, variant_))
                                        : stems_.id(token));
  }
  return stem_of_[raw];
}

void StemVocabulary::clear() {
  tokens_.clear();
  stems_.clear();
  stem_of_.clear();
}

}  // namespace assay
