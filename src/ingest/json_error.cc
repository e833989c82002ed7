// A recursive-descent scanner of RFC 8259 that keeps nothing but its position.

#include "ingest/json_error.h"

#include <fmt/core.h>

#include <cstddef>

namespace assay::ingest {
namespace {

constexpr int kMaxDepth = 1000;  // simdjson stops at 1,024

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::string run() {
    if (value(0)) {
      space();
      if (at_ < text_.size()) fail("something follows the end of the row (one row per line)");
    }
    return problem_;
  }

 private:
  bool fail(std::string_view what) {
    if (at_ >= text_.size()) {
      problem_ =
          "the line ends in the middle of the row (a row must be one whole line; was the file cut "
          "off?)";
    } else {
      problem_ = fmt::format("not valid JSON at column {}: {}", at_ + 1, what);
    }
    return false;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void space() {
    while (at_ < text_.size() &&
           (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n'))
      ++at_;
  }
  bool eat(char c) {
    space();
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }

  bool value(int depth) {
    space();
    if (depth > kMaxDepth) return fail("nested too deeply");
    switch (peek()) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"':
        return string();
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      default:
        return number();
    }
  }

  bool object(int depth) {
    ++at_;
    if (eat('}')) return true;
    do {
      space();
      if (peek() != '"') return fail("expected a key in double quotes");
      if (!string()) return false;
      if (!eat(':')) return fail("expected ':' after a key");
      if (!value(depth + 1)) return false;
    } while (eat(','));
    return eat('}') || fail("expected ',' or '}'");
  }

  bool array(int depth) {
    ++at_;
    if (eat(']')) return true;
    do {
      if (!value(depth + 1)) return false;
    } while (eat(','));
    return eat(']') || fail("expected ',' or ']'");
  }

  bool string() {
    const std::size_t start = at_++;
    while (at_ < text_.size()) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') return ++at_, true;
      if (c < 0x20) return fail("a control character inside a string (write \\n, \\t or \\u00XX)");
      if (c == '\\' && !escape()) return false;
      if (c != '\\') ++at_;
    }
    problem_ = fmt::format(
        "the line ends inside the string that begins at column {} (a row must be one whole line; "
        "was the file "
        "cut off?)",
        start + 1);
    return false;
  }

  int hex4() {
    int code = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = peek();
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return -1;
      code = code * 16 + digit;
      ++at_;
    }
    return code;
  }

  bool escape() {
    ++at_;
    const char c = peek();
    if (std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos && at_ < text_.size()) {
      return ++at_, true;
    }
    if (c != 'u') return fail("no such escape in JSON");
    ++at_;
    const int code = hex4();
    if (code < 0) return fail("\\u needs four hexadecimal digits");
    if (code < 0xD800 || code > 0xDFFF) return true;
    if (code > 0xDBFF || !text_.substr(at_).starts_with("\\u"))
      return fail("half of a surrogate pair");
    at_ += 2;
    const int low = hex4();
    return (low >= 0xDC00 && low <= 0xDFFF) || fail("half of a surrogate pair");
  }

  bool word(std::string_view want) {
    if (!text_.substr(at_).starts_with(want)) return fail("expected a value");
    at_ += want.size();
    return true;
  }

  bool digits() {
    const std::size_t from = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ > from;
  }

  bool number() {
    const std::size_t start = at_;
    if (peek() == '-') ++at_;
    if (peek() == '0') {
      ++at_;
    } else if (!digits()) {
      at_ = start < text_.size() ? start : at_;
      return fail(peek() == 'N' || peek() == 'I' ? "NaN and Infinity are not JSON; use null"
                                                 : "expected a value");
    }
    if (peek() == '.' && (++at_, !digits())) return fail("a digit must follow the decimal point");
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (!digits()) return fail("a digit must follow the exponent");
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string problem_;
};

}  // namespace

std::string explain_bad_json(std::string_view line) { return Scanner(line).run(); }

}  // namespace assay::ingest
