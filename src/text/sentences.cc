// Sentence splitting in one pass over the text: the classes of UAX 29 (sentence terminal, lower
// case, closing mark) come from ICU's character properties; the decisions UAX 29 leaves open are
// made by the rules below. ICU's own break iterator is not used: its rules know no abbreviations,
// never break before a lower-case word, so they join tokenised text ("it ended . he left ."), and
// an iterator cannot be shared by threads. Tested in tests/text/sentences_test.cc.
#include "text/sentences.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <string>

#include "text/abbreviations.h"

namespace assay {
namespace {

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& sorted, std::string_view word) {
  return std::binary_search(sorted.begin(), sorted.end(), word);
}

bool is_ascii_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(UChar32 c) {
  return c < 0x80 ? c == ' ' || (c >= '\t' && c <= '\r') : u_isUWhiteSpace(c) != 0;
}
bool is_lower(UChar32 c) { return c < 0x80 ? c >= 'a' && c <= 'z' : u_islower(c) != 0; }
bool is_stop(UChar32 c) { return c == '.' || c == '!' || c == '?' || c == 0x2026; }
bool is_terminal(UChar32 c) {
  return is_stop(c) || (c >= 0x80 && u_hasBinaryProperty(c, UCHAR_S_TERM) != 0);
}
bool is_closing(UChar32 c) {
  if (c < 0x80) return c == ')' || c == ']' || c == '}' || c == '"' || c == '\'';
  const auto type = u_charType(c);
  return type == U_END_PUNCTUATION || type == U_FINAL_PUNCTUATION;
}
bool is_opening(UChar32 c) {
  if (c < 0x80) return c == '(' || c == '[' || c == '{' || c == '"' || c == '\'' || c == '`';
  const auto type = u_charType(c);
  return type == U_START_PUNCTUATION || type == U_INITIAL_PUNCTUATION;
}

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {
    caseless_ = std::none_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  }

  std::vector<TextRange> run() {
    while (at_ < text_.size()) {
      const std::size_t before = at_;
      const UChar32 c = next();
      if (c == '\n') {
        line_break(before);
      } else if (is_terminal(c)) {
        terminal(before, c);
      } else {
        quote(before, c);
      }
    }
    close(text_.size());
    return std::move(found_);
  }

