// Regression weights as YAML. Each weight carries the question it was fitted for, so that weights
// of another list, or of another version of it, are noticed and refused and never silently applied
// to other questions.
#include "rubric/checklist_weights.h"

#include <fmt/core.h>

#include <optional>
#include <set>

#include "assay/error.h"
#include "rubric/files.h"
#include "rubric/reader.h"

namespace assay {
namespace {

ChecklistWeights::Weight read_weight(const YamlNode& node, Problems& problems) {
  ChecklistWeights::Weight weight;
  MapReader reader(node, "a weight", problems);
  weight.line = node.line;
  weight.id = reader.text("id", true);
  weight.text = reader.text("text", true);
  weight.weight = reader.number("weight", 0);
  if (!reader.has("weight")) reader.problem("weight", "\"weight\" is missing");
  reader.finish();
  return weight;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace

ChecklistWeights parse_checklist_weights(std::string_view text, const std::string& file) {
  Problems problems;
  ChecklistWeights weights;
  weights.origin = file;
  const auto root = parse_yaml(text, file, problems);
  problems.throw_first();
  if (root->kind != YamlNode::Kind::kMap) {
    problems.add(file, root->line,
                 fmt::format("a weights file must be a map of keys, not {}", kind_name(*root)));
    problems.throw_first();
  }
  MapReader reader(*root, "", problems);
  weights.task = reader.id("task", true);
  weights.dimension = reader.id("dimension", true);
  weights.made = reader.text("made", false);
  weights.intercept = reader.number("intercept", 0);
  if (!reader.has("intercept")) reader.problem("intercept", "\"intercept\" is missing");
  std::set<std::string> ids;
  if (const YamlNode* list = reader.list("weights", true)) {
    for (const YamlNode& item : list->items) {
      if (item.kind != YamlNode::Kind::kMap) {
        problems.add(item.file, item.line,
                     fmt::format("a weight must be a map with id, text and weight, not {}",
                                 kind_name(item)));
        continue;
      }
      weights.weights.push_back(read_weight(item, problems));
      if (!ids.insert(weights.weights.back().id).second) {
        problems.add(item.file, item.line,
                     fmt::format("\"{}\" is given twice", weights.weights.back().id));
      }
    }
  }
  weights.rows = reader.texts("rows");
  reader.finish();
  problems.throw_first();
  return weights;
}

ChecklistWeights find_checklist_weights(std::span<const std::string> paths, std::string_view task,
                                        std::string_view dimension) {
  std::string known;
  for (const std::string& path : paths) {
    Problems problems;
    const std::optional<std::string> text = read_text_file(path, problems);
    problems.throw_first();
    ChecklistWeights weights = parse_checklist_weights(*text, path);
    if (weights.task == task && weights.dimension == dimension) return weights;
    known += fmt::format("{}{}/{}", known.empty() ? "" : ", ", weights.task, weights.dimension);
  }
  throw ConfigError(fmt::format("no --checklist-weights is for {}/{}; the files given are for {}",
                                task, dimension, known));
}

std::string checklist_weights_yaml(const ChecklistWeights& weights) {
  std::string out = fmt::format("task: {}\ndimension: {}\n", weights.task, weights.dimension);
  if (!weights.made.empty()) out += fmt::format("made: {}\n", quoted(weights.made));
  out += fmt::format("intercept: {}\nweights:\n", weights.intercept);
  for (const ChecklistWeights::Weight& weight : weights.weights) {
    out += fmt::format("  - id: {}\n    text: {}\n    weight: {}\n", weight.id, quoted(weight.text),
                       weight.weight);
  }
  if (!weights.rows.empty()) out += "rows:\n";
  for (const std::string& row : weights.rows) out += fmt::format("  - {}\n", quoted(row));
  return out;
}

}  // namespace assay
