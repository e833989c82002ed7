// CheckEval, section 3.3 of "CheckEval: A reliable LLM-as-a-Judge framework for evaluating text
// generation using checklists" (docs/methods/checkeval.md has what is reproduced and every point
// settled by us).
//
//   round 1   the questions, a call per group; replies are lines "Qn: yes" or "Qn: no", the last of
//   a question counts round 2   each question that got no answer, alone score     yes / all
//   questions asked
//
// Example: 3 yes and 1 no give 0.75. Counter-example: 3 yes and one question without an answer,
// also when asked again, give no score at all; to leave the question out would reward silence.
// Tested in tests/methods/checkeval_test.cc.

#include "methods/checkeval.h"

#include <fmt/core.h>

#include <algorithm>

#include "assay/error.h"
#include "core/hash.h"
#include "methods/compose.h"
#include "methods/failure.h"
#include "methods/rounds.h"
#include "rubric/prompt_file.h"
#include "rubric/rubric_file.h"
#include "text/fence.h"

namespace assay {
namespace {

using Asked = CheckevalOptions::Asked;
using Grouping = CheckevalOptions::Grouping;

bool is_asked(const CheckQuestion& question, Asked asked) {
  switch (asked) {
    case Asked::kSeeds:
      return question.origin == CheckQuestion::Origin::kSeed && question.dropped.empty();
    // What does not say that yes is good stays out, also without the filter: it would count against
    // the text.
    case Asked::kUnfiltered:
      return !question.dropped.starts_with("alignment");
    case Asked::kKept:
      break;
  }
  return question.dropped.empty();
}

// References are not shown: the paper judges against the source alone.
std::vector<Input> inputs_of(const Rubric& rubric, const Checklist& checklist) {
  if (!checklist.inputs.empty()) return checklist.inputs;
  std::vector<Input> inputs = rubric.inputs;
  std::erase_if(inputs, [](const Input& input) { return input.field == "references"; });
  return inputs;
}

// The weights are of this list where every question has one, fitted for the same words.
double weight_for(const ChecklistWeights& weights, const std::string& id, const std::string& text) {
  for (const ChecklistWeights::Weight& weight : weights.weights) {
    if (weight.id != id) continue;
    if (same_text(weight.text) == same_text(text)) return weight.weight;
    throw ConfigError(
        fmt::format("{}:{}: {} was fitted for another question (\"{}\") than the checklist asks "
                    "(\"{}\"); fit the weights anew with "
                    "`assay checklist weigh`",
                    weights.origin, weight.line, id, weight.text, text));
  }
  throw ConfigError(fmt::format(
      "{}: no weight for {} (\"{}\"); fit the weights anew with `assay checklist weigh`",
      weights.origin, id, text));
}

}  // namespace

Step Checkeval::next(const Sample& sample, const Transcript& transcript) const {
  Rounds rounds(transcript);
  if (rounds.done()) {
    Ask ask;
    for (const Group& group : groups_)
      ask.questions.push_back(question(sample, group.items, group.label, "answers"));
    return ask;
  }
  Answers answers(items_.size());
  if (auto failure = read(rounds.take(), groups_, answers, false))
    return without(answers, std::move(*failure));
  std::vector<Group> missing;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (!answers[i]) missing.push_back({label_of(items_[i]), {i}});
  }
  if (!missing.empty() && rounds.done()) {
    Ask ask;
    for (const Group& one : missing)
      ask.questions.push_back(question(sample, one.items, one.label, "asked again"));
    return ask;
  }
  if (!missing.empty()) {
    if (auto failure = read(rounds.take(), missing, answers, true))
      return without(answers, std::move(*failure));
  }
  return score_of(sample, answers);
}

std::optional<Score> Checkeval::read(const Round& round, const std::vector<Group>& groups,
                                     Answers& answers, bool again) const {
  std::optional<Score> failure;  // the first; the answers of the others are still shown
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::optional<Score> one = read(round[i], groups[i], answers, again);
    if (!failure) failure = std::move(one);
  }
  return failure;
}

std::optional<Score> Checkeval::read(const Verdict& verdict, const Group& group, Answers& answers,
                                     bool again) const {
  if (const auto* said = verdict.value.as<Named<bool>>();
      said != nullptr && verdict.status == Status::kOk) {
    for (const std::size_t i : group.items) {
      if (const bool* yes = find(*said, items_[i].id)) answers[i] = *yes;
    }
  }
  const bool answered = std::all_of(group.items.begin(), group.items.end(),
                                    [&](std::size_t i) { return answers[i].has_value(); });
  if (answered) return std::nullopt;
  // A question that was alone would be asked in the very same words, and what is declined or does
  // not come through stays so.
  const bool worth_asking = verdict.status == Status::kOk || verdict.status == Status::kUnparsable;
  if (worth_asking && !again && group.items.size() > 1) return std::nullopt;
  Verdict shown = verdict;
  if (shown.status == Status::kOk)
    shown.status = Status::kUnparsable, shown.problem = "the reply has no line for it";
  return unscored(rubric_.id, group.label, shown);
}

