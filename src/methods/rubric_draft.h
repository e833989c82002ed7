#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "assay/method.h"
#include "assay/rubric.h"
#include "text/template.h"

namespace assay {

struct RubricDraftOptions {
  std::string language = "en";
  int most = 6;               // dimensions
  std::vector<Input> inputs;  // what a judge will be shown; empty: what the examples have

  void validate() const;  // throws ConfigError
  std::string describe() const;
};

// One drafted rubric. With problems it is not fit for use.
struct RubricDraft {
  std::string dimension;
  std::string yaml;
  std::vector<std::string> problems;
};

struct RubricDrafts {
  std::string task;
  std::vector<std::string> problems;  // why there are no drafts, or fewer than proposed
  std::vector<RubricDraft> drafts;
};

// Reads the artefact that RubricDrafting makes.
RubricDrafts read_drafts(const Artefact& artefact);

// Rubrics for a new task, proposed by a judge from a description (`texts[0]` of the preparation)
// and examples
// (`labelled`; their ratings are not shown). docs/methods/rubric-draft.md. Thread-safe: const after
// construction.
class RubricDrafting : public PrepareMethod {
 public:
  using Prompts = std::function<const Prompt&(const std::string& id)>;
  RubricDrafting(const Prompts& prompts, RubricDraftOptions options);  // throws ConfigError

  std::string name() const override { return "rubric draft"; }
  std::string dimension() const override { return {}; }
  std::string settings() const override { return settings_; }
  Needs needs() const override;
  PrepareStep next(const Preparation& preparation, const Transcript& transcript) const override;

 private:
  Question ask(const Prompt& prompt, const Preparation& preparation, TemplateValues values,
               std::vector<std::string> names, std::string label) const;

  Prompt dimensions_;
  Prompt one_;
  RubricDraftOptions options_;
  std::string settings_;
};

}  // namespace assay
