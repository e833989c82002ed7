#include "eval_options.h"

#include <algorithm>

#include "checks.h"
#include "options_checkeval.h"
#include "options_decompeval.h"
#include "options_hypoeval.h"
#include "options_rating.h"

namespace assay::cli {
namespace {

bool has(const std::vector<std::string>& words, const char* word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void add_seal(CLI::App& app, EvalOptions& o) {
  const char* group = "SEAL";
  app.add_option("--ask", o.ask,
                 "all units of a sub-dimension in one call, or one yes/no question each")
      ->check(CLI::IsMember({"batched", "atomic"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--weights", o.weights,
                 "who weighs sub-dimensions: the judge per row, nobody, the rubric")
      ->check(CLI::IsMember({"judge", "uniform", "fixed"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--facts", o.facts,
                 "one question per text, or one for all texts of a row (the paper)")
      ->check(CLI::IsMember({"separate", "joint"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--splitter", o.splitter,
                 "who splits sentences: our splitter, or the judge (the paper)")
      ->check(CLI::IsMember({"own", "judge"}))
      ->capture_default_str()
      ->group(group);
  app.add_option(
         "--source-units", o.source_units,
         "what units are checked against: facts the judge extracts, or the source's sentences")
      ->check(CLI::IsMember({"facts", "sentences"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--reference", o.reference, "which references are used")
      ->check(CLI::IsMember({"first", "all"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--threshold", o.threshold,
                 "texts of fewer sentences or facts are judged whole; 0: none is [the rubric's]")
      ->check(not_negative())
      ->group(group);
  app.add_option("--ablate", o.ablate, "leave out: decomposition, verification, weights")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->check(CLI::IsMember({"decomposition", "verification", "weights"}))
      ->group(group);
  app.add_flag("--links", o.links, "with --ask atomic: also ask which source facts support a unit")
      ->group(group);
  app.add_flag("--soft", o.soft, "add up P(yes) instead of yes/no")->group(group);
}

}  // namespace

void EvalOptions::add_run(CLI::App& app) {
  const char* group = "Run";
  app.add_flag("--dry-run", dry_run, "say what would be asked and what it would cost; send nothing")
      ->group(group);
  app.add_option("--format", plan_format, "of --dry-run: table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--budget", budget_usd, "stop before this many US dollars are crossed, resumable")
      ->check(not_negative())
      ->group(group);
  app.add_option("--max-calls", max_calls, "stop before a call more than this, resumable")
      ->check(not_negative())
      ->group(group);
  app.add_option("--deadline", deadline_s, "stop after this many seconds, resumable")
      ->check(above_zero())
      ->group(group);
  app.add_option("--store", store,
                 "the ledger: nothing in it is paid for twice; `none` keeps nothing [per user]")
      ->group(group);
  app.add_flag("--no-cache", no_cache, "ask again what the ledger knows; still record it")
      ->group(group);
  app.add_option("--record", record,
                 "write every question and reply to FILE, for --judge replay:FILE")
      ->group(group);
  app.add_flag("--json-progress", json_progress, "a line of JSON on standard error every second")
      ->group(group);
}

void EvalOptions::add_to(CLI::App& app) {
  app.add_option("rows", rows, "JSON Lines or CSV with at least `output`; - for standard input")
      ->required();
  app.add_option("-t,--task", task, "see `assay rubric list`")->capture_default_str();
  app.add_option("-d,--dimension", dimensions, "one or more, comma-separated [all of the task]")
      ->allow_extra_args(false)
      ->delimiter(',');
  app.add_option("-m,--method", methods, "see `assay methods`")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--judge", judges_named, "see `assay judges`; repeat for a jury")
      ->allow_extra_args(false)
      ->capture_default_str();
  app.add_option("--jury", jury_rule,
                 "what a jury's score is: mean, median, or majority over verdicts")
      ->check(CLI::IsMember({"mean", "median", "majority"}))
      ->capture_default_str();
  app.add_option("--units-by", units_by,
                 "the judge whose units and facts the whole jury judges [the first]");
  app.add_flag("--normalize", normalize, "bring a jury's scores on different scales to [0,1]");
  app.add_option("--labelled", labelled,
                 "rows with human ratings, for methods that prepare from examples (few-shot)");
  app.add_option("--artefacts", artefacts,
                 "a folder for what methods prepare (steps, explanations): kept there, and read "
                 "from there when it is, edited or not");
  app.add_option("--role", roles, "another judge for a role: generator=JUDGE; repeatable")
      ->allow_extra_args(false);
  app.add_option("--rubrics", rubrics, "a folder or file of your own rubrics and prompts");
  app.add_option("--layout", layout,
                 "order of a prompt's parts: long text first, or as in the paper")
      ->check(CLI::IsMember({"shared", "paper"}))
      ->capture_default_str();
  app.add_option("-o,--output", outputs,
                 "write results: .jsonl, .csv or .md by extension, - for JSON Lines on standard "
                 "output; repeatable")
      ->allow_extra_args(false);
  app.add_option("--map", map, "FIELD=KEY: where a field stands in your rows; repeatable")
      ->allow_extra_args(false);
  app.add_option("--input-format", input_format, "auto, jsonl, csv or tsv")->capture_default_str();
  app.add_option("--on-error", on_error,
                 "a bad row stops the run before anything is spent, or is skipped and listed")
      ->check(CLI::IsMember({"stop", "skip"}))
      ->capture_default_str();
  app.add_option("--limit", limit, "judge only the first N rows")->check(above_zero());
  app.add_option("--show", shown, "how many rows the terminal shows, worst first")
      ->capture_default_str();
  app.add_flag("-q,--quiet", quiet, "no table and no progress");
  app.add_flag("--no-color", no_color, "no colour, also on a terminal [NO_COLOR]");
  judges.add_to(app);
  add_run(app);
  app.add_option("--repeat", repeat, "judge every row K times: mean and standard deviation")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str()
      ->group("Run");
  add_seal(app, *this);
  app.add_option("--probs", probs,
                 "where probabilities come from: none, logprobs, or sample:N draws at temperature "
                 "1 [each method's own]")
      ->group("Method");
  add_rating_options(app, families.rating);
  // Every other method adds its options to its part of `families`, one line each.
  add_hypoeval_options(app, families.hypoeval);
  add_decompeval_options(app, families.decompeval);
  add_checkeval_options(app, families.checkeval);
}

IngestOptions EvalOptions::ingest() const {
  IngestOptions ingest;
  ingest.path = rows;
  ingest.format = parse_row_format(input_format);
  ingest.skip_bad = on_error == "skip";
  ingest.limit = limit;
  for (const std::string& entry : map) ingest.map.push_back(parse_map(entry));
  ingest.validate();
  return ingest;
}

MethodOptions EvalOptions::method() const {
  MethodOptions options = families;
  options.rating.layout = layout;
  if (!probs.empty()) options.rating.probs = ProbSource::parse(probs);
  SealOptions& seal = options.seal;
  seal.layout = layout;
  seal.ask = ask == "atomic" ? SealOptions::Asking::kAtomic : SealOptions::Asking::kBatched;
  const bool even = weights == "uniform" || has(ablate, "weights");
  seal.weights = even                 ? SealOptions::Weighing::kUniform
                 : weights == "fixed" ? SealOptions::Weighing::kFixed
                                      : SealOptions::Weighing::kJudge;
  seal.joint_facts = facts == "joint";
  seal.judge_splits = splitter == "judge";
  seal.source_sentences = source_units == "sentences";
  seal.all_references = reference == "all";
  seal.links = links;
  seal.decompose = !has(ablate, "decomposition");
  seal.verify = !has(ablate, "verification");
  seal.soft = soft;
  if (threshold >= 0) seal.threshold = threshold;
  options.checkeval.layout = layout;
  options.hypoeval.layout = layout;
  options.decompeval.layout = layout;
  options.decompeval.all_references = reference == "all";
  if (!probs.empty()) options.decompeval.probs = ProbSource::parse(probs);
  return options;
}

}  // namespace assay::cli
