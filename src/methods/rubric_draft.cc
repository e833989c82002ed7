// Rubrics for a task nobody has written rubrics for: SEAL's first limitation
// (docs/methods/rubric-draft.md).
//
//   1  which dimensions?                       one question
//   2  the same, where the proposal is not usable, with what is wrong     at most once
//   3  units, sub-dimensions, anchors, steps   one question per dimension, all at once
//   4  the same for those not usable           at most once
//
// What is still wrong after that is kept beside the draft: a file with problems is for a person to
// mend, never one to judge with. Example: "Does it contain errors?" is sent back, because a yes
// would be bad; "Is it free of errors?" passes. Tested in tests/methods/rubric_draft_test.cc and,
// against a server, in tests/rubric_draft.

#include "methods/rubric_draft.h"

#include <fmt/core.h>

#include <algorithm>

#include "assay/error.h"
#include "methods/compose.h"
#include "methods/rounds.h"
#include "methods/rubric_proposal.h"
#include "rubric/prompt_file.h"
#include "rubric/yaml.h"
#include "text/fence.h"
#include "text/json_text.h"
#include "text/utf8.h"

namespace assay {
namespace {

constexpr std::size_t kExamples = 5;  // shown
constexpr std::size_t kExampleLength =
    3000;  // code points of one text: the kind of text shows in its beginning
constexpr int kReplyTokens = 4096;

std::string bullets(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "- " : "\n- ") + line;
  return out;
}

std::string examples_of(const Preparation& preparation) {
  std::string out;
  for (std::size_t i = 0; i < std::min(kExamples, preparation.labelled.size()); ++i) {
    const Sample& sample = preparation.labelled[i].sample;
    for (const Input& input : inputs_of({preparation.labelled[i]})) {
      const std::string text = field_text(sample, input.field);
      if (text.empty()) continue;
      out += (out.empty() ? "" : "\n") + fence(fmt::format("Example-{}-{}", i + 1, input.shown),
                                               ellipsize(text, kExampleLength));
    }
  }
  return out;
}

std::string others_of(const ProposedTask& task, const ProposedDimension& one) {
  std::vector<std::string> lines;
  for (const ProposedDimension& other : task.dimensions) {
    if (other.id != one.id) lines.push_back(other.name + ": " + other.definition);
  }
  return bullets(lines);
}

std::string shown_names(const std::vector<Input>& inputs) {
  std::vector<std::string> names;
  for (const Input& input : inputs) names.push_back(input.shown);
  return joined(names);
}

std::string indented(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += end == at ? "\n" : "      " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

std::string flow_list(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) out += (out.size() > 1 ? ", " : "") + json_text(text);
  return out + "]";
}

Artefact artefact_of(const RubricDrafts& all) {
  Artefact artefact{"rubric-draft", {}, {}};
  artefact.body = fmt::format("task: {}\nproblems: {}\ndrafts:{}\n", all.task,
                              flow_list(all.problems), all.drafts.empty() ? " []" : "");
  for (const RubricDraft& draft : all.drafts) {
    artefact.body += fmt::format("  - dimension: {}\n    problems: {}\n    rubric: |\n{}",
                                 draft.dimension, flow_list(draft.problems), indented(draft.yaml));
  }
  return artefact;
}

std::vector<std::string> texts_of(const YamlNode& map, std::string_view key) {
  std::vector<std::string> texts;
  if (const YamlNode* node = map.find(key)) {
    for (const YamlNode& item : node->items) texts.push_back(item.text);
  }
  return texts;
}

std::string text_of(const YamlNode& map, std::string_view key) {
  const YamlNode* node = map.find(key);
  return node == nullptr ? "" : node->text;
}

}  // namespace

void RubricDraftOptions::validate() const {
  if (most < 1 || most > 12) throw ConfigError("the most dimensions to draft must be from 1 to 12");
  if (language.empty()) throw ConfigError("the language of a rubric must not be empty");
}

std::string RubricDraftOptions::describe() const {
  std::string shown;
  for (const Input& input : inputs)
    shown += fmt::format(" {}={}{}", input.field, input.shown, input.required ? "" : "?");
  return fmt::format("language={} most={} inputs={}", language, most, shown);
}

RubricDrafting::RubricDrafting(const Prompts& prompts, RubricDraftOptions options)
    : dimensions_(prompts("draft/dimensions")),
      one_(prompts("draft/dimension")),
      options_(std::move(options)) {
  options_.validate();
  settings_ = fmt::format("rubric-draft {} {} {}", options_.describe(), prompt_hash(dimensions_),
                          prompt_hash(one_));
}

