#include "methods/rating_prepare.h"

#include <fmt/core.h>

#include "methods/compose.h"
#include "methods/failure.h"
#include "methods/rounds.h"
#include "rubric/prompt_file.h"
#include "rubric/rubric_file.h"

namespace assay {
namespace {

using Steps = RateOptions::Steps;

// Temperature 0, the default of a question: an artefact must not change from run to run.
Question written(const Prompt& prompt, const std::string& layout, const TemplateValues& values,
                 const char* stage, const char* role) {
  Question question = compose(prompt, layout, values, Text{});
  question.label = stage;
  question.stage = stage;
  question.role = role;
  return question;
}

// The text of an answer, or why there is none.
std::string take_text(const char* label, const Round& round, std::string& failure) {
  const Verdict& verdict = round.front();
  const auto* text = verdict.value.as<std::string>();
  if (verdict.status == Status::kOk && text != nullptr && !text->empty()) return *text;
  failure = failure_of(label, verdict);
  return {};
}

}  // namespace

RatingPreparation::RatingPreparation(RatingSetup setup, const PromptSource& prompts)
    : setup_(std::move(setup)),
      steps_(prompts("rating/steps")),
      explain_(prompts("seeval/explain")) {
  settings_ =
      fmt::format("{} preparation {} rubric {} {} {}", setup_.kind.name, setup_.options.describe(),
                  rubric_hash(setup_.rubric), prompt_hash(steps_), prompt_hash(explain_));
}

Needs RatingPreparation::needs() const {
  Needs needs;
  needs.generation = setup_.options.steps == Steps::kGenerated || setup_.kind.explains;
  needs.grades = true;  // of the rating to come: better refused before anything is prepared
  return needs;
}

PrepareStep RatingPreparation::next(const Preparation& preparation,
                                    const Transcript& transcript) const {
  RatingPrepared prepared;
  if (setup_.kind.shows)
    prepared.examples = choose_examples(setup_.rubric, preparation.labelled, setup_.options);
  Rounds rounds(transcript);
  std::string steps = setup_.options.steps == Steps::kRubric ? numbered_steps(setup_.rubric) : "";
  if (setup_.options.steps == Steps::kGenerated) {
    if (rounds.done()) return ask_steps();
    steps = prepared.steps = take_text("steps", rounds.take(), prepared.failure);
  }
  if (setup_.kind.explains && prepared.failure.empty()) {
    if (rounds.done()) return ask_explanation(steps);
    prepared.explanation = take_text("explanation", rounds.take(), prepared.failure);
  }
  return rating_artefact(setup_.rubric, prepared);
}

Ask RatingPreparation::ask_steps() const {
  return {{written(steps_, setup_.options.layout, setup_.base(), "steps", "generator")}};
}

Ask RatingPreparation::ask_explanation(const std::string& steps) const {
  TemplateValues values = setup_.base();
  values["steps"] = steps;
  return {{written(explain_, setup_.options.layout, values, "explanation", "explainer")}};
}

}  // namespace assay