Score Checkeval::without(const Answers& answers, Score failure) const {
  Score score = std::move(failure);
  std::vector<Evidence> leaves;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (!answers[i]) continue;
    leaves.push_back(
        leaf(label_of(items_[i]), *answers[i] ? 1 : 0, items_[i].weight, items_[i].text));
  }
  // A leaf without a value: the answers are shown, and no number can be made of them.
  score.evidence.op = Op::kLeaf;
  score.evidence.children.insert(score.evidence.children.begin(), leaves.begin(), leaves.end());
  return score;
}

Score Checkeval::score_of(const Sample& sample, const Answers& answers) const {
  // The questions hang directly on the root, not on their sub-dimensions: a ratio of ratios would
  // weigh a question by the size of its sub-dimension.
  std::vector<Evidence> leaves;
  if (weights_) leaves.push_back(leaf("intercept", 1, weights_->intercept, "of the regression"));
  for (std::size_t i = 0; i < items_.size(); ++i) {
    leaves.push_back(
        leaf(label_of(items_[i]), *answers[i] ? 1 : 0, items_[i].weight, items_[i].text));
  }
  Score score;
  score.evidence = node(rubric_.id, weights_ ? Op::kWeighted : Op::kRatio, std::move(leaves));
  score.score = score.evidence.value;
  if (!weights_) return score;
  score.scale =
      std::nullopt;  // a prediction of the rating, which a line does not keep within its scale
  if (std::find(weights_->rows.begin(), weights_->rows.end(), sample.id) != weights_->rows.end()) {
    score.evidence.note = "the weights were fitted on this row too";
  }
  return score;
}

Checkeval::Checkeval(Rubric rubric, const Checklist& checklist,
                     std::optional<ChecklistWeights> weights, const Prompts& prompts,
                     CheckevalOptions options)
    : rubric_(std::move(rubric)),
      options_(std::move(options)),
      prompt_(prompts("checkeval/answers")),
      inputs_(inputs_of(rubric_, checklist)),
      weights_(std::move(weights)) {
  for (const CheckSub& sub : checklist.subs) {
    for (const CheckQuestion& asked : sub.questions) {
      if (!is_asked(asked, options_.questions)) continue;
      Item item{fmt::format("Q{}", items_.size() + 1), sub.id, asked.text};
      if (weights_) item.weight = weight_for(*weights_, item.id, item.text);
      const std::string group = options_.group == Grouping::kDimension  ? "all"
                                : options_.group == Grouping::kQuestion ? label_of(item)
                                                                        : sub.id;
      if (groups_.empty() || groups_.back().label != group) groups_.push_back({group, {}});
      groups_.back().items.push_back(items_.size());
      items_.push_back(std::move(item));
    }
  }
  if (items_.empty())
    throw ConfigError(
        fmt::format("{}: no question of the checklist is left to ask", checklist.origin));
  if (weights_ && weights_->weights.size() != items_.size()) {
    throw ConfigError(
        fmt::format("{}: {} weights for the {} questions of {}; fit the weights anew with `assay "
                    "checklist weigh`",
                    weights_->origin, weights_->weights.size(), items_.size(), checklist.origin));
  }
  const std::string weighed = weights_ ? sha256_hex(checklist_weights_yaml(*weights_)) : "even";
  settings_ =
      fmt::format("checkeval {} rubric {} checklist {} weights {} {}", options_.describe(),
                  rubric_hash(rubric_), checklist_hash(checklist), weighed, prompt_hash(prompt_));
}

Needs Checkeval::needs() const {
  Needs needs;
  needs.generation =
      true;  // it must read questions that are put into words, which a lexical judge cannot
  return needs;
}

Question Checkeval::question(const Sample& sample, const Indices& items, std::string label,
                             std::string stage) const {
  std::string list;
  Lines answer;
  for (const std::size_t i : items) {
    list += fmt::format("{}{}: {}", list.empty() ? "" : "\n", items_[i].id, items_[i].text);
    answer.ids.push_back(items_[i].id);
  }
  Question asked = compose(prompt_, options_.layout,
                           {{"texts", texts_of(sample)},
                            {"introduction", rubric_.introduction},
                            {"definition", rubric_.definition},
                            {"questions", list}},
                           std::move(answer));
  asked.label = std::move(label);
  asked.stage = std::move(stage);
  return asked;
}

std::string Checkeval::texts_of(const Sample& sample) const {
  std::string texts;
  for (const Input& input : inputs_) {
    const std::string text = field_text(sample, input.field);
    if (text.empty()) continue;
    texts += fmt::format("{}{}", texts.empty() ? "" : "\n\n", fence(input.shown, text));
  }
  return texts;
}

std::string CheckevalOptions::describe() const {
  static constexpr const char* kGroup[] = {"subdimension", "dimension", "question"};
  static constexpr const char* kAsked[] = {"kept", "seeds", "unfiltered"};
  return fmt::format("layout={} group={} questions={}", layout, kGroup[static_cast<int>(group)],
                     kAsked[static_cast<int>(questions)]);
}

}  // namespace assay
