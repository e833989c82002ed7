#include "options_rating.h"

#include <map>

#include "answer/released_parsers.h"

namespace assay::cli {
namespace {

using Steps = RateOptions::Steps;

// The released rules live with the other parsers, which methods do not include: they get the
// function.
void set_parser(RateOptions& options, const std::string& name) {
  options.parser = name;
  options.rule = nullptr;
  const std::optional<ReplyRule> rule = reply_rule_of(name);
  if (rule == ReplyRule::kChiangLee) {
    options.rule = [](std::string_view reply) { return rating_in(reply, ReplyRule::kChiangLee); };
  } else if (rule == ReplyRule::kGEval) {
    // A reply without a number counts 0 in that release.
    options.rule = [](std::string_view reply) {
      return std::optional(rating_in(reply, ReplyRule::kGEval).value_or(0));
    };
  }
}

}  // namespace

void add_rating_options(CLI::App& app, RateOptions& options) {
  const char* group = "SEEval, G-Eval, Analyze-Rate, Rate-Explain, direct, few-shot";
  app.add_option_function<std::string>(
         "--steps",
         [&options](const std::string& name) {
           const std::map<std::string, Steps> known = {{"none", Steps::kNone},
                                                       {"rubric", Steps::kRubric},
                                                       {"generated", Steps::kGenerated}};
           options.steps = known.at(name);
         },
         "evaluation steps: none, the rubric's, or written by the judge once for a dimension "
         "[generated in g-eval and seeval, else none]")
      ->check(CLI::IsMember({"none", "rubric", "generated"}))
      ->group(group);
  app.add_option_function<std::string>(
         "--parser", [&options](const std::string& name) { set_parser(options, name); },
         "how a rating is read: strictly and with repairs, or by a released rule that published "
         "numbers depend on [strict]")
      ->check(CLI::IsMember({"strict", "chiang-lee", "geval"}))
      ->group(group);
  app.add_flag("--reasoning", options.reasoning, "direct, few-shot: reasons before the score")
      ->group(group);
  app.add_option("--shots", options.shots, "few-shot: how many labelled rows are shown")
      ->check(CLI::Range(1, 50))
      ->capture_default_str()
      ->group(group);
  app.add_flag_callback(
         "--shots-random", [&options] { options.shots_random = true; },
         "few-shot: rows drawn at random [spread over the labels]")
      ->group(group);
  app.add_option("--shots-seed", options.shots_seed,
                 "few-shot: which of equally suitable rows are shown, and their order")
      ->capture_default_str()
      ->group(group);
}

}  // namespace assay::cli
