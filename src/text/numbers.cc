#include "text/numbers.h"

#include <array>
#include <utility>

namespace assay {
namespace {

constexpr std::array<std::pair<std::string_view, int>, 29> kNumberWords = {{
    {"zero", 0},     {"one", 1},      {"two", 2},        {"three", 3},     {"four", 4},
    {"five", 5},     {"six", 6},      {"seven", 7},      {"eight", 8},     {"nine", 9},
    {"ten", 10},     {"eleven", 11},  {"twelve", 12},    {"thirteen", 13}, {"fourteen", 14},
    {"fifteen", 15}, {"sixteen", 16}, {"seventeen", 17}, {"eighteen", 18}, {"nineteen", 19},
    {"twenty", 20},  {"thirty", 30},  {"forty", 40},     {"fifty", 50},    {"sixty", 60},
    {"seventy", 70}, {"eighty", 80},  {"ninety", 90},    {"dozen", 12},
}};

std::optional<int> spelled(std::string_view word) {
  if (word.size() < 3 || word.size() > 9) return std::nullopt;
  for (const auto& [name, value] : kNumberWords) {
    if (name == word) return value;
  }
  return std::nullopt;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<std::string> normal_number(std::string_view lower_case) {
  if (lower_case.empty()) return std::nullopt;
  if (!is_digit(lower_case[0])) {
    const auto value = spelled(lower_case);
    if (!value || lower_case == "one") return std::nullopt;
    return std::to_string(*value);
  }
  std::string out;
  std::size_t at = 0;
  for (; at < lower_case.size(); ++at) {
    const char c = lower_case[at];
    if (c == ',' || c == ' ') continue;
    if (!is_digit(c) && c != '.') break;
    out += c;
  }
  if (out.find('.') != std::string::npos && out.find('.') == out.rfind('.')) {
    while (out.back() == '0') out.pop_back();
    if (out.back() == '.') out.pop_back();
  }
  const std::string_view suffix = lower_case.substr(at);
  const bool ordinal = suffix == "st" || suffix == "nd" || suffix == "rd" || suffix == "th";
  if (!ordinal) out += suffix;
  return out;
}

int number_word(std::string_view lower_case) {
  const int value = spelled(lower_case).value_or(0);
  return value >= 1 && (value <= 9 || (value >= 20 && value % 10 == 0)) ? value : 0;
}

}  // namespace assay
