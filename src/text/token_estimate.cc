#include "text/token_estimate.h"

#include <algorithm>

namespace assay {
namespace {

enum class Kind { kSpace, kWord, kOther, kMark };

Kind kind_of(unsigned char c) {
  if (c == ' ' || c == '\t' || c == '\n' || c == '\r') return Kind::kSpace;
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
    return Kind::kWord;
  return c >= 0x80 ? Kind::kOther : Kind::kMark;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::int64_t tokens_of_run(Kind kind, std::string_view run) {
  const auto length = static_cast<std::int64_t>(run.size());
  switch (kind) {
    case Kind::kSpace:
      return 0;
    case Kind::kMark:
      return 1;
    case Kind::kOther:
      return (length + 2) / 3;
    case Kind::kWord:
      break;
  }
  const bool digits = std::any_of(run.begin(), run.end(), is_digit);
  if (digits) return (length + 2) / 3;
  return length <= 8 ? 1 : 1 + (length - 8 + 5) / 6;
}

}  // namespace

std::int64_t estimate_tokens(std::string_view text) {
  std::int64_t tokens = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Kind kind = kind_of(static_cast<unsigned char>(text[at]));
    std::size_t end = at + 1;
    const auto same = [&](char c) {
      return kind == Kind::kMark ? c == text[at] : kind_of(static_cast<unsigned char>(c)) == kind;
    };
    while (end < text.size() && same(text[end])) ++end;
    tokens += tokens_of_run(kind, text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

}  // namespace assay
