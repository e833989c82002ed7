#include "plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "commands.h"
#include "rubric/prices.h"
#include "table.h"
#include "text/json_text.h"

namespace assay::cli {
namespace {

std::string with_commas(std::int64_t n) {
  std::string digits = fmt::format("{}", n);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string text(const Bounds& bounds) {
  return bounds.exact()
             ? with_commas(bounds.least)
             : fmt::format("{} – {}", with_commas(bounds.least), with_commas(bounds.most));
}

struct Cost {
  double least = 0;
  double most = 0;
};

// Every prompt in full and no cached tokens is the most; prefixes shared and paid for as cached is
// the least.
std::optional<Cost> cost_of(const StagePlan& stage, const PriceTable& prices) {
  const std::optional<TokenPrice> price = prices.find(stage.judge);
  if (!price) return std::nullopt;
  const auto usd = [](double tokens, double per_million) { return tokens * per_million / 1e6; };
  const auto full = static_cast<double>(stage.prompt_tokens.least);
  const auto fresh = static_cast<double>(stage.shared_tokens.least);
  Cost cost;
  cost.least = usd(fresh, price->input) + usd(full - fresh, price->cached) +
               usd(static_cast<double>(stage.reply_tokens.least), price->output);
  cost.most = usd(static_cast<double>(stage.prompt_tokens.most), price->input) +
              usd(static_cast<double>(stage.reply_tokens.most), price->output);
  return cost;
}

std::string text(const std::optional<Cost>& cost) {
  if (!cost) return "no price known";
  return fmt::format("${:.4f} – ${:.4f}", cost->least, cost->most);
}

void add(Bounds& sum, const Bounds& more) {
  sum.least += more.least;
  sum.most += more.most;
}

std::string plan_table(const Plan& plan, const PriceTable& prices) {
  Table table;
  for (const char* name : {"stage", "judge"}) table.column(name, false);
  for (const char* name : {"calls", "prompt tokens", "prefixes shared", "reply tokens", "cost"})
    table.column(name, true);
  StagePlan total;
  std::optional<Cost> sum = Cost{};
  std::string why;
  for (const StagePlan& stage : plan.stages) {
    const std::optional<Cost> cost = cost_of(stage, prices);
    table.rows.push_back({stage.stage, stage.judge, text(stage.calls), text(stage.prompt_tokens),
                          text(stage.shared_tokens), text(stage.reply_tokens), text(cost)});
    add(total.calls, stage.calls);
    add(total.prompt_tokens, stage.prompt_tokens);
    add(total.shared_tokens, stage.shared_tokens);
    add(total.reply_tokens, stage.reply_tokens);
    if (sum && cost)
      sum = Cost{sum->least + cost->least, sum->most + cost->most};
    else
      sum.reset();
    if (!stage.calls.exact())
      why += fmt::format("{}: how many calls depends on the replies of {}.\n", stage.stage,
                         stage.decided_by.empty() ? "an earlier stage" : stage.decided_by);
  }
  table.rows.push_back({"total", "", text(total.calls), text(total.prompt_tokens),
                        text(total.shared_tokens), text(total.reply_tokens), text(sum)});
  std::string out;
  if (plan.rows > 0)
    out += fmt::format("{} {}, {} scores{}\n", with_commas(plan.rows),
                       plan.rows == 1 ? "row" : "rows", with_commas(plan.works),
                       plan.works % plan.rows == 0 ? "" : " and preparations");
  out += render(table, Format::kTable, wants_colour(false));
  if (plan.known > 0)
    out += fmt::format("{} calls are in the ledger already and cost nothing.\n",
                       with_commas(plan.known));
  out += why;
  out +=
      "Tokens are an estimate (about 10 % on English prose); repairs and retries are not foreseen; "
      "nothing was sent.\n";
  return out;
}

std::string plan_json(const Plan& plan, const PriceTable& prices) {
  const auto bounds = [](const Bounds& b) { return fmt::format("[{},{}]", b.least, b.most); };
  std::string stages;
  for (const StagePlan& stage : plan.stages) {
    const std::optional<Cost> cost = cost_of(stage, prices);
    stages += fmt::format(
        R"({}{{"stage":{},"judge":{},"calls":{},"prompt_tokens":{},"shared_tokens":{},"reply_tokens":{},"usd":{},"decided_by":{}}})",
        stages.empty() ? "" : ",", json_text(stage.stage), json_text(stage.judge),
        bounds(stage.calls), bounds(stage.prompt_tokens), bounds(stage.shared_tokens),
        bounds(stage.reply_tokens), cost ? fmt::format("[{},{}]", cost->least, cost->most) : "null",
        stage.calls.exact() ? "null" : json_text(stage.decided_by));
  }
  return fmt::format(R"({{"rows":{},"works":{},"known":{},"stages":[{}]}})", plan.rows, plan.works,
                     plan.known, stages) +
         "\n";
}

}  // namespace

StagePlan with_calls(StagePlan stage, Bounds calls, std::string decided_by) {
  const auto before = static_cast<double>(std::max<std::int64_t>(1, stage.calls.most));
  for (Bounds* tokens : {&stage.prompt_tokens, &stage.shared_tokens, &stage.reply_tokens}) {
    const double each = static_cast<double>(tokens->most) / before;
    *tokens = {std::llround(each * static_cast<double>(calls.least)),
               std::llround(each * static_cast<double>(calls.most))};
  }
  stage.reply_tokens.least = calls.least;  // a word each
  stage.calls = calls;
  stage.decided_by = std::move(decided_by);
  return stage;
}

int print_plan(const Plan& plan, const EvalOptions& options, const std::string& heading) {
  const PriceTable prices = PriceTable::load(options.judges.prices);
  if (options.plan_format == "json") {
    fmt::print("{}", plan_json(plan, prices));
  } else {
    fmt::print("{}{}", heading, plan_table(plan, prices));
  }
  return kWell;
}

int print_plan_of(const Planner::MakeWork& make, Ledger* ledger, const EvalOptions& options) {
  Planner planner(ledger);
  planner.add(make);
  return print_plan(planner.plan(), options);
}

}  // namespace assay::cli