Needs RubricDrafting::needs() const {
  Needs needs;
  needs.generation = true;
  return needs;
}

Question RubricDrafting::ask(const Prompt& prompt, const Preparation& preparation,
                             TemplateValues values, std::vector<std::string> names,
                             std::string label) const {
  values["task"] = preparation.task;
  values["description"] =
      fence("Description", preparation.texts.empty() ? "" : preparation.texts.front());
  values["examples"] = examples_of(preparation);
  values["language"] = options_.language;
  values["most"] = fmt::format("{}", options_.most);
  Question question = compose(prompt, "shared", values, Lists{std::move(names)});
  question.label = std::move(label);
  question.stage = "draft";
  question.role = "generator";
  question.sampling.max_tokens = kReplyTokens;
  return question;
}

PrepareStep RubricDrafting::next(const Preparation& preparation,
                                 const Transcript& transcript) const {
  Rounds rounds(transcript);
  const auto ask_task = [&](const std::string& earlier, const std::vector<std::string>& problems) {
    return Ask{
        {ask(dimensions_, preparation, {{"earlier", earlier}, {"problems", bullets(problems)}},
             {"introduction", "dimensions"}, "dimensions")}};
  };
  if (rounds.done()) return ask_task("", {});
  const Verdict* verdict = &rounds.take().front();
  ProposedTask task = read_task_proposal(*verdict, options_.most);
  if (!task.problems.empty() && verdict->status == Status::kOk) {
    if (rounds.done()) return ask_task(told(*verdict), task.problems);
    verdict = &rounds.take().front();
    task = read_task_proposal(*verdict, options_.most);
  }
  RubricDrafts all{preparation.task, task.problems, {}};
  if (!task.problems.empty()) return artefact_of(all);

  const DraftFrame frame{
      preparation.task, options_.language, task.introduction,
      options_.inputs.empty() ? inputs_of(preparation.labelled) : options_.inputs};
  const auto ask_one = [&](const ProposedDimension& dimension, const std::string& earlier,
                           const std::vector<std::string>& problems) {
    return ask(one_, preparation,
               {{"dimension", dimension.name + ": " + dimension.definition},
                {"others", others_of(task, dimension)},
                {"inputs", shown_names(frame.inputs)},
                {"earlier", earlier},
                {"problems", bullets(problems)}},
               {"units", "sub_dimensions", "anchors", "steps"}, dimension.id);
  };
  if (rounds.done()) {
    Ask first;
    for (const ProposedDimension& dimension : task.dimensions)
      first.questions.push_back(ask_one(dimension, "", {}));
    return first;
  }
  const Round& proposed = rounds.take();
  Ask again;
  std::vector<std::size_t> asked_again;
  for (std::size_t i = 0; i < task.dimensions.size(); ++i) {
    all.drafts.push_back(draft_rubric(frame, task.dimensions[i], proposed[i]));
    // A reply that could not be read was repaired twice already, and one that was refused will be
    // again.
    if (all.drafts[i].problems.empty() || proposed[i].status != Status::kOk) continue;
    again.questions.push_back(
        ask_one(task.dimensions[i], told(proposed[i]), all.drafts[i].problems));
    asked_again.push_back(i);
  }
  if (again.questions.empty()) return artefact_of(all);
  if (rounds.done()) return again;
  const Round& mended = rounds.take();
  for (std::size_t i = 0; i < asked_again.size(); ++i) {
    if (mended[i].status != Status::kOk)
      continue;  // the first proposal, with its problems, says more
    all.drafts[asked_again[i]] = draft_rubric(frame, task.dimensions[asked_again[i]], mended[i]);
  }
  return artefact_of(all);
}

RubricDrafts read_drafts(const Artefact& artefact) {
  Problems problems;
  const auto root = parse_yaml(artefact.body, "rubric draft", problems);
  problems.throw_first();
  RubricDrafts all{text_of(*root, "task"), texts_of(*root, "problems"), {}};
  if (const YamlNode* drafts = root->find("drafts")) {
    for (const YamlNode& item : drafts->items) {
      all.drafts.push_back(
          {text_of(item, "dimension"), text_of(item, "rubric"), texts_of(item, "problems")});
    }
  }
  return all;
}

}  // namespace assay
