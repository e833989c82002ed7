// From a judge's lists to a rubric file. Nothing is guessed: what does not have the form asked for
// is a problem, said in words that can be sent back. The last word has the checker that `assay
// rubric check` runs: the YAML is read with it, so a draft without problems is a rubric. Tested in
// tests/methods/rubric_draft_test.cc.

#include "methods/rubric_proposal.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "methods/failure.h"
#include "rubric/rubric_file.h"
#include "rubric/yaml.h"
#include "text/json_text.h"

namespace assay {
namespace {

using Texts = std::vector<std::string>;

constexpr std::array<const char*, 4> kUnits = {"whole", "sentences", "sentence-pairs", "facts"};
constexpr std::size_t kMostSubs = 8;
constexpr std::size_t kAnchors = 5;
constexpr const char* kHead =
    "# A draft proposed by a judge, for a person to read and edit. Try every question on a few "
    "texts whose\n"
    "# quality you know; drop what does not tell them apart. When it is yours, take the line "
    "`draft: true` away.\n"
    "# Not drafted: `evidence` for the built-in judge, and `decomp` for DecompEval (assay rubric "
    "show\n"
    "# summarization/coherence has both).\n";

const Texts& list(const Verdict& verdict, std::string_view name) {
  static const Texts kNone;
  const auto* lists = verdict.value.as<Named<Texts>>();
  const Texts* found = lists == nullptr ? nullptr : find(*lists, name);
  return found == nullptr ? kNone : *found;
}

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin));
}

struct Pair {
  std::string name;
  std::string text;
};

// "name: text"; no name where there is no colon with something on both sides.
Pair pair_of(const std::string& item) {
  const std::size_t colon = item.find(':');
  if (colon == std::string::npos) return {{}, trimmed(item)};
  Pair pair{trimmed(item.substr(0, colon)), trimmed(item.substr(colon + 1))};
  return pair.name.empty() || pair.text.empty() ? Pair{{}, trimmed(item)} : pair;
}

// The name in the form ids have. A name without Latin letters or digits gets a number instead.
std::string id_of(std::string_view name, const char* otherwise, std::size_t number) {
  std::string id;
  for (const char c : name) {
    const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool keeps = (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9');
    if (keeps)
      id += small;
    else if (!id.empty() && id.back() != '-')
      id += '-';
  }
  while (!id.empty() && id.back() == '-') id.pop_back();
  return id.empty() ? fmt::format("{}-{}", otherwise, number) : id;
}

std::string units_of(const Verdict& verdict, Texts& problems) {
  const Texts& given = list(verdict, "units");
  const std::string unit = given.size() == 1 ? trimmed(given[0]) : "";
  if (std::find(kUnits.begin(), kUnits.end(), unit) != kUnits.end()) return unit;
  problems.emplace_back(
      "\"units\" must hold exactly one of whole, sentences, sentence-pairs, facts");
  return "whole";
}

std::string subs_yaml(const Verdict& verdict, Texts& problems) {
  const Texts& given = list(verdict, "sub_dimensions");
  if (given.empty()) problems.emplace_back("\"sub_dimensions\" is empty: at least one is needed");
  if (given.size() > kMostSubs) {
    problems.push_back(
        fmt::format("there are {} sub-dimensions: at most {}", given.size(), kMostSubs));
  }
  std::string out;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Pair pair = pair_of(given[i]);
    if (pair.name.empty())
      problems.push_back(fmt::format("\"{}\" must have the form \"name: question\"", pair.text));
    if (!pair.text.ends_with('?') && !pair.text.ends_with("\xef\xbc\x9f")) {
      problems.push_back(
          fmt::format("\"{}\" must be a question that ends in a question mark", pair.text));
    }
    out += fmt::format("    - id: {}\n", id_of(pair.name, "sub", i + 1));
    if (!pair.name.empty()) out += fmt::format("      name: {}\n", json_text(pair.name));
    out += fmt::format("      question: {}\n", json_text(pair.text));
  }
  return out.empty() ? "  sub_dimensions: []\n" : "  sub_dimensions:\n" + out;
}

std::string anchors_yaml(const Verdict& verdict, Texts& problems) {
  const Texts& given = list(verdict, "anchors");
  if (given.size() != kAnchors) {
    problems.push_back(fmt::format("\"anchors\" must hold {} lines, for 1 to {}, not {}", kAnchors,
                                   kAnchors, given.size()));
    return {};
  }
  std::string out = "anchors:\n";
  for (std::size_t i = 0; i < given.size(); ++i)
    out += fmt::format("  {}: {}\n", i + 1, json_text(trimmed(given[i])));
  return out;
}

std::string steps_yaml(const Verdict& verdict, Texts& problems) {
  const Texts& given = list(verdict, "steps");
  if (given.size() < 2) problems.emplace_back("\"steps\" must hold three to five steps");
  std::string out = given.empty() ? "" : "steps:\n";
  for (const std::string& step : given) out += fmt::format("  - {}\n", json_text(trimmed(step)));
  return out;
}

std::string inputs_yaml(const std::vector<Input>& inputs) {
  std::string out = "inputs:\n";
  for (const Input& input : inputs) {
    out += input.required ? fmt::format("  {}: {}\n", input.field, json_text(input.shown))
                          : fmt::format("  {}: {{name: {}, required: false}}\n", input.field,
                                        json_text(input.shown));
  }
  return out;
}

bool shows(const std::vector<Input>& inputs, std::string_view field) {
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const Input& input) { return input.field == field; });
}

std::string seal_yaml(const DraftFrame& frame, const Verdict& verdict, Texts& problems) {
  const std::string units = units_of(verdict, problems);
  std::string out = fmt::format("seal:\n  units: {}\n", units);
  if (units.starts_with("sentence")) out += "  threshold: 3\n";
  if (units == "facts") out += "  threshold: 6\n";
  if (units == "facts" && shows(frame.inputs, "source")) out += "  compare: [source]\n";
  return out + subs_yaml(verdict, problems);
}

