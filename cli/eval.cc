// `assay eval`: rows in, scores with their evidence out. Reads options, wires objects, calls the
// library.

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "assay/error.h"
#include "commands.h"
#include "engine/jury.h"
#include "engine/results.h"
#include "evaluation.h"
#include "judges/builtin.h"
#include "paid_run.h"
#include "plan.h"
#include "report/json.h"
#include "report/reporters.h"
#include "report/terminal.h"
#include "table.h"

namespace assay::cli {
namespace {

// Works in the order of results: row, then method and dimension and judge, then repeat.
class RowSource {
 public:
  RowSource(const Evaluation& evaluation, RowReader& reader)
      : evaluation_(evaluation), reader_(reader) {}

  std::unique_ptr<Work> next() {
    if (lane_ == evaluation_.lanes.size()) lane_ = 0, row_.reset();
    while (!row_) {
      std::optional<Row> row = reader_.next();
      if (!row) return nullptr;
      if (!evaluation_.left_out.contains(row->line))
        row_ = std::make_shared<const Row>(std::move(*row));
    }
    const Lane& lane = evaluation_.lanes[lane_];
    auto work = std::make_unique<RowWork>(row_, *lane.row, lane.judges, repeat_);
    if (++repeat_ == evaluation_.options.repeat) repeat_ = 0, ++lane_;
    return work;
  }

 private:
  const Evaluation& evaluation_;
  RowReader& reader_;
  std::shared_ptr<const Row> row_;  // the works of a row hold the same texts
  std::size_t lane_ = 0;
  int repeat_ = 0;
};

// Gathers the repeats of a row and lane, and reports them; the lines also go to the ledger.
class ResultSink {
 public:
  ResultSink(const Evaluation& evaluation, std::vector<std::unique_ptr<Reporter>>& reporters,
             Store* store)
      : evaluation_(evaluation),
        reporters_(reporters),
        store_(store),
        rule_(parse_jury_rule(evaluation.options.jury_rule)) {}

  void take(std::unique_ptr<Work> work) {
    repeats_.emplace_back(static_cast<RowWork*>(work.release()));
    if (static_cast<int>(repeats_.size()) < evaluation_.options.repeat) return;
    const Lane& lane = evaluation_.lanes[lane_];
    Result result = result_of(repeats_, lane.judge(), evaluation_.run);
    if (lane.seen.contains(result.id)) ++seen_;
    report(result);
    judges_.push_back(std::move(result));
    if (++lane_ == evaluation_.lanes.size()) lane_ = 0;
    const bool last_judge = lane_ == 0 || evaluation_.lanes[lane_].method != lane.method ||
                            evaluation_.lanes[lane_].dimension != lane.dimension;
    if (last_judge) {
      if (judges_.size() > 1) report(jury_result(judges_, rule_, evaluation_.options.normalize));
      judges_.clear();
    }
    repeats_.clear();
  }

  std::int64_t unscored() const { return unscored_; }
  std::int64_t results() const { return results_; }
  std::int64_t seen() const { return seen_; }  // results of rows that an artefact was made from
  const Named<Usage>& by_dimension() const { return by_dimension_; }

 private:
  void report(const Result& result) {
    if (!result.score) ++unscored_;
    const bool jury =
        result.judge_kind == "jury";  // its answers were counted with the judges who gave them
    if (!jury && find(by_dimension_, result.dimension) == nullptr)
      by_dimension_.emplace_back(result.dimension, Usage{});
    for (auto& [dimension, usage] : by_dimension_) {
      if (!jury && dimension == result.dimension) usage += result.usage;
    }
    for (auto& reporter : reporters_) reporter->add(repeats_.front()->row().sample, result);
    if (store_ != nullptr) store_->add_result(evaluation_.run, results_, result_json(result));
    ++results_;
  }

