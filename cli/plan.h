#pragma once

#include <string>

#include "engine/plan.h"
#include "rubric/prices.h"

namespace assay::cli {

// The plan of a run for people (`table`) or machines (`json`): calls, tokens and cost by stage,
// exact or between bounds.
std::string plan_table(const Plan& plan, const PriceTable& prices);
std::string plan_json(const Plan& plan, const PriceTable& prices);

}  // namespace assay::cli