// What the checker of `assay rubric check` says, without file and line: the judge sees no file.
void check(const std::string& yaml, const std::string& file, Texts& problems) {
  Problems found;
  if (const auto root = parse_yaml(yaml, file, found)) read_rubric(*root, {}, found);
  for (const Problem& problem : found.all()) {
    const bool known = std::find(problems.begin(), problems.end(), problem.text) != problems.end();
    if (!known) problems.push_back(problem.text);
  }
}

// A polarity problem names no question; the judge must know which one is meant.
void check_question(const std::string& item, const std::string& language, Texts& problems) {
  const std::string question = pair_of(item).text;
  const std::string rubric = fmt::format(
      "task: t\ndimension: d\nlanguage: {}\nintroduction: i\ndefinition: d\nscale: {{from: 1, to: "
      "5}}\n"
      "inputs: {{output: Text}}\nseal: {{sub_dimensions: [{{id: s, question: {}}}]}}\n",
      json_text(language), json_text(question));
  Texts found;
  check(rubric, "", found);
  for (const std::string& problem : found)
    problems.push_back(fmt::format("\"{}\": {}", question, problem));
}

}  // namespace

ProposedTask read_task_proposal(const Verdict& verdict, int most) {
  ProposedTask task;
  if (verdict.status != Status::kOk) {
    task.problems.push_back(failure_of("dimensions", verdict));
    return task;
  }
  const Texts& introduction = list(verdict, "introduction");
  if (!introduction.empty()) task.introduction = trimmed(introduction[0]);
  if (introduction.size() != 1)
    task.problems.emplace_back("\"introduction\" must hold one sentence");
  for (const std::string& item : list(verdict, "dimensions")) {
    const Pair pair = pair_of(item);
    if (pair.name.empty()) {
      task.problems.push_back(
          fmt::format("\"{}\" must have the form \"name: definition\"", pair.text));
      continue;
    }
    ProposedDimension dimension{id_of(pair.name, "dimension", task.dimensions.size() + 1),
                                pair.name, pair.text};
    const auto same = [&](const ProposedDimension& other) { return other.id == dimension.id; };
    if (std::any_of(task.dimensions.begin(), task.dimensions.end(), same)) {
      task.problems.push_back(fmt::format("the dimension \"{}\" is there twice", pair.name));
    } else {
      task.dimensions.push_back(std::move(dimension));
    }
  }
  if (task.dimensions.empty()) task.problems.emplace_back("no dimension is proposed");
  if (task.dimensions.size() > static_cast<std::size_t>(most)) {
    task.problems.push_back(
        fmt::format("{} dimensions are proposed: at most {}", task.dimensions.size(), most));
  }
  return task;
}

RubricDraft draft_rubric(const DraftFrame& frame, const ProposedDimension& dimension,
                         const Verdict& verdict) {
  RubricDraft draft;
  draft.dimension = dimension.id;
  Texts& problems = draft.problems;
  const bool readable = verdict.status == Status::kOk;
  if (!readable) problems.push_back(failure_of(dimension.id, verdict));
  Texts form;  // what is wrong with the form; of an unreadable reply everything would be
  draft.yaml = kHead;
  draft.yaml += fmt::format("task: {}\ndimension: {}\nversion: 1\ndraft: true\nlanguage: {}\n\n",
                            frame.task, dimension.id, json_text(frame.language));
  draft.yaml +=
      fmt::format("introduction: {}\ndefinition: {}\nscale: {{from: 1, to: {}, step: 1}}\n",
                  json_text(frame.introduction),
                  json_text(dimension.name + ": " + dimension.definition), kAnchors);
  draft.yaml += anchors_yaml(verdict, form) + steps_yaml(verdict, form) + "\n" +
                inputs_yaml(frame.inputs) + "\n";
  draft.yaml += seal_yaml(frame, verdict, form);
  if (!readable) return draft;
  for (const std::string& item : list(verdict, "sub_dimensions"))
    check_question(item, frame.language, form);
  problems = std::move(form);
  if (problems.empty()) check(draft.yaml, dimension.id, problems);
  return draft;
}

std::string told(const Verdict& verdict) {
  std::string out;
  const auto* lists = verdict.value.as<Named<Texts>>();
  if (lists == nullptr) return "(nothing that could be read)";
  for (const auto& [name, items] : *lists) {
    out += (out.empty() ? "" : "\n") + name + ":";
    for (const std::string& item : items) out += "\n- " + item;
  }
  return out;
}

std::vector<Input> inputs_of(const std::vector<Row>& examples) {
  if (examples.empty()) return {{"source", "Source", false}, {"output", "Text", true}};
  constexpr std::array<std::pair<const char*, const char*>, 5> kNames = {
      {{"history", "Conversation"},
       {"context", "Context"},
       {"source", "Source"},
       {"references", "Reference"},
       {"output", "Text"}}};
  std::vector<Input> inputs;
  for (const auto& [field, shown] : kNames) {
    std::size_t have = 0;
    for (const Row& row : examples) {
      const Fields& fields = row.sample.fields;
      const std::string name = field;
      const bool there = name == "history"      ? !fields.history.empty()
                         : name == "references" ? !fields.references.empty()
                                                : !field_text(row.sample, name).empty();
      have += there ? 1 : 0;
    }
    // A text to learn from at hand now may be missing when outputs are judged.
    const bool required = have == examples.size() && std::string_view(field) != "references";
    if (have > 0 || std::string_view(field) == "output") inputs.push_back({field, shown, required});
  }
  return inputs;
}

}  // namespace assay
