#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Text as a terminal shows it: what it occupies in columns, and made safe to print. Judged text may
// hold anything, escape sequences included.

namespace assay::report {

constexpr char32_t kBad = 0xFFFFFFFF;

struct CodePoint {
  char32_t value = kBad;  // kBad: not well-formed UTF-8 here
  std::size_t bytes = 1;
};
CodePoint decode(std::string_view text, std::size_t at);

// Columns a code point takes: 0 for combining marks, 2 for East Asian wide forms and emoji, else 1.
int width_of(char32_t point);
std::size_t columns(std::string_view text);

// One line: runs of white space and control characters become one space; escape sequences,
// bidirectional overrides and broken bytes lose their power (the bytes of an escape sequence stay
// as harmless text).
std::string one_line(std::string_view text);

// At most `width` columns, the rest replaced by "…". Expects one_line() text.
std::string fit(std::string_view text, std::size_t width);
// `text` followed by spaces up to `width` columns; cut like fit() where it is longer.
std::string pad(std::string_view text, std::size_t width);
// Broken at spaces into lines of at most `width` columns, at most `most` of them; the last ends in
// "…" when something is left.
std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t most);

}  // namespace assay::report
