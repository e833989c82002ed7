#include "rubric/reader.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace assay {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row.back();
}

bool is_id(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

}  // namespace

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  if (word.size() > 64) return "";
  std::string best;
  // A third of the letters may differ, at least one and at most three: "seel" is seal, "foo" is
  // nothing.
  std::size_t bound = std::clamp<std::size_t>(word.size() / 3, 1, 3);
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance <= bound && (best.empty() || distance < bound)) {
      best = candidate;
      bound = distance;
    }
  }
  return best;
}

std::string did_you_mean_clause(std::string_view word, std::span<const std::string> known) {
  const std::string guess = did_you_mean(word, known);
  return guess.empty() ? "" : fmt::format("; did you mean \"{}\"?", guess);
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

std::string kind_name(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return "nothing";
    case YamlNode::Kind::kScalar:
      return "text";
    case YamlNode::Kind::kList:
      return "a list";
    default:
      return "a map of keys";
  }
}

MapReader::MapReader(const YamlNode& map, std::string where, Problems& problems)
    : map_(map), where_(std::move(where)), problems_(problems) {}

std::string MapReader::place(const std::string& key) const {
  return where_.empty() ? fmt::format("\"{}\"", key) : fmt::format("\"{}\" of {}", key, where_);
}

void MapReader::problem(const std::string& key, std::string text) {
  const YamlNode* at = &map_;
  for (const auto& [name, value] : map_.entries) {
    if (name.text != key) continue;
    at = value.kind == YamlNode::Kind::kNull ? &name : &value;  // nothing has no place of its own
    break;
  }
  problems_.add(at->file, at->line, std::move(text));
}

const YamlNode* MapReader::take(const std::string& key, bool required) {
  known_.push_back(key);
  const YamlNode* value = map_.find(key);
  if (value && value->kind != YamlNode::Kind::kNull) return value;
  if (required) problem(key, fmt::format("{} is missing", place(key)));
  return nullptr;
}

bool MapReader::has(const std::string& key) { return take(key, false) != nullptr; }

std::string MapReader::text(const std::string& key, bool required) {
  const YamlNode* value = take(key, required);
  if (!value) return "";
  if (value->kind != YamlNode::Kind::kScalar) {
    problem(key, fmt::format("{} must be text, not {}", place(key), kind_name(*value)));
    return "";
  }
  std::string text = value->text;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  if (text.empty() && required) problem(key, fmt::format("{} is empty", place(key)));
  return text;
}

std::string MapReader::id(const std::string& key, bool required) {
  const std::string text = this->text(key, required);
  if (!text.empty() && !is_id(text)) {
    problem(key,
            fmt::format("{} must be small letters, digits, - or _, not \"{}\"", place(key), text));
    return "";
  }
  return text;
}

double MapReader::number(const std::string& key, double fallback) {
  const std::string text = this->text(key, false);
  if (text.empty()) return fallback;
  if (const auto value = number_of(text)) return *value;
  problem(key, fmt::format("{} must be a number, not \"{}\"", place(key), text));
  return fallback;
}

int MapReader::integer(const std::string& key, int fallback) {
  const double value = number(key, fallback);
  if (value == std::floor(value) && std::abs(value) < 1e9) return static_cast<int>(value);
  problem(key, fmt::format("{} must be a whole number", place(key)));
  return fallback;
}

bool MapReader::boolean(const std::string& key, bool fallback) {
  const std::string text = this->text(key, false);
  if (text.empty()) return fallback;
  if (text == "true" || text == "false") return text == "true";
  problem(key, fmt::format("{} must be true or false, not \"{}\"", place(key), text));
  return fallback;
}

std::vector<std::string> MapReader::texts(const std::string& key) {
  const YamlNode* value = take(key, false);
  if (!value) return {};
  if (value->kind == YamlNode::Kind::kScalar) return {value->text};
  std::vector<std::string> texts;
  if (value->kind != YamlNode::Kind::kList) {
    problem(key, fmt::format("{} must be a list of texts, not {}", place(key), kind_name(*value)));
    return texts;
  }
  for (const YamlNode& item : value->items) {
    if (item.kind == YamlNode::Kind::kScalar && !item.text.empty()) {
      texts.push_back(item.text);
    } else {
      problems_.add(item.file, item.line,
                    fmt::format("{} must be a list of texts; one of them is {}", place(key),
                                kind_name(item)));
    }
  }
  return texts;
}

const YamlNode* MapReader::map(const std::string& key, bool required) {
  const YamlNode* value = take(key, required);
  if (!value || value->kind == YamlNode::Kind::kMap) return value;
  problem(key, fmt::format("{} must be a map of keys, not {}", place(key), kind_name(*value)));
  return nullptr;
}

const YamlNode* MapReader::list(const std::string& key, bool required) {
  const YamlNode* value = take(key, required);
  if (!value || value->kind == YamlNode::Kind::kList) return value;
  problem(key, fmt::format("{} must be a list, not {}", place(key), kind_name(*value)));
  return nullptr;
}

std::string MapReader::choice(const std::string& key, const std::string& fallback,
                              std::span<const std::string> words) {
  const std::string text = this->text(key, false);
  if (text.empty()) return fallback;
  if (std::find(words.begin(), words.end(), text) != words.end()) return text;
  problem(key, fmt::format("{} must be one of {}, not \"{}\"{}", place(key), fmt::join(words, ", "),
                           text, did_you_mean_clause(text, words)));
  return fallback;
}

void MapReader::finish() {
  std::vector<std::string> seen;
  for (const auto& [key, value] : map_.entries) {
    if (std::find(seen.begin(), seen.end(), key.text) != seen.end()) {
      problems_.add(key.file, key.line, fmt::format("key \"{}\" is given twice", key.text));
    } else if (std::find(known_.begin(), known_.end(), key.text) == known_.end()) {
      const std::string here = where_.empty() ? "here" : "in " + where_;
      problems_.add(key.file, key.line,
                    fmt::format("key \"{}\" is not known {}{}", key.text, here,
                                did_you_mean_clause(key.text, known_)));
    }
    seen.push_back(key.text);
  }
}

}  // namespace assay
