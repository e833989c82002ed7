#pragma once

#include <string>

#include "engine/plan.h"
#include "eval_options.h"

namespace assay::cli {

// `--dry-run`: prints the plan as options.plan_format says, for people (a table) or machines
// (JSON): calls, tokens and cost by stage, exact or between bounds. `heading` stands above a table.
// The exit code.
int print_plan(const Plan& plan, const EvalOptions& options, const std::string& heading = "");
// The same for a single work.
int print_plan_of(const Planner::MakeWork& make, Ledger* ledger, const EvalOptions& options);
// Where imagined answers lead nowhere, but the bounds on calls are known: the stage with these, at
// what a call costs on average in the way that was imagined.
StagePlan with_calls(StagePlan stage, Bounds calls, std::string decided_by);

}  // namespace assay::cli