 private:
  UChar32 next() {
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte < 0x80) {
      ++at_;
      return byte;
    }
    UChar32 c = 0;
    U8_NEXT(text_.data(), at_, text_.size(), c);
    return c < 0 ? 0xFFFD : c;
  }
  UChar32 peek(std::size_t at) const {
    if (at >= text_.size()) return 0;
    UChar32 c = 0;
    U8_NEXT(text_.data(), at, text_.size(), c);
    return c < 0 ? 0xFFFD : c;
  }
  std::size_t skip_space(std::size_t at) const {
    while (at < text_.size() && is_space(peek(at))) U8_FWD_1(text_.data(), at, text_.size());
    return at;
  }
  bool space_at(std::size_t at) const { return at >= text_.size() || is_space(peek(at)); }
  bool space_before(std::size_t at) const {
    return at == 0 || is_space(static_cast<unsigned char>(text_[at - 1]));
  }

  // Ends the current sentence at `end` and begins the next there; white space at both ends is left
  // out.
  void close(std::size_t end) {
    std::size_t begin = std::min(skip_space(begin_), end);
    std::size_t last = end;
    while (last > begin) {
      std::size_t prior = last - 1;  // to the first byte of the code point
      while (prior > begin && U8_IS_TRAIL(text_[prior])) --prior;
      if (!is_space(peek(prior))) break;
      last = prior;
    }
    if (last > begin) found_.push_back({begin, last});
    begin_ = end;
    open_ = false;
  }

  // Quotes that stand alone between blanks are opening or closing by turns.
  void quote(std::size_t at, UChar32 c) {
    if (c == '`') open_ = true;
    if (c != '"' && c != '\'') return;
    if (space_before(at) && space_at(at_)) {
      open_ = !open_;
    } else if (space_before(at) && is_ascii_alpha(text_[at_])) {
      open_ = c == '"' || !contraction(at_);
    } else if (c == '"' && space_at(at_)) {
      open_ = false;
    }
  }
  // Tokenised "he 's", "they 'll".
  bool contraction(std::size_t at) const {
    const std::string_view rest = word_after(at);
    return rest == "s" || rest == "m" || rest == "d" || rest == "ll" || rest == "re" ||
           rest == "ve" || rest == "t";
  }

  // A blank line ends a sentence; so does one line break before a list item, or after a line too
  // short to have been wrapped when a capital follows.
  void line_break(std::size_t at) {
    const std::size_t following = skip_space(at_);
    const auto gap = text_.substr(at_, following - at_);
    const std::size_t prior = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
    const std::size_t line = prior == std::string_view::npos ? 0 : prior + 1;
    const bool list = list_item(following);
    const UChar32 c = peek(following);
    const bool heading = at - line < 60 && !is_lower(c);
    if (gap.find('\n') != std::string_view::npos || list || heading) close(at);
    at_ = following;
  }
  bool list_item(std::size_t at) const {
    const UChar32 c = peek(at);
    if (c == '-' || c == '*' || c == 0x2022 || c == 0x2013)
      return space_at(at + (c < 0x80 ? 1 : 3));
    std::size_t end = at;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    return end > at && end - at < 3 && end < text_.size() &&
           (text_[end] == '.' || text_[end] == ')') && space_at(end + 1);
  }

  void terminal(std::size_t begin, UChar32 c) {
    if (!is_stop(c)) {  // a full stop of another script ends a sentence whatever follows
      closers();
      close(at_);
      return;
    }
    int stops = c == 0x2026 ? 3 : 1;
    bool strong = c == '!' || c == '?';
    stops += more_stops(strong);
    const std::size_t after = at_;
    const bool closed = closers();
    if (!space_at(at_)) {
      at_ = after;
      return;
    }
    const bool tokenised = space_before(begin) && begin > begin_;
    const bool ends = strong      ? strong_ends(tokenised, closed)
                      : stops > 1 ? ellipsis_ends()
                                  : full_stop_ends(begin, tokenised);
    if (ends) close(at_);
  }

  // Takes "...", "?!" and the tokenised ". . ."; says how many more stops there were.
  int more_stops(bool& strong) {
    int n = 0;
    while (at_ < text_.size()) {
      const std::size_t here = at_;
      if (n < 8 && text_[at_] == ' ' && is_stop(peek(at_ + 1))) ++at_;
      const UChar32 c = at_ < text_.size() ? peek(at_) : 0;
      if (!is_stop(c)) {
        at_ = here;
        break;
      }
      strong = strong || c == '!' || c == '?';
      next();
      ++n;
    }
    return n;
  }

  // Takes closing quotes and brackets, also those a tokeniser set apart; true when there was one.
  bool closers() {
    const std::size_t start = at_;
    while (at_ < text_.size()) {
      if (is_closing(peek(at_))) {
        next();
        continue;
      }
      const std::size_t apart = at_ + 1;
      if (text_[at_] != ' ' || apart >= text_.size()) break;
      const UChar32 c = peek(apart);
      if (!is_closing(c)) break;
      const bool twice = text_.substr(apart, 2) == "''";
      const std::size_t end = apart + (c < 0x80 ? (twice ? 2 : 1) : 3);
      if (!space_at(end)) break;
      if ((c == '"' || c == '\'') && !twice && !open_) break;
      at_ = std::min(end, text_.size());
      open_ = false;
    }
    return at_ > start;
  }

  // The first character of what follows, behind blanks and opening marks; 0 at the end.
  UChar32 following() const {
    std::size_t at = skip_space(at_);
    while (at < text_.size() && (is_opening(peek(at)) || is_space(peek(at)))) {
      U8_FWD_1(text_.data(), at, text_.size());
    }
    return peek(at);
  }
  std::string_view word_after(std::size_t at) const {
    std::size_t end = at;
    while (end < text_.size() && is_ascii_alpha(text_[end])) ++end;
    return text_.substr(at, end - at);
  }
  std::string next_word() const {
    std::string word(word_after(skip_space(at_)));
    for (char& c : word) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return word;
  }
  // The word that ends at `end`, lower case, inner full stops kept ("u.s", "e.g").
  std::string word_before(std::size_t end) const {
    std::size_t begin = end;
    while (begin > begin_ && (is_ascii_alpha(text_[begin - 1]) || is_digit(text_[begin - 1]) ||
                              text_[begin - 1] == '.')) {
      --begin;
    }
    std::string word(text_.substr(begin, end - begin));
    for (char& c : word) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return word;
  }

  bool strong_ends(bool tokenised, bool closed) const {
    return caseless_ || !is_lower(following()) || (tokenised && !closed);
  }
  bool ellipsis_ends() const { return !is_lower(following()); }

  bool full_stop_ends(std::size_t at, bool tokenised) const {
    const UChar32 after = following();
    if (after == 0) return true;
    std::size_t end = at;
    while (tokenised && end > begin_ && text_[end - 1] == ' ') --end;
    const std::string word = word_before(end);
    const bool starter = contains(kStarters, next_word());
    const bool dotted = word.find('.') != std::string::npos && !is_digit(word[0]);
    if (tokenised) {  // "u.s . city", "aug . 26" are one; anything else ends
      if (dotted) return starter;
      return !(contains(kAbbreviations, word) && after < 0x80 &&
               is_digit(static_cast<char>(after)));
    }
    if (is_lower(after) && !caseless_) return false;
    if (contains(kTitles, word)) return false;
    const bool initial = word.size() == 1 && is_ascii_alpha(word[0]) && word != "i";
    if (initial || dotted || contains(kAbbreviations, word))
      return starter && !(initial && after == 'A');
    return !numbering(word, end);
  }
  // "1. First item" at the start of a sentence or line.
  bool numbering(std::string_view word, std::size_t end) const {
    if (word.empty() || word.size() > 2) return false;
    if (!std::all_of(word.begin(), word.end(), is_digit)) return false;
    return end - word.size() <= skip_space(begin_);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;  // of the current sentence
  bool caseless_ = false;  // no capitals at all: lower case then says nothing
  bool open_ = false;      // inside a quotation of the current sentence
  std::vector<TextRange> found_;
};

}  // namespace

std::vector<TextRange> split_sentences(std::string_view text) { return Splitter(text).run(); }

}  // namespace assay
