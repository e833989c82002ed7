#include "text/json_text.h"

#include <algorithm>

#include "text/utf8.h"

namespace assay {
namespace {

// True where JSON takes the byte as it is. Bytes from 0x80 on are part of UTF-8 sequences.
constexpr bool plain(unsigned char c) { return c >= 0x20 && c != '"' && c != '\\'; }

void append_escape(std::string& out, unsigned char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '\\';
  switch (c) {
    case '"':
    case '\\':
      out += static_cast<char>(c);
      return;
    case '\n':
      out += 'n';
      return;
    case '\r':
      out += 'r';
      return;
    case '\t':
      out += 't';
      return;
    default:
      out.append("u00") += kHex[c >> 4];
      out += kHex[c & 15];
  }
}

}  // namespace

void append_json_text(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t good = find_bad_utf8(text).value_or(text.size());
    std::size_t from = 0;
    for (std::size_t i = 0; i < good; ++i) {
      const auto c = static_cast<unsigned char>(text[i]);
      if (plain(c)) continue;
      out.append(text.substr(from, i - from));
      append_escape(out, c);
      from = i + 1;
    }
    out.append(text.substr(from, good - from));
    if (good < text.size()) out += "\xEF\xBF\xBD";
    text.remove_prefix(std::min(text.size(), good + 1));
  }
  out += '"';
}

std::string json_text(std::string_view text) {
  std::string out;
  append_json_text(out, text);
  return out;
}

}  // namespace assay
