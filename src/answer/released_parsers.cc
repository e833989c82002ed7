// Rules of released code for reading a rating out of a free reply.
//
// chiang-lee (Chiang and Lee 2023, used for every method of their tables): lower-case, line breaks
// to spaces, the text "1-3" (the scale, echoed) deleted, what follows the last "rating:" kept, the
// first digit taken. So "10" reads as 1, and "I give 2 of 3" as 2: that is the released rule, not
// an opinion of ours. geval (G-Eval's release): digits and dots after at most one space at the very
// start; otherwise 0. Tested in tests/meta/released_parsers_test.cc and on 200,000 recorded
// replies in tests/meta/expected_test.cc.
#include "answer/released_parsers.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace assay {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

std::optional<double> whole(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() ||
      !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

std::optional<double> strict(std::string_view reply) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = reply.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return std::nullopt;
  return whole(reply.substr(begin, reply.find_last_not_of(kSpace) - begin + 1));
}

std::optional<double> chiang_lee(std::string_view reply) {
  std::string text(reply);
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '\n') c = ' ';
  }
  constexpr std::string_view kScale = "1-3";
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find(kScale, at), text.size());
    kept.append(text, at, next - at);
    at = next + kScale.size();
  }
  constexpr std::string_view kMark = "rating:";
  const std::size_t mark = kept.rfind(kMark);
  const auto from = kept.begin() + static_cast<std::ptrdiff_t>(
                                       mark == std::string::npos ? 0 : mark + kMark.size());
  const auto found = std::find_if(from, kept.end(), digit);
  if (found == kept.end()) return std::nullopt;
  return *found - '0';
}

std::optional<double> geval(std::string_view reply) {
  if (reply.starts_with(' ')) reply.remove_prefix(1);
  const auto end =
      std::find_if(reply.begin(), reply.end(), [](char c) { return !digit(c) && c != '.'; });
  return whole(reply.substr(0, static_cast<std::size_t>(end - reply.begin())));
}

}  // namespace

std::optional<ReplyRule> reply_rule_of(std::string_view name) {
  if (name == "strict") return ReplyRule::kStrict;
  if (name == "chiang-lee") return ReplyRule::kChiangLee;
  if (name == "geval") return ReplyRule::kGEval;
  return std::nullopt;
}

std::optional<double> rating_in(std::string_view reply, ReplyRule rule) {
  switch (rule) {
    case ReplyRule::kChiangLee:
      return chiang_lee(reply);
    case ReplyRule::kGEval:
      return geval(reply);
    default:
      return strict(reply);
  }
}

std::optional<double> score_of_replies(const std::vector<std::string>& replies, ReplyRule rule,
                                       Unparsed unparsed) {
  const bool zero =
      unparsed == Unparsed::kZero || (unparsed == Unparsed::kByRule && rule == ReplyRule::kGEval);
  const bool all = unparsed == Unparsed::kByRule && rule == ReplyRule::kStrict;
  // Ratings are small integers, so the sum is exact and equal means are equal numbers.
  double sum = 0;
  int count = 0;
  for (const std::string& reply : replies) {
    const std::optional<double> rating = rating_in(reply, rule);
    if (!rating && all) return std::nullopt;
    if (!rating && !zero) continue;
    sum += rating.value_or(0);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

}  // namespace assay
