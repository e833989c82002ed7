// Splits a text into words in one pass. The conventions are those of the Penn treebank as far as
// the benchmarks use them, so that a raw text and its tokenised form compare equal. Tested in
// tests/text/words_test.cc.
#include "text/words.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <array>

namespace assay {
namespace {

constexpr std::string_view kCurly = "\u2019";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class WordScanner {
 public:
  explicit WordScanner(std::string_view text) : text_(text) { found_.reserve(text.size() / 5 + 4); }

  std::vector<TextRange> run() {
    while (at_ < text_.size()) {
      const std::size_t clitic = clitic_at(at_);
      if (clitic > 0) {
        add(at_, at_ + clitic);
      } else if (is_digit(text_[at_])) {
        number();
      } else if (const std::size_t size = alnum(at_); size > 0) {
        word();
      } else {
        U8_FWD_1(text_.data(), at_, text_.size());
      }
    }
    return std::move(found_);
  }

 private:
  // The size of the letter or digit at `at`; 0 for anything else.
  std::size_t alnum(std::size_t at) const {
    if (at >= text_.size()) return 0;
    const char c = text_[at];
    if (static_cast<unsigned char>(c) < 0x80) return is_letter(c) || is_digit(c) ? 1 : 0;
    std::size_t next = at;
    UChar32 point = 0;
    U8_NEXT(text_.data(), next, text_.size(), point);
    if (point < 0) return 0;
    const bool part = u_isalnum(point) || (U_GET_GC_MASK(point) & U_GC_M_MASK) != 0;
    return part ? next - at : 0;
  }
  std::size_t apostrophe(std::size_t at) const {
    if (at >= text_.size()) return 0;
    if (text_[at] == '\'') return 1;
    return text_.substr(at, kCurly.size()) == kCurly ? kCurly.size() : 0;
  }
  // The size of "'s", "'ll", ... at `at`, when nothing follows it; 0 otherwise.
  std::size_t clitic_at(std::size_t at) const {
    const std::size_t mark = apostrophe(at);
    if (mark == 0) return 0;
    std::size_t end = at + mark;
    while (end < text_.size() && end < at + mark + 3 && is_letter(text_[end])) ++end;
    std::array<char, 3> letters{};
    for (std::size_t i = at + mark; i < end; ++i)
      letters[i - at - mark] = static_cast<char>(text_[i] | 0x20);
    const std::string_view rest(letters.data(), end - at - mark);
    const bool known = rest == "s" || rest == "t" || rest == "m" || rest == "d" || rest == "ll" ||
                       rest == "re" || rest == "ve";
    return known && alnum(end) == 0 ? end - at : 0;
  }

  void word() {
    const std::size_t begin = at_;
    std::size_t letters = 0;  // since the last full stop
    std::size_t end = at_;
    while (true) {
      if (const std::size_t size = alnum(end); size > 0) {
        end += size;
        ++letters;
      } else if (end < text_.size() && text_[end] == '.' && letters == 1 &&
                 single_letter(end + 1)) {
        ++end;  // "u.s"
        letters = 0;
      } else if (const std::size_t mark = apostrophe(end);
                 mark > 0 && clitic_at(end) == 0 && alnum(end + mark) > 0) {
        end += mark;  // "o'brien"
      } else {
        break;
      }
    }
    const std::size_t clitic = clitic_at(end);
    const bool negated =
        clitic > 0 && (text_[end + clitic - 1] | 0x20) == 't' && (text_[end - 1] | 0x20) == 'n';
    if (!negated) return add(begin, end);
    if (end - 1 > begin) add(begin, end - 1);
    add(end - 1, end + clitic);
  }
  bool single_letter(std::size_t at) const {
    return at < text_.size() && is_letter(text_[at]) && alnum(at + 1) == 0;
  }

  bool digits(std::size_t at, std::size_t n) const {
    if (at + n > text_.size()) return false;
    for (std::size_t i = at; i < at + n; ++i) {
      if (!is_digit(text_[i])) return false;
    }
    return alnum(at + n) == 0;
  }
  void number() {
    const std::size_t begin = at_;
    std::size_t end = at_;
    while (true) {
      while (end < text_.size() && is_digit(text_[end])) ++end;
      if (end >= text_.size()) break;
      const bool mark = text_[end] == '.' || text_[end] == ',';
      if (mark && end + 1 < text_.size() && is_digit(text_[end + 1])) {
        ++end;
      } else if (end - begin <= 3 && text_.substr(end, 3) == " , " && digits(end + 3, 3)) {
        end += 3;
      } else {
        break;
      }
    }
    for (std::size_t size = alnum(end); size > 0; size = alnum(end)) end += size;  // "83rd", "5m"
    add(begin, end);
  }

  void add(std::size_t begin, std::size_t end) {
    found_.push_back({begin, end});
    at_ = end;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<TextRange> found_;
};

}  // namespace

std::vector<TextRange> split_words(std::string_view text) { return WordScanner(text).run(); }

void lower_word(std::string_view word, std::string& out) {
  out.clear();
  for (std::size_t at = 0; at < word.size();) {
    const char c = word[at];
    if (static_cast<unsigned char>(c) < 0x80) {
      out += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
      ++at;
      continue;
    }
    UChar32 point = 0;
    U8_NEXT(word.data(), at, word.size(), point);
    if (point == 0x2019) {
      out += '\'';
      continue;
    }
    std::array<char, 4> bytes{};
    std::size_t size = 0;
    const UChar32 lower = point < 0 ? 0xFFFD : u_tolower(point);
    U8_APPEND_UNSAFE(bytes.data(), size, lower);
    out.append(bytes.data(), size);
  }
}

}  // namespace assay
