// What `extends` does: a child's YAML over its parent's, before either is read. Nodes keep their
// own file and line, so a problem in an inherited part is told where it stands.
#include <algorithm>
#include <array>

#include "rubric/rubric_file.h"

namespace assay {

YamlNode merge_rubrics(const YamlNode& parent, const YamlNode& child) {
  static constexpr std::array<std::string_view, 4> kMerged = {"scale", "answer", "seal", "decomp"};
  YamlNode merged = child;
  for (const auto& [key, value] : parent.entries) {
    if (key.text == "extends") continue;
    auto own = std::find_if(merged.entries.begin(), merged.entries.end(),
                            [&](const auto& entry) { return entry.first.text == key.text; });
    if (own == merged.entries.end()) {
      merged.entries.emplace_back(key, value);
    } else if (std::find(kMerged.begin(), kMerged.end(), key.text) != kMerged.end() &&
               own->second.kind == YamlNode::Kind::kMap && value.kind == YamlNode::Kind::kMap) {
      own->second = merge_rubrics(value, own->second);
    }
  }
  return merged;
}

}  // namespace assay
