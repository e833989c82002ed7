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

}  // namespace assay::cli
