#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rubric/problem.h"

namespace assay {

// A YAML document as a plain tree in which every node knows its file and line: errors must name
// them, also after a rubric was merged with the one it extends. Keys keep their order and their
// repeats.
struct YamlNode {
  enum class Kind { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  std::string file;
  int line = 0;  // from 1
  std::string text;
  std::vector<YamlNode> items;                         // of a list
  std::vector<std::pair<YamlNode, YamlNode>> entries;  // of a map

  const YamlNode* find(std::string_view key) const;  // the first of that key, or null
};

// Reads one document. Nothing on a problem, which is added with its line. Anchors and aliases are
// refused: they can make a document that contains itself or grows without bound, and `extends` does
// their work.
std::optional<YamlNode> parse_yaml(std::string_view text, const std::string& file,
                                   Problems& problems);

}  // namespace assay
