// A rubric out of YAML. One function per part of the file, in the order of docs/formats/rubric.md;
// each reads on after a problem so that `assay rubric check` can tell all of them at once.
#include "rubric/rubric_file.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "rubric/polarity.h"
#include "rubric/reader.h"
#include "text/template.h"

namespace assay {
namespace {

const std::vector<std::string> kFields = {"source", "output", "references", "context", "history"};
const std::vector<std::string> kUnits = {"whole", "sentences", "sentence-pairs", "facts"};
const std::vector<std::string> kRules = {"once", "mean", "sum"};
const std::vector<std::string> kYesIs = {"good", "bad"};
const std::vector<std::string> kCompared = {"source", "references"};

struct Context {
  std::span<const std::string> evidence;
  Problems& problems;
  bool english = true;
};

// Refuses a question to which yes is bad: the file says so, or the wording does.
void check_polarity(MapReader& reader, const std::string& key, const std::string& question,
                    bool vouched, const Context& context) {
  if (question.empty() || vouched || !context.english) return;
  const std::string words = bad_yes_words(question);
  if (words.empty()) return;
  reader.problem(
      key, fmt::format("a yes to this question looks bad (\"{}\"); yes must mean good: turn the "
                       "question round (avoids, is free of), or add yes_is: good if it is right",
                       words));
}

bool yes_is_good(MapReader& reader) {
  const std::string word = reader.choice("yes_is", "", kYesIs);
  if (word == "bad") {
    reader.problem("yes_is",
                   "yes must mean good: turn the question round and take yes_is: bad away");
  }
  return !word.empty();
}

Scale read_scale(MapReader& top, double& step, Problems& problems) {
  Scale scale{1, 5};
  const YamlNode* node = top.map("scale", true);
  if (!node) return scale;
  MapReader reader(*node, "scale", problems);
  for (const char* key : {"from", "to"}) {
    if (!reader.has(key)) reader.problem(key, fmt::format("\"{}\" of scale is missing", key));
  }
  scale = {reader.number("from", 1), reader.number("to", 5)};
  step = reader.number("step", 1);
  if (scale.hi <= scale.lo) {
    reader.problem("to",
                   fmt::format("the scale ends at {}, not above its start {}", scale.hi, scale.lo));
  } else if (step <= 0 || step > scale.hi - scale.lo) {
    reader.problem("step", "\"step\" of scale must be above 0 and fit into the scale");
  }
  reader.finish();
  return scale;
}

std::vector<Anchor> read_anchors(MapReader& top, const Scale& scale, Problems& problems) {
  std::vector<Anchor> anchors;
  const YamlNode* node = top.map("anchors");
  if (!node) return anchors;
  for (const auto& [key, value] : node->entries) {
    const auto at = number_of(key.text);
    const auto told = [&](const Anchor& anchor) { return at && anchor.at == *at; };
    if (!at) {
      problems.add(key.file, key.line,
                   fmt::format("anchor \"{}\" is no number of the scale", key.text));
    } else if (scale.lo < scale.hi && (*at < scale.lo || *at > scale.hi)) {
      problems.add(key.file, key.line,
                   fmt::format("anchor {} is outside the scale {} to {}", *at, scale.lo, scale.hi));
    } else if (std::any_of(anchors.begin(), anchors.end(), told)) {
      problems.add(key.file, key.line, fmt::format("anchor {} is given twice", *at));
    } else if (value.kind != YamlNode::Kind::kScalar) {
      problems.add(value.file, value.line,
                   fmt::format("anchor {} must be text, not {}", *at, kind_name(value)));
    } else {
      anchors.push_back({*at, value.text});
    }
  }
  std::sort(anchors.begin(), anchors.end(),
            [](const Anchor& a, const Anchor& b) { return a.at < b.at; });
  return anchors;
}

// field: Shown name, or field: {name: Shown name, required: false}; in the order a judge sees them.
std::vector<Input> read_inputs(const YamlNode& node, const std::string& where, Problems& problems) {
  std::vector<Input> inputs;
  for (const auto& [key, value] : node.entries) {
    Input input{key.text, "", true};
    if (std::find(kFields.begin(), kFields.end(), key.text) == kFields.end()) {
      problems.add(key.file, key.line,
                   fmt::format("\"{}\" is no field of a row; there are {}{}", key.text,
                               fmt::join(kFields, ", "), did_you_mean_clause(key.text, kFields)));
      continue;
    }
    const auto same = [&](const Input& other) { return other.field == input.field; };
    if (std::any_of(inputs.begin(), inputs.end(), same)) {
      problems.add(key.file, key.line,
                   fmt::format("field \"{}\" is given twice in {}", key.text, where));
    }
    if (value.kind == YamlNode::Kind::kMap) {
      MapReader reader(value, fmt::format("{} of {}", key.text, where), problems);
      input.shown = reader.text("name", true);
      input.required = reader.boolean("required", true);
      reader.finish();
    } else if (value.kind == YamlNode::Kind::kScalar && !value.text.empty()) {
      input.shown = value.text;
    } else {
      problems.add(value.file, value.line,
                   fmt::format("\"{}\" of {} must be the name a judge is shown", key.text, where));
    }
    inputs.push_back(std::move(input));
  }
  const auto is_output = [](const Input& input) { return input.field == "output"; };
  if (std::none_of(inputs.begin(), inputs.end(), is_output)) {
    problems.add(node.file, node.line, fmt::format("{} must show the output", where));
  }
  return inputs;
}

SubDimension read_sub(const YamlNode& node, std::size_t number, const Context& context) {
  SubDimension sub;
  MapReader reader(node, fmt::format("sub-dimension {}", number), context.problems);
  sub.id = reader.id("id", true);
  sub.name = reader.text("name", false);
  if (sub.name.empty()) sub.name = sub.id;
  sub.question = reader.text("question", true);
  sub.weight = reader.number("weight", 1);
  sub.evidence = reader.texts("evidence");
  sub.yes_at = reader.number("yes_at", 0.5);
  if (sub.weight <= 0) reader.problem("weight", "\"weight\" must be above 0");
  if (sub.yes_at <= 0 || sub.yes_at > 1)
    reader.problem("yes_at", "\"yes_at\" must be above 0 and at most 1");
  for (const std::string& name : sub.evidence) {
    if (context.evidence.empty()) break;
    if (std::find(context.evidence.begin(), context.evidence.end(), name) != context.evidence.end())
      continue;
    reader.problem("evidence", fmt::format("no built-in evidence is called \"{}\"{}", name,
                                           did_you_mean_clause(name, context.evidence)));
  }
  check_polarity(reader, "question", sub.question, yes_is_good(reader), context);
  reader.finish();
  return sub;
}

std::vector<SubDimension> read_subs(const YamlNode& list, const Context& context) {
  std::vector<SubDimension> subs;
  std::set<std::string> ids;
  double total = 0;
  for (const YamlNode& item : list.items) {
    if (item.kind != YamlNode::Kind::kMap) {
      context.problems.add(
          item.file, item.line,
          fmt::format("a sub-dimension must be a map of keys, not {}", kind_name(item)));
      continue;
    }
    subs.push_back(read_sub(item, subs.size() + 1, context));
    if (!subs.back().id.empty() && !ids.insert(subs.back().id).second) {
      context.problems.add(item.file, item.line,
                           fmt::format("sub-dimension id \"{}\" is given twice", subs.back().id));
    }
    total += subs.back().weight;
  }
  if (subs.empty()) {
    context.problems.add(list.file, list.line, "\"sub_dimensions\" of seal must have at least one");
  }
  for (SubDimension& sub : subs) sub.weight /= total;
  return subs;
}

SealPart read_seal(const YamlNode& node, const Context& context) {
  SealPart seal;
  MapReader reader(node, "seal", context.problems);
  const std::string units = reader.choice("units", "whole", kUnits);
  seal.units =
      static_cast<UnitKind>(std::find(kUnits.begin(), kUnits.end(), units) - kUnits.begin());
  seal.threshold = reader.integer("threshold", 0);
  if (seal.threshold < 0) reader.problem("threshold", "\"threshold\" must be 0 (never) or more");
  seal.supported_by_source = reader.boolean("supported_by_source", false);
  seal.compare = reader.texts("compare");
  for (const std::string& field : seal.compare) {
    if (std::find(kCompared.begin(), kCompared.end(), field) == kCompared.end()) {
      reader.problem(
          "compare",
          fmt::format("\"compare\" of seal must name source or references, not \"{}\"", field));
    }
  }
  if (const YamlNode* subs = reader.list("sub_dimensions", true)) {
    seal.subs = read_subs(*subs, context);
  }
  if (seal.supported_by_source &&
      std::find(seal.compare.begin(), seal.compare.end(), "source") == seal.compare.end()) {
    reader.problem("supported_by_source", "supported_by_source needs compare: [source]");
  } else if (seal.supported_by_source && seal.subs.size() > 1) {
    reader.problem("supported_by_source", "supported_by_source goes with a single sub-dimension");
  }
  reader.finish();
  return seal;
}

void check_subquestion(MapReader& reader, const std::string& where,
                       const std::string& subquestion) {
  if (subquestion.empty() || subquestion.find("{{sentence}}") != std::string::npos) return;
  reader.problem("subquestion",
                 "\"subquestion\" of " + where + " must show the sentence: {{sentence}}");
}

Wording read_wording(MapReader& reader, const std::string& where, const Context& context) {
  Wording wording{reader.text("question", true), reader.text("subquestion", true)};
  check_subquestion(reader, where, wording.subquestion);
  const bool vouched = yes_is_good(reader);
  check_polarity(reader, "question", wording.question, vouched, context);
  check_polarity(reader, "subquestion", wording.subquestion, vouched, context);
  return wording;
}

std::vector<Wording> read_wordings(const YamlNode& list, const Context& context) {
  std::vector<Wording> wordings;
  for (const YamlNode& item : list.items) {
    if (item.kind != YamlNode::Kind::kMap) {
      context.problems.add(
          item.file, item.line,
          fmt::format("a wording must be a map of question and subquestion, not {}",
                      kind_name(item)));
      continue;
    }
    const std::string where = fmt::format("wording {}", wordings.size() + 2);
    MapReader reader(item, where, context.problems);
    wordings.push_back(read_wording(reader, where, context));
    reader.finish();
  }
  return wordings;
}

DecompPart read_decomp(const YamlNode& node, const Context& context) {
  DecompPart decomp;
  MapReader reader(node, "decomp", context.problems);
  const Wording first = read_wording(reader, "decomp", context);
  decomp.question = first.question;
  decomp.subquestion = first.subquestion;
  decomp.rule = reader.choice("rule", "once", kRules);
  if (const YamlNode* inputs = reader.map("inputs", true)) {
    decomp.inputs = read_inputs(*inputs, "inputs of decomp", context.problems);
  }
  if (const YamlNode* wordings = reader.list("wordings")) {
    decomp.wordings = read_wordings(*wordings, context);
  }
  reader.finish();
  return decomp;
}

void read_answer(MapReader& top, Rubric& rubric, Problems& problems) {
  const YamlNode* node = top.map("answer");
  if (!node) return;
  MapReader reader(*node, "answer", problems);
  rubric.yes = reader.text("yes", true);
  rubric.no = reader.text("no", true);
  if (!rubric.yes.empty() && rubric.yes == rubric.no)
    reader.problem("no", "yes and no must be different words");
  reader.finish();
}

// A compared field must be an input, or a judge would be shown facts of a text nobody asked for.
void check_compare(const Rubric& rubric, const YamlNode& seal, Problems& problems) {
  for (const std::string& field : rubric.seal->compare) {
    const auto shown = [&](const Input& input) { return input.field == field; };
    if (std::any_of(rubric.inputs.begin(), rubric.inputs.end(), shown)) continue;
    problems.add(seal.file, seal.line,
                 fmt::format("seal compares with \"{}\", which is not among the inputs", field));
  }
}

}  // namespace

Rubric read_rubric(const YamlNode& root, std::span<const std::string> evidence,
                   Problems& problems) {
  Rubric rubric;
  if (root.kind != YamlNode::Kind::kMap) {
    problems.add(root.file, root.line,
                 fmt::format("a rubric must be a map of keys, not {}", kind_name(root)));
    return rubric;
  }
  MapReader reader(root, "", problems);
  rubric.origin = root.file;
  rubric.task = reader.id("task", true);
  rubric.id = reader.id("dimension", true);
  rubric.version = reader.integer("version", 1);
  if (rubric.version < 1) reader.problem("version", "\"version\" must be 1 or more");
  reader.text("extends", false);   // resolved before (library.cc)
  reader.boolean("draft", false);  // a mark for people, of `assay rubric draft`
  if (reader.has("language")) rubric.language = reader.text("language", true);
  rubric.introduction = reader.text("introduction", true);
  rubric.definition = reader.text("definition", true);
  rubric.scale = read_scale(reader, rubric.step, problems);
  rubric.anchors = read_anchors(reader, rubric.scale, problems);
  rubric.steps = reader.texts("steps");
  if (const YamlNode* inputs = reader.map("inputs", true)) {
    rubric.inputs = read_inputs(*inputs, "inputs", problems);
  }
  read_answer(reader, rubric, problems);
  const Context context{evidence, problems, rubric.language.substr(0, 2) == "en"};
  if (const YamlNode* seal = reader.map("seal")) {
    rubric.seal = read_seal(*seal, context);
    check_compare(rubric, *seal, problems);
  }
  if (const YamlNode* decomp = reader.map("decomp")) rubric.decomp = read_decomp(*decomp, context);
  reader.finish();
  return rubric;
}

std::string unit_kind_name(UnitKind kind) { return kUnits[static_cast<std::size_t>(kind)]; }

}  // namespace assay
