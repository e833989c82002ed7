// The artefact of the rating methods. Steps and explanation are prose people want to read and mend,
// so they stand as literal blocks; what a block cannot carry unchanged (tabs, control characters,
// blanks at either end) is quoted. Round trips over random texts are tested in
// tests/methods/rating_test.cc.

#include "methods/rating_artefact.h"

#include <fmt/core.h>

#include <algorithm>

#include "assay/error.h"
#include "rubric/reader.h"
#include "text/json_text.h"

namespace assay {
namespace {

constexpr const char* kKind = "rating";
constexpr const char* kFile = "artefact";  // the place named in messages; the caller knows the path

bool fits_block(std::string_view text) {
  if (text.empty() || text.find('\n') == std::string_view::npos) return false;
  const auto odd = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f;
  };
  if (std::any_of(text.begin(), text.end(), odd)) return false;
  // Beyond ASCII some characters end a line or are not printable in YAML.
  for (const std::string_view special :
       {"\xC2\x80", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xEF\xBB\xBF"}) {
    if (text.find(special) != std::string_view::npos) return false;
  }
  return text.front() != ' ' && text.front() != '\n' && text.back() != ' ' && text.back() != '\n';
}

void put_example(std::string& out, const Rubric& rubric, const RatingExample& example) {
  out += fmt::format("  - id: {}\n    label: {}\n    score: {}\n    texts:\n",
                     json_text(example.id), example.label, example.score);
  for (const Input& input : rubric.inputs) {
    std::string text = field_text(example.sample, input.field);
    if (input.field == "references" && !example.sample.fields.references.empty())
      text = example.sample.fields.references[0];
    if (!text.empty()) out += fmt::format("      {}: {}\n", input.field, yaml_scalar(text, 6));
  }
}

void set_field(Sample& sample, const std::string& field, std::string text) {
  if (field == "source") sample.fields.source = std::move(text);
  if (field == "output") sample.fields.output = std::move(text);
  if (field == "references") sample.fields.references = {std::move(text)};
  if (field == "context") sample.fields.context = std::move(text);
  if (field == "history") sample.fields.history = std::move(text);
}

RatingExample read_example(const Rubric& rubric, const YamlNode& node, std::size_t number,
                           Problems& problems) {
  RatingExample example;
  MapReader reader(node, fmt::format("example {}", number), problems);
  example.id = reader.text("id", true);
  example.label = reader.number("label", 0);
  example.score = reader.number("score", example.label);
  if (!reader.has("score") && !reader.has("label"))
    reader.problem("score", fmt::format("\"score\" of example {} is missing", number));
  if (example.score < rubric.scale.lo || example.score > rubric.scale.hi) {
    reader.problem("score", fmt::format("the score {} of example {} is outside the scale {} to {}",
                                        example.score, number, rubric.scale.lo, rubric.scale.hi));
  }
  if (const YamlNode* texts = reader.map("texts", true)) {
    MapReader fields(*texts, fmt::format("the texts of example {}", number), problems);
    for (const Input& input : rubric.inputs) {
      // Not through text(), which trims: what is shown is what the row held.
      if (const YamlNode* text = fields.has(input.field) ? texts->find(input.field) : nullptr)
        set_field(example.sample, input.field, text->text);
    }
    fields.finish();
  }
  example.sample.id = example.id;
  reader.finish();
  return example;
}

void check_place(MapReader& reader, const Rubric& rubric) {
  const std::string kind = reader.text("artefact", true);
  if (!kind.empty() && kind != kKind) {
    reader.problem(
        "artefact",
        fmt::format(
            "it is an artefact of the kind \"{}\", not \"{}\"; give the one made for this method",
            kind, kKind));
  }
  const std::string task = reader.text("task", true);
  const std::string dimension = reader.text("dimension", true);
  if (!task.empty() && !dimension.empty() && (task != rubric.task || dimension != rubric.id)) {
    reader.problem(
        "dimension",
        fmt::format("it was made for {}/{}, not for {}/{}; give one of its own to each dimension",
                    task, dimension, rubric.task, rubric.id));
  }
}

}  // namespace

std::string yaml_scalar(std::string_view text, int indent) {
  if (!fits_block(text)) return json_text(text);
  const std::string margin(static_cast<std::size_t>(indent) + 2, ' ');
  std::string out = "|-";
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += end == 0 ? "\n" : fmt::format("\n{}{}", margin, text.substr(0, end));
    if (end == text.size()) return out;
    text.remove_prefix(end + 1);
  }
}

Artefact rating_artefact(const Rubric& rubric, const RatingPrepared& prepared) {
  Artefact artefact{kKind, {}, {}};
  std::string& out = artefact.body;
  out = fmt::format("artefact: {}\ntask: {}\ndimension: {}\n", kKind, rubric.task, rubric.id);
  if (!prepared.failure.empty()) out += fmt::format("failure: {}\n", json_text(prepared.failure));
  if (!prepared.steps.empty()) out += fmt::format("steps: {}\n", yaml_scalar(prepared.steps, 0));
  if (!prepared.explanation.empty())
    out += fmt::format("explanation: {}\n", yaml_scalar(prepared.explanation, 0));
  if (!prepared.examples.empty()) out += "examples:\n";
  for (const RatingExample& example : prepared.examples) {
    put_example(out, rubric, example);
    artefact.seen.push_back(example.id);
  }
  return artefact;
}

RatingPrepared read_rating_artefact(const Rubric& rubric, const Artefact& artefact) {
  RatingPrepared prepared;
  Problems problems;
  const std::optional<YamlNode> root = parse_yaml(artefact.body, kFile, problems);
  problems.throw_first();
  if (!root || root->kind != YamlNode::Kind::kMap) {
    throw ConfigError(fmt::format(
        "{}: a map of keys was expected: artefact, task, dimension and the parts", kFile));
  }
  MapReader reader(*root, "", problems);
  check_place(reader, rubric);
  prepared.failure = reader.text("failure", false);
  prepared.steps = reader.text("steps", false);
  prepared.explanation = reader.text("explanation", false);
  if (const YamlNode* examples = reader.list("examples")) {
    for (const YamlNode& node : examples->items) {
      prepared.examples.push_back(
          read_example(rubric, node, prepared.examples.size() + 1, problems));
    }
  }
  reader.finish();
  problems.throw_first();
  return prepared;
}

}  // namespace assay
