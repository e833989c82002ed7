// What SEEval, G-Eval, Analyze-Rate, Rate-Explain, direct and few-shot scoring have in common: the
// rubric's introduction, criterion, scale and steps, the texts of a row, and a number on the scale
// for an answer. They differ in what stands before the number and in what is prepared; each says so
// in a RatingKind (seeval.cc, geval.cc, analyze_rate.cc, direct.cc). Tested in
// tests/methods/{rating,seeval,geval,analyze_rate,direct}_test.cc.

#include "methods/rating.h"

#include <fmt/core.h>

#include <algorithm>

#include "assay/error.h"
#include "methods/compose.h"
#include "methods/failure.h"
#include "methods/rating_score.h"
#include "rubric/prompt_file.h"
#include "rubric/rubric_file.h"
#include "text/fence.h"

namespace assay {
namespace {

using Form = RatingKind::Form;
using Steps = RateOptions::Steps;

const char* steps_name(Steps steps) {
  static constexpr const char* kNames[] = {"none", "rubric", "generated"};
  return kNames[static_cast<int>(steps)];
}

// The first token of an answer tells the points of a scale apart only where none begins another: 1
// begins 10.
void check_points(const Rubric& rubric) {
  std::vector<std::string> points;
  for (double at = rubric.scale.lo; at <= rubric.scale.hi + rubric.step / 1e6; at += rubric.step) {
    points.push_back(fmt::format("{:g}", at));
    if (points.size() > 1000) break;
  }
  for (const std::string& a : points) {
    for (const std::string& b : points) {
      if (a.size() < b.size() && b.starts_with(a)) {
        throw ConfigError(
            fmt::format("--probs logprobs: on the scale of {}/{} the first token of {} may be that "
                        "of {}; use --probs sample:20",
                        rubric.task, rubric.id, a, b));
      }
    }
  }
}

void check_logprobs(const RatingSetup& setup, const Capabilities& judge) {
  const std::string& name = setup.kind.name;
  if (!judge.probabilities) {
    throw ConfigError(
        fmt::format("{} would take its score from log-probabilities, which this judge does not "
                    "give; use --probs sample:20 or --probs none",
                    name));
  }
  if (setup.kind.form == Form::kLineFirst || setup.kind.form == Form::kLineLast) {
    throw ConfigError(
        fmt::format("--probs logprobs reads the first token of the reply, and {} writes text "
                    "around its rating; use --probs sample:20 or --probs none",
                    name));
  }
  if (setup.options.rule)
    throw ConfigError(
        fmt::format("--parser {} reads replies, and log-probabilities leave it none to read; use "
                    "--probs sample:20 or --probs none",
                    setup.options.parser));
  check_points(setup.rubric);
}

}  // namespace

std::string RateOptions::describe() const {
  return fmt::format("layout={} probs={} steps={} reasoning={} shots={} {} shots-seed={} parser={}",
                     layout, probs ? probs->describe() : "default",
                     steps ? steps_name(*steps) : "default", reasoning, shots,
                     shots_random ? "random" : "spread", shots_seed, parser);
}

RatingSetup::RatingSetup(RatingKind k, Rubric r, RateOptions o, const Capabilities& judge)
    : kind(std::move(k)), rubric(std::move(r)), options(std::move(o)) {
  if (!options.probs) options.probs = kind.probs;
  if (!options.steps) options.steps = kind.steps;
  if (options.probs->kind == ProbSource::Kind::kLogprobs) check_logprobs(*this, judge);
  if (options.steps == Steps::kRubric && rubric.steps.empty()) {
    throw ConfigError(
        fmt::format("the rubric {}/{} ({}) has no steps; use --steps generated or --steps none",
                    rubric.task, rubric.id, rubric.origin));
  }
}

bool RatingSetup::prepares() const {
  return options.steps == Steps::kGenerated || kind.explains || kind.shows;
}

TemplateValues RatingSetup::base() const {
  std::string anchors;
  for (const Anchor& anchor : rubric.anchors)
    anchors += fmt::format("{}{}: {}", anchors.empty() ? "" : "\n", anchor.at, anchor.text);
  std::string scale = fmt::format("{} to {}", rubric.scale.lo, rubric.scale.hi);
  if (rubric.step != 1) scale += fmt::format(" in steps of {}", rubric.step);
  std::vector<std::string> shown;
  for (const Input& input : rubric.inputs) shown.push_back(input.shown);
  return {{"introduction", rubric.introduction},
          {"definition", rubric.definition},
          {"scale", scale},
          {"anchors", anchors},
          {"inputs", joined(shown)}};
}

RatingMethod::RatingMethod(RatingSetup setup, const PromptSource& prompts,
                           const std::optional<Artefact>& artefact)
    : setup_(std::move(setup)), prompt_(prompts(setup_.kind.prompt)) {
  const bool generated = setup_.options.steps == Steps::kGenerated;
  const auto must_have = [&](bool there, const char* part) {
    if (!there)
      throw ConfigError(
          fmt::format("{}: the artefact for {} has no {}; add it, or let it be made anew", name(),
                      setup_.rubric.id, part));
  };
  if (setup_.prepares()) {
    must_have(artefact.has_value(), "content");
    prepared_ = read_rating_artefact(setup_.rubric, *artefact);
  }
  if (prepared_.failure.empty()) {
    must_have(!generated || !prepared_.steps.empty(), "steps");
    must_have(!setup_.kind.explains || !prepared_.explanation.empty(), "explanation");
    must_have(!setup_.kind.shows || !prepared_.examples.empty(), "examples");
  }
  steps_ = generated                                ? prepared_.steps
           : setup_.options.steps == Steps::kRubric ? numbered_steps(setup_.rubric)
                                                    : "";
  settings_ = fmt::format("{} {} rubric {} {}", name(), setup_.options.describe(),
                          rubric_hash(setup_.rubric), prompt_hash(prompt_));
  if (setup_.prepares()) settings_ += " artefact " + artefact->hash();
  if (setup_.kind.shows) {
    example_ = prompts("few-shot/example");
    settings_ += " " + prompt_hash(*example_);
  }
}

Needs RatingMethod::needs() const {
  Needs needs;
  needs.grades = true;
  needs.generation = setup_.kind.form != Form::kNumber || setup_.options.rule;
  needs.probabilities = setup_.options.probs->kind == ProbSource::Kind::kLogprobs;
  return needs;
}

Step RatingMethod::next(const Sample& sample, const Transcript& transcript) const {
  if (!prepared_.failure.empty()) {
    Score none = unscored(setup_.rubric.id, prepared_.failure);
    none.scale = setup_.rubric.scale;
    return none;
  }
  if (transcript.empty()) return ask(sample);
  return score(sample, transcript[0]);
}

Ask RatingMethod::ask(const Sample& sample) const {
  const bool logprobs = setup_.options.probs->kind == ProbSource::Kind::kLogprobs;
  const bool bare = logprobs || (setup_.options.rule && setup_.kind.form == Form::kNumber);
  TemplateValues values = setup_.base();
  values["texts"] = rating_texts(setup_.rubric, sample);
  values["steps"] = steps_;
  values["explanation"] = prepared_.explanation;
  values["examples"] = examples_for(sample);
  values["label"] = setup_.kind.label;
  values["bare"] = bare ? "yes" : "";
  values["json"] = bare ? "" : "yes";
  values["line"] = bare ? "" : "yes";
  Question question = compose(prompt_, setup_.options.layout, values, answer());
  question.label = "rating";
  question.stage = "rating";
  return {drawn(std::move(question), *setup_.options.probs)};
}

AnswerSpec RatingMethod::answer() const {
  const Rubric& rubric = setup_.rubric;
  if (setup_.options.rule) return Text{};
  // Probabilities are read where the reply begins, so that the number must stand there.
  const bool number = setup_.kind.form == Form::kNumber ||
                      setup_.options.probs->kind == ProbSource::Kind::kLogprobs;
  if (number) return Number{rubric.scale.lo, rubric.scale.hi, rubric.step};
  return Rated{setup_.kind.label, rubric.scale.lo, rubric.scale.hi, rubric.step};
}

// A row that is itself among the examples is judged without seeing its label.
std::string RatingMethod::examples_for(const Sample& sample) const {
  if (!example_) return {};
  const std::string own = rating_texts(setup_.rubric, sample);
  std::string all;
  int n = 0;
  for (const RatingExample& example : prepared_.examples) {
    std::string texts = rating_texts(setup_.rubric, example.sample);
    if (example.id == sample.id || texts == own) continue;
    const TemplateValues values{{"n", fmt::format("{}", ++n)},
                                {"texts", std::move(texts)},
                                {"score", fmt::format("{:g}", example.score)}};
    const Question rendered = compose(*example_, setup_.options.layout, values, Text{});
    all += (all.empty() ? "" : "\n\n") + messages_of(rendered).back().text;
  }
  return all;
}

Score RatingMethod::score(const Sample& sample, const Round& round) const {
  Score score = setup_.options.probs->kind == ProbSource::Kind::kSample
                    ? sampled_rating(setup_, round)
                : setup_.options.probs->kind == ProbSource::Kind::kLogprobs
                    ? expected_rating(setup_, round[0])
                    : single_rating(setup_, round[0]);
  const std::string own = rating_texts(setup_.rubric, sample);
  const bool shown = std::any_of(
      prepared_.examples.begin(), prepared_.examples.end(), [&](const RatingExample& example) {
        return example.id == sample.id || rating_texts(setup_.rubric, example.sample) == own;
      });
  if (example_ && shown) {
    score.evidence.note +=
        fmt::format("{}the row is one of the {} examples: judged without itself among them",
                    score.evidence.note.empty() ? "" : "; ", prepared_.examples.size());
  }
  return score;
}

std::string rating_texts(const Rubric& rubric, const Sample& sample) {
  std::string texts;
  for (const Input& input : rubric.inputs) {
    std::string text = field_text(sample, input.field);
    if (input.field == "references" && !sample.fields.references.empty())
      text = sample.fields.references[0];
    if (text.empty()) continue;
    texts += (texts.empty() ? "" : "\n\n") + fence(input.shown, text);
  }
  return texts;
}

std::string numbered_steps(const Rubric& rubric) {
  std::string steps;
  for (std::size_t i = 0; i < rubric.steps.size(); ++i)
    steps += fmt::format("{}{}. {}", i == 0 ? "" : "\n", i + 1, rubric.steps[i]);
  return steps;
}

}  // namespace assay
