// Requests as JSON text, written straight into a string: prompts are long, there are thousands a second, and a
// document tree would copy each of them twice.
#include "judges/question_json.h"

#include <fmt/format.h>

#include "core/content_key.h"
#include "text/utf8.h"

namespace assay {
namespace {

// True where JSON takes the byte as it is. Bytes from 0x80 on are part of UTF-8 sequences.
constexpr bool plain(unsigned char c) { return c >= 0x20 && c != '"' && c != '\\'; }

void append_escape(std::string& out, unsigned char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", c);
  }
}

}  // namespace