  const Evaluation& evaluation_;
  std::vector<std::unique_ptr<Reporter>>& reporters_;
  Store* store_;
  JuryRule rule_;
  std::vector<std::unique_ptr<RowWork>> repeats_;
  std::vector<Result> judges_;  // of one row, method and dimension
  std::size_t lane_ = 0;
  std::int64_t seen_ = 0;
  std::int64_t unscored_ = 0;
  std::int64_t results_ = 0;
  Named<Usage> by_dimension_;
};

int terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::clamp<int>(size.ws_col, 60, 120);
  return 100;
}

std::vector<std::unique_ptr<Reporter>> make_reporters(const Evaluation& evaluation) {
  const EvalOptions& options = evaluation.options;
  std::vector<std::unique_ptr<Reporter>> reporters;
  bool stdout_taken = false;
  for (const std::string& path : options.outputs) {
    stdout_taken = stdout_taken || path == "-";
    reporters.push_back(make_reporter(path));
  }
  if (options.quiet || stdout_taken) return reporters;
  TerminalOptions terminal;
  terminal.color = wants_colour(options.no_color);
  terminal.bars = isatty(STDOUT_FILENO) != 0;
  terminal.width = terminal_width();
  terminal.max_rows = static_cast<std::size_t>(std::max(0, options.shown));
  if (evaluation.first_judge().name() == "builtin") terminal.caveats.emplace_back(builtin_caveat());
  reporters.push_back(std::make_unique<TerminalReporter>(std::cout, terminal));
  return reporters;
}

// `--dry-run`: what would be asked, and what it would cost.
int plan(Evaluation& evaluation, const EngineOptions& setup, RowReader& reader, Store* store) {
  Planner planner(store);
  make_lanes(evaluation, setup, store, &planner);
  while (std::optional<Row> row = reader.next()) {
    if (evaluation.left_out.contains(row->line)) continue;
    const auto shared =
        std::make_shared<const Row>(std::move(*row));  // its works hold the same texts
    for (const Lane& lane : evaluation.lanes) {
      for (int repeat = 0; repeat < evaluation.options.repeat; ++repeat) {
        planner.add(
            [&] { return std::make_unique<RowWork>(shared, *lane.row, lane.judges, repeat); });
      }
    }
  }
  Plan plan = planner.plan();
  plan.rows = static_cast<std::int64_t>(evaluation.rows);
  return print_plan(plan, evaluation.options);
}

RunInfo run_info(const Evaluation& evaluation) {
  RunInfo info;
  info.id = evaluation.run;
  info.command = "eval";
  info.rows = static_cast<std::int64_t>(evaluation.rows);
  for (const Lane& lane : evaluation.lanes) {
    if (info.method.find(lane.method) == std::string::npos)
      info.method += (info.method.empty() ? "" : ",") + lane.method;
    if (info.judge.find(lane.judge().name()) == std::string::npos)
      info.judge += (info.judge.empty() ? "" : ",") + lane.judge().name();
  }
  info.options = run_options(evaluation);
  return info;
}

int evaluate(const EvalOptions& options) {
  Evaluation evaluation(options);
  evaluation.dimensions();
  for (const std::string& method : options.methods) {
    if (method_info(method).arity == Arity::kGroup)
      throw ConfigError(fmt::format(
          "--method {}: it scores the rows of a group together; use `assay rank`", method));
  }
  RowReader reader(options.ingest());
  check_input(evaluation, reader);
  PaidRun run(evaluation);
  if (options.dry_run) return plan(evaluation, run.setup(), reader, run.store());
  make_lanes(evaluation, run.setup(), run.store(), nullptr);
  std::vector<std::unique_ptr<Reporter>> reporters = make_reporters(evaluation);
  run.begin(run_info(evaluation));

  RowSource source(evaluation, reader);
  ResultSink sink(evaluation, reporters, run.store());
  const RunTotals totals = run.ask(
      [&] { return source.next(); },
      [&](std::unique_ptr<Work> work) { sink.take(std::move(work)); },
      static_cast<std::int64_t>(evaluation.rows * evaluation.lanes.size()) * options.repeat);
  if (!options.quiet && !evaluation.all_free()) print_spend(totals, sink.by_dimension());
  if (sink.seen() > 0)
    fmt::print(stderr,
               "assay: {} results are of rows that the method was prepared from; leave them out of "
               "any comparison\n",
               sink.seen());
  if (const std::optional<int> stopped = run.end(totals)) return *stopped;
  for (auto& reporter : reporters) reporter->finish();
  return scored_code(sink.unscored(), sink.results());
}

}  // namespace

void add_eval(CLI::App& app, int& exit_code) {
  CLI::App* eval = app.add_subcommand(
      "eval", "judge rows of text: a score per row and dimension, with its evidence");
  auto options =
      std::make_shared<EvalOptions>();  // shared with the callback, which outlives this function
  options->add_to(*eval);
  eval->footer(
      "Examples:\n"
      "  assay eval examples/summaries.jsonl\n"
      "  assay eval rows.jsonl -t summarization -d coherence,fluency -o results.jsonl\n"
      "  assay eval rows.jsonl -d consistency --judge openai:gpt-4o --record answers.jsonl -o "
      "results.jsonl\n"
      "  assay eval rows.jsonl -d consistency --judge openai:qwen3 --base-url "
      "http://localhost:8000/v1 --ask atomic --soft");
  eval->callback([options, &exit_code] { exit_code = evaluate(*options); });
}

}  // namespace assay::cli
