#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "assay/judge.h"
#include "assay/method.h"
#include "assay/rubric.h"
#include "methods/rating_artefact.h"
#include "methods/two_options.h"
#include "text/template.h"

namespace assay {

// Options of SEEval, G-Eval, Analyze-Rate, Rate-Explain, direct and few-shot scoring. What is not
// set has the method's own default.
struct RateOptions {
  enum class Steps { kNone, kRubric, kGenerated };
  // Reads a rating out of a free reply; nothing where it finds none.
  using Rule = std::function<std::optional<double>(std::string_view reply)>;

  std::string layout = "shared";
  std::optional<ProbSource> probs;  // kSingle: one answer, no expected value (--probs none)
  std::optional<Steps> steps;
  bool reasoning = false;         // direct, few-shot: think aloud before the score
  int shots = 3;                  // few-shot: how many labelled rows are shown
  bool shots_random = false;      // drawn at random, in place of spread over the labels
  long shots_seed = 7;            // which of equally suitable rows are taken, and their order
  std::string parser = "strict";  // strict: ours, with repairs; else the name of `rule`
  Rule rule;  // of a parser other than strict; the layers above know the released ones

  std::string describe() const;  // everything above, for `run`
};

// What makes one rating method differ from another. Each lives in the method's own file.
struct RatingKind {
  enum class Form {
    kNumber,     // the score and nothing else
    kLine,       // a line "label: n", and nothing else wanted
    kLineLast,   // text, then the line
    kLineFirst,  // the line, then text
  };
  std::string name;    // as on the command line
  std::string prompt;  // id of the question about a row
  Form form = Form::kNumber;
  std::string label = "Rating";                    // of the line
  ProbSource probs{ProbSource::Kind::kSingle, 1};  // where --probs is not given
  RateOptions::Steps steps = RateOptions::Steps::kNone;
  bool explains = false;  // needs the judge's explanation of the task
  bool shows = false;     // needs labelled examples
};

using PromptSource = std::function<const Prompt&(const std::string& id)>;

// Everything a rating method stands on, checked: options with the method's defaults filled in.
// Throws ConfigError where the judge or the rubric cannot serve them; called before the preparation
// too, so that nothing is paid first.
struct RatingSetup {
  RatingKind kind;
  Rubric rubric;
  RateOptions options;  // probs and steps are set

  RatingSetup(RatingKind kind, Rubric rubric, RateOptions options, const Capabilities& judge);
  bool prepares() const;  // whether an artefact must be made first
  // The rubric's part of every prompt: introduction, definition, scale, anchors, inputs.
  TemplateValues base() const;
};

// A method that asks for one number on the rubric's scale. Thread-safe: const after construction.
class RatingMethod : public RowMethod {
 public:
  // Throws ConfigError where the artefact is missing or lacks a part the method needs.
  RatingMethod(RatingSetup setup, const PromptSource& prompts,
               const std::optional<Artefact>& artefact);

  std::string name() const override { return setup_.kind.name; }
  std::string dimension() const override { return setup_.rubric.id; }
  std::string layout() const override { return setup_.options.layout; }
  std::string settings() const override { return settings_; }
  Needs needs() const override;
  Step next(const Sample& sample, const Transcript& transcript) const override;

 private:
  Ask ask(const Sample& sample) const;
  AnswerSpec answer() const;
  std::string examples_for(const Sample& sample) const;
  Score score(const Sample& sample, const Round& round) const;

  RatingSetup setup_;
  RatingPrepared prepared_;
  Prompt prompt_;
  std::optional<Prompt> example_;
  std::string steps_;
  std::string settings_;
};

// The inputs of the dimension, fenced, in the rubric's order; of several references the first.
std::string rating_texts(const Rubric& rubric, const Sample& sample);

// "1. ...\n2. ..." of the rubric's steps.
std::string numbered_steps(const Rubric& rubric);

}  // namespace assay
