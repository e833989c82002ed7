#pragma once

#include <string>
#include <vector>

#include "assay/rubric.h"
#include "assay/verdict.h"
#include "methods/rubric_draft.h"

namespace assay {

// What a judge proposed, read from its lists; `problems` says in words what is wrong with it.
struct ProposedDimension {
  std::string id;
  std::string name;
  std::string definition;
};
struct ProposedTask {
  std::string introduction;
  std::vector<ProposedDimension> dimensions;
  std::vector<std::string> problems;
};
ProposedTask read_task_proposal(const Verdict& verdict, int most);

struct DraftFrame {  // what is the same in every rubric of a task
  std::string task;
  std::string language;
  std::string introduction;
  std::vector<Input> inputs;
};
// The rubric as YAML, and everything that `assay rubric check` or we find wrong with it.
RubricDraft draft_rubric(const DraftFrame& frame, const ProposedDimension& dimension,
                         const Verdict& verdict);

// The proposal as it came, for the judge to mend: a line per item.
std::string told(const Verdict& verdict);

// The fields that examples have; required where all have it. Without examples: source and output.
std::vector<Input> inputs_of(const std::vector<Row>& examples);

}  // namespace assay
