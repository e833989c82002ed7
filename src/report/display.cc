#include "report/display.h"

#include <algorithm>
#include <array>

namespace assay::report {
namespace {

struct Range {
  char32_t from, to;
};

// The blocks that matter in practice, from Unicode's EastAsianWidth (W, F) and the emoji blocks; a
// rare code point that is missed shifts one line by a column.
constexpr std::array<Range, 12> kWide{{{0x1100, 0x115F},
                                       {0x2E80, 0x303E},
                                       {0x3041, 0x33FF},
                                       {0x3400, 0x4DBF},
                                       {0x4E00, 0x9FFF},
                                       {0xA000, 0xA4CF},
                                       {0xAC00, 0xD7A3},
                                       {0xF900, 0xFAFF},
                                       {0xFE30, 0xFE6F},
                                       {0xFF00, 0xFF60},
                                       {0x1F300, 0x1FAFF},
                                       {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 7> kNone{{{0x0300, 0x036F},
                                      {0x0591, 0x05BD},
                                      {0x064B, 0x065F},
                                      {0x0E34, 0x0E3A},
                                      {0x200B, 0x200F},
                                      {0x20D0, 0x20FF},
                                      {0xFE00, 0xFE0F}}};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t point) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& range) { return point >= range.from && point <= range.to; });
}

bool is_space(char32_t point) {
  return point <= 0x20 || point == 0x7F || (point >= 0x80 && point <= 0xA0) || point == 0x2028 ||
         point == 0x2029 || point == 0x3000;
}

// Characters that reorder or hide what stands around them.
bool is_override(char32_t point) {
  return (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069) ||
         point == 0xFEFF;
}

}  // namespace

CodePoint decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  if (first >= 0xC2 && first < 0xE0 && tail(1)) return {(first & 0x1F) << 6 | (byte(1) & 0x3F), 2};
  if ((first & 0xF0) == 0xE0 && tail(1) && tail(2)) {
    const char32_t point = (first & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    const bool good = point >= 0x800 && (point < 0xD800 || point > 0xDFFF);
    return good ? CodePoint{point, 3} : CodePoint{};
  }
  if (first >= 0xF0 && first < 0xF5 && tail(1) && tail(2) && tail(3)) {
    const char32_t point =
        (first & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    return point >= 0x10000 && point <= 0x10FFFF ? CodePoint{point, 4} : CodePoint{};
  }
  return {};
}

int width_of(char32_t point) {
  if (point < 0x300) return 1;
  if (within(kNone, point)) return 0;
  return within(kWide, point) ? 2 : 1;
}

std::size_t columns(std::string_view text) {
  std::size_t total = 0;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = decode(text, i);
    total += static_cast<std::size_t>(width_of(point.value));
    i += point.bytes;
  }
  return total;
}

std::string one_line(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = decode(text, i);
    if (point.value == kBad) {
      out += "\xef\xbf\xbd";
    } else if (is_space(point.value)) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else if (!is_override(point.value)) {
      out.append(text, i, point.bytes);
    }
    i += point.bytes;
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string fit(std::string_view text, std::size_t width) {
  if (columns(text) <= width) return std::string(text);
  if (width == 0) return {};
  std::size_t used = 0;
  std::size_t i = 0;
  while (i < text.size()) {
    const CodePoint point = decode(text, i);
    const auto wide = static_cast<std::size_t>(width_of(point.value));
    if (used + wide > width - 1) break;
    used += wide;
    i += point.bytes;
  }
  while (i > 0 && text[i - 1] == ' ') --i;
  return std::string(text.substr(0, i)) + "…";
}

std::string pad(std::string_view text, std::size_t width) {
  std::string out = fit(text, width);
  out.append(width - std::min(width, columns(out)), ' ');
  return out;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t most) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty() && lines.size() + 1 < most) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    const std::size_t used = columns(line);
    if (used > 0 && used + 1 + columns(word) > width) {
      lines.push_back(std::move(line));
      line.clear();
      continue;
    }
    if (used == 0 && columns(word) > width) break;  // fit() cuts it
    line += (used > 0 ? " " : "") + std::string(word);
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  if (!text.empty()) line += (line.empty() ? "" : " ") + std::string(text);
  if (!line.empty()) lines.push_back(fit(line, width));
  return lines;
}

}  // namespace assay::report
