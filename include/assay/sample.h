#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

// An ordered map: output follows the order in which things were asked, never a hash.
template <class T>
using Named = std::vector<std::pair<std::string, T>>;

template <class T>
const T* find(const Named<T>& named, std::string_view name) {
  for (const auto& [key, value] : named) {
    if (key == name) return &value;
  }
  return nullptr;
}

// The texts of one row. An empty string is an absent field.
struct Fields {
  std::string source;
  std::string output;
  std::vector<std::string> references;
  std::string context;
  std::string history;
};

// One row as a method sees it. Human ratings are not here: a method must not see them.
struct Sample {
  std::string id;
  std::string group;
  std::string system;
  Fields fields;
};

// One row as read from a file: the sample, and what only meta-evaluation and preparation may see.
struct Row {
  Sample sample;
  Named<double> human;                   // dimension -> mean rating
  Named<std::vector<double>> human_raw;  // dimension -> single ratings, where the file has them
  std::size_t line = 0;
};

// A piece of one field, in bytes.
struct Span {
  std::string field;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const Span&) const = default;
};

// The text of a field by its name in a rubric; references are joined by blank lines. `history`
// falls back to `source`, where dialogue data sets keep it. Throws ConfigError on a name that is no
// field.
std::string field_text(const Sample& sample, std::string_view field);

}  // namespace assay
