#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "assay/method.h"
#include "assay/rubric.h"
#include "rubric/checklist.h"

namespace assay {

struct ChecklistBuildOptions {
  bool augment = true;  // false: the seeds only (the paper's ablation)
  bool filter = true;   // false: nothing is filtered by the judge (the paper's ablation)
  int diversify_least = 1, diversify_most = 4;
  int elaborate_least = 3, elaborate_most = 10;

  std::string describe() const;
};

// Grows a checklist from its seed questions (CheckEval, 3.2). The artefact is the list as YAML, of
// kind "checklist"; where an answer failed there is none: the kind is then "failed" and the body
// says in one line what happened. Thread-safe: const after construction.
class ChecklistBuild : public PrepareMethod {
 public:
  using Prompts = std::function<const Prompt&(const std::string& id)>;
  static constexpr const char* kFailure = "failed";

  // `seeds`: the seed questions of this list are grown; `others`: the task's other dimensions,
  // which questions must not ask about. Throws ConfigError where the list has no seed.
  ChecklistBuild(Rubric rubric, Checklist seeds, std::vector<std::string> others,
                 const Prompts& prompts, ChecklistBuildOptions options);

  std::string name() const override { return "checklist build"; }
  std::string dimension() const override { return rubric_.id; }
  std::string settings() const override { return settings_; }
  Needs needs() const override;
  PrepareStep next(const Preparation& preparation, const Transcript& transcript) const override;

 private:
  using Values = std::map<std::string, std::string, std::less<>>;

  Ask ask_growth() const;
  Ask ask_filter(const Checklist& pool) const;
  Checklist grown(const Round& round) const;
  Values values() const;

  Rubric rubric_;
  Checklist seeds_;
  std::vector<std::string> others_;
  ChecklistBuildOptions options_;
  Prompt diversify_, elaborate_, filter_;
  std::string settings_;
};

// What the judge's reasons do to a pool: `reasons` holds for every question id the criteria it
// fails ("alignment", "dimension", "style") or the ids of questions it repeats. Of questions that
// repeat each other one is kept. Pure.
void drop_filtered(Checklist& pool, const Named<std::vector<std::string>>& reasons);

// What no judge is needed for: a grown text that is no question, words by which a yes looks bad, a
// text that is already there. Such a question is kept in the list as dropped.
void drop_malformed(Checklist& pool);

}  // namespace assay
