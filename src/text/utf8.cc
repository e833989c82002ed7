// UTF-8 checks. ICU's own decoder decides what is well-formed (Unicode 3.9, table 3-7); runs of
// ASCII, which are most of what is read, are skipped eight bytes at a time. Tested in
// tests/text/utf8_test.cc.
#include "text/utf8.h"

#include <unicode/utf8.h>

#include <cstdint>
#include <cstring>

namespace assay {
namespace {

std::size_t skip_ascii(std::string_view text, std::size_t at) {
  while (at + 8 <= text.size()) {
    std::uint64_t block;
    std::memcpy(&block, text.data() + at, 8);
    if ((block & 0x8080808080808080U) != 0) break;
    at += 8;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

// The code point at `at`, which is moved behind it; negative where the bytes are not well-formed.
UChar32 next_code_point(std::string_view text, std::size_t& at) {
  UChar32 c = 0;
  U8_NEXT(text.data(), at, text.size(), c);
  return c;
}

}  // namespace

std::optional<std::size_t> find_bad_utf8(std::string_view text) {
  for (std::size_t at = skip_ascii(text, 0); at < text.size(); at = skip_ascii(text, at)) {
    const std::size_t begin = at;
    if (next_code_point(text, at) < 0) return begin;
  }
  return std::nullopt;
}

std::string ellipsize(std::string_view text, std::size_t columns) {
  if (text.size() <= columns) return std::string(text);
  if (columns == 0) return {};
  std::size_t at = 0;
  std::size_t last = 0;  // where the text is cut to leave room for the mark
  for (std::size_t n = 0; at < text.size(); ++n) {
    if (n == columns) return std::string(text.substr(0, last)) + "…";
    last = at;
    next_code_point(text, at);
  }
  return std::string(text);
}

}  // namespace assay
