#include "options_pairs.h"

#include "checks.h"

namespace assay::cli {
namespace {

void add_pairs_options(CLI::App& app, PairsArguments& arguments) {
  const char* group = "Ranking";
  PairSort::Options& sort = arguments.options.sort;
  app.add_option("--beam", sort.beam,
                 "ways of merging kept; 1 is a plain merge sort, the authors used 100")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str()
      ->group(group);
  app.add_option("--prob-gap", sort.gap,
                 "both ways are followed where |P(A) - 0.5| is at most this; the authors used 0.15")
      ->check(CLI::Range(0.0, 0.5))
      ->capture_default_str()
      ->group(group);
  app.add_option("--seed", sort.seed, "of the shuffle before the sort")
      ->capture_default_str()
      ->group(group);
  app.add_flag("--both-orders", arguments.options.both_orders,
               "ask every pair both ways round and average: twice the calls, no bias to one place")
      ->group(group);
  app.add_option(
         "--undecided", arguments.undecided,
         "a pair without a readable preference: its group stays unscored, or it counts as 0.5")
      ->check(CLI::IsMember({"unscored", "half"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--probs", arguments.probs,
                 "where P(A) comes from: logprobs, sample:N (the share of N draws), or none (the "
                 "answer counts as 1 or 0)")
      ->capture_default_str()
      ->group(group);
}

}  // namespace

PairsOptions PairsArguments::parsed() const {
  PairsOptions all = options;
  all.undecided_half = undecided == "half";
  all.probs = ProbSource::parse(probs);
  all.validate();
  return all;
}

void add_rank_options(CLI::App& app, RankOptions& options) {
  EvalOptions& o = options.eval;
  o.shown = 20;
  app.add_option("rows", o.rows,
                 "JSON Lines or CSV with `output` and `group`; - for standard input")
      ->required();
  app.add_option("-t,--task", o.task, "see `assay rubric list`")->capture_default_str();
  app.add_option("-d,--dimension", o.dimensions, "one or more, comma-separated")
      ->delimiter(',')
      ->required();
  app.add_option("--judge", o.judges_named,
                 "a language model: see `assay judges`; repeat for several")
      ->required()
      ->allow_extra_args(false);
  app.add_option("--rubrics", o.rubrics, "a folder or file of your own rubrics and prompts");
  app.add_option("--layout", o.layout,
                 "order of a prompt's parts: long text first, or as in the paper")
      ->check(CLI::IsMember({"shared", "paper"}))
      ->capture_default_str();
  app.add_option("-o,--output", o.outputs,
                 "write results: .jsonl, .csv or .md by extension, - for JSON Lines on standard "
                 "output; repeatable")
      ->allow_extra_args(false);
  app.add_option("--map", o.map, "FIELD=KEY: where a field stands in your rows; repeatable")
      ->allow_extra_args(false);
  app.add_flag("--one-group", options.one_group, "rank all rows together, whatever their group");
  app.add_option("--input-format", o.input_format, "auto, jsonl, csv or tsv")
      ->capture_default_str();
  app.add_option("--on-error", o.on_error,
                 "a bad row stops the run before anything is spent, or is skipped and listed")
      ->check(CLI::IsMember({"stop", "skip"}))
      ->capture_default_str();
  app.add_option("--limit", o.limit, "read only the first N rows")->check(above_zero());
  app.add_option("--show", o.shown, "how many rows the terminal shows")->capture_default_str();
  app.add_flag("-q,--quiet", o.quiet, "no table and no progress");
  app.add_flag("--no-color", o.no_color, "no colour, also on a terminal [NO_COLOR]");
  o.judges.add_to(app);
  o.add_run(app);
  add_pairs_options(app, options.pairs);
}

}  // namespace assay::cli
