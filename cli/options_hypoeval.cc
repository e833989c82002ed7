#include "options_hypoeval.h"

#include <fmt/core.h>

#include <algorithm>

#include "assay/error.h"
#include "rubric/bank.h"

namespace assay::cli {
namespace {

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

void add_hypoeval_options(CLI::App& app, HypoEvalOptions& options) {
  const char* group = "HypoEval";
  app.add_option(
         "--bank", options.banks,
         "a hypothesis bank (`assay learn`); repeatable: banks of one dimension are averaged")
      ->group(group);
  app.add_flag("--joined", options.joined,
               "ablation: all hypotheses of a bank as one criterion, one score")
      ->group(group);
}

void add_learn_options(CLI::App& app, HypoOptions& o, LearnWords& words) {
  const char* group = "HypoEval";
  app.add_option("--from", words.from,
                 "what hypotheses are made from (ablations): both, data, literature, zero-shot")
      ->check(CLI::IsMember({"both", "data", "literature", "zero-shot"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--labels", o.labels, "how many labelled rows are learned from")
      ->capture_default_str()
      ->group(group);
  app.add_option("--initial", o.initial, "how many of them the first hypotheses are made from")
      ->capture_default_str()
      ->group(group);
  app.add_option("--hypotheses", o.hypotheses, "how many hypotheses are made at a time")
      ->capture_default_str()
      ->group(group);
  app.add_option("--top", o.top, "k: how many hypotheses score each further row")
      ->capture_default_str()
      ->group(group);
  app.add_option("--explore", o.explore, "alpha: weight of the exploration term of the reward")
      ->capture_default_str()
      ->group(group);
  app.add_option("--wrong-at", o.wrong_at, "theta: a score further off than this is wrong")
      ->capture_default_str()
      ->group(group);
  app.add_option("--wrong-share", o.wrong_share,
                 "w_hyp = this * k * i / labels: so many wrong scores make a wrong row")
      ->capture_default_str()
      ->group(group);
  app.add_option("--wrong-rows", o.wrong_rows, "w_max: so many wrong rows call for new hypotheses")
      ->capture_default_str()
      ->group(group);
  app.add_option("--refine", o.refine, "how often new hypotheses are refined")
      ->capture_default_str()
      ->group(group);
  app.add_option("--bank-size", o.bank, "how many hypotheses are kept at most")
      ->capture_default_str()
      ->group(group);
  app.add_option("--select", o.selected, "how many of them score rows in the end")
      ->capture_default_str()
      ->group(group);
  app.add_option(
         "--union", words.best,
         "which of the bank's halves stay: by lot (the paper), or the best (its released code)")
      ->check(CLI::IsMember({"random", "best"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--seeds", words.seeds, "a bank is learned for each; `eval` averages them")
      ->delimiter(',')
      ->capture_default_str()
      ->group(group);
  app.add_option("--layout", o.layout,
                 "order of a prompt's parts: long text first, or as in the paper")
      ->check(CLI::IsMember({"shared", "paper"}))
      ->capture_default_str()
      ->group(group);
}

BankWatch::BankWatch(const std::vector<std::string>& methods, const HypoEvalOptions& options,
                     const std::string& task, const std::vector<std::string>& dimensions) {
  if (!has(methods, "hypoeval")) return;
  for (const std::string& file : options.banks) {
    const Bank bank = load_bank(file);
    if (bank.task != task || !has(dimensions, bank.dimension)) {
      throw ConfigError(
          fmt::format("--bank {}: it is for {}/{}, which is not judged here; give --task {} "
                      "--dimension {}, or another bank",
                      file, bank.task, bank.dimension, bank.task, bank.dimension));
    }
    for (const LearnedBank& learned : bank.seeds)
      seen_.insert(learned.seen.begin(), learned.seen.end());
  }
}

void BankWatch::warn() const {
  if (met_ == 0) return;
  fmt::print(stderr,
             "assay: warning: {} of the rows were learned from by a bank given with --bank; "
             "agreement with people on them says little (each result's note names it)\n",
             met_);
}

}  // namespace assay::cli
