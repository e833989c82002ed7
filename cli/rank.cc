// `assay rank`: the rows of each group ranked by pairwise preference (PairS). Reads options, wires
// objects, calls the library. Results are the lines of `assay eval`, group by group, the best row
// first.

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <map>

#include "assay/error.h"
#include "commands.h"
#include "core/hash.h"
#include "core/json_text.h"
#include "evaluation.h"
#include "judges/recording.h"
#include "options_pairs.h"
#include "progress.h"
#include "report/json.h"
#include "report/reporters.h"
#include "table.h"

namespace assay::cli {
namespace {

std::atomic<bool> g_interrupted{false};  // written by the signal handler, nowhere else

using Groups = std::vector<std::vector<Sample>>;

// In the order in which groups first appear; a group's rows need not stand together.
Groups read_groups(const Evaluation& evaluation, RowReader& reader, bool one_group) {
  Groups groups;
  std::map<std::string, std::size_t> places;
  while (std::optional<Row> row = reader.next()) {
    if (evaluation.left_out.contains(row->line)) continue;
    const auto [place, is_new] = places.emplace(one_group ? "" : row->sample.group, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(std::move(row->sample));
  }
  const bool any =
      std::any_of(groups.begin(), groups.end(), [](const auto& group) { return group.size() > 1; });
  if (any) return groups;
  throw ConfigError(
      fmt::format("{}: no group has two rows to compare; rows of one `group` are ranked together "
                  "(--map group=KEY if it has another name, --one-group to rank all rows as one)",
                  reader.name()));
}

Result result_of(const Sample& sample, const Score& score, const GroupWork& work,
                 const Judge& judge, const std::string& run) {
  Result result;
  result.id = sample.id;
  result.group = sample.group;
  result.system = sample.system;
  result.dimension = work.method().dimension();
  result.method = work.method().name();
  result.judge = judge.name();
  result.judge_kind = judge.kind();
  result.layout = work.method().layout();
  result.score = score.score;
  result.scale = score.scale;
  result.reason = score.reason;
  result.evidence = score.evidence;
  result.run = run;
  return result;
}

// Takes the groups as they are done, and writes their rows, best first.
class RankSink {
 public:
  RankSink(const Evaluation& evaluation, std::vector<std::unique_ptr<Reporter>>& reporters,
           Store* store)
      : evaluation_(evaluation), reporters_(reporters), store_(store) {
    for (const char* name : {"group", "dimension", "judge"}) table_.column(name, false);
    table_.column("rank", true);
    for (const char* name : {"id", "system"}) table_.column(name, false);
    table_.column("score", true);
  }

  void take(const GroupWork& work) {
    const Judge& judge = evaluation_.lanes[lane_].judge();
    if (++lane_ == evaluation_.lanes.size()) lane_ = 0;
    std::vector<std::size_t> order(work.samples().size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto score = [&](std::size_t i) { return work.scores()[i].score.value_or(-1); };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return score(a) > score(b); });
    for (std::size_t place = 0; place < order.size(); ++place) {
      const std::size_t i = order[place];
      Result result = result_of(work.samples()[i], work.scores()[i], work, judge, evaluation_.run);
      if (place == 0)
        result.usage = work.usage, result.stages = work.stages;  // asked for all of them together
      add(work.samples()[i], result, place + 1);
    }
  }

  std::int64_t unscored() const { return unscored_; }
  std::int64_t results() const { return results_; }

  void print(bool no_color) const {
    fmt::print("{}", render(table_, Format::kTable, wants_colour(no_color)));
    const auto hidden = static_cast<std::size_t>(results_) - table_.rows.size();
    if (hidden > 0)
      fmt::print("and {} rows more; -o FILE writes all of them, --show N shows more\n", hidden);
  }

 private:
  void add(const Sample& sample, const Result& result, std::size_t rank) {
    for (auto& reporter : reporters_) reporter->add(sample, result);
    if (store_ != nullptr) store_->add_result(evaluation_.run, results_, result_json(result));
    ++results_;
    if (!result.score) ++unscored_;
    if (static_cast<int>(table_.rows.size()) >= evaluation_.options.shown) return;
    table_.rows.push_back({result.group, result.dimension, result.judge,
                           result.score ? fmt::format("{}", rank) : "-", result.id, result.system,
                           fixed(result.score)});
  }

  const Evaluation& evaluation_;
  std::vector<std::unique_ptr<Reporter>>& reporters_;
  Store* store_;
  Table table_;
  std::size_t lane_ = 0;
  std::int64_t unscored_ = 0;
  std::int64_t results_ = 0;
};

RunInfo run_info(const Evaluation& evaluation) {
  RunInfo info;
  info.id = evaluation.run;
  info.created = std::chrono::duration_cast<std::chrono::seconds>(
                     std::chrono::system_clock::now().time_since_epoch())
                     .count();
  info.command = "rank";
  info.rows = static_cast<std::int64_t>(evaluation.rows);
  info.method = "pairs";
  for (const Judge* judge : evaluation.jury)
    info.judge += (info.judge.empty() ? "" : ",") + judge->name();
  info.options = fmt::format("{{\"task\":{},\"dimensions\":{}}}",
                             json_text(evaluation.options.task), evaluation.dimensions().size());
  return info;
}

int finish(const Evaluation& evaluation, const RunTotals& totals, const RankSink& sink,
           std::vector<std::unique_ptr<Reporter>>& reporters, Store* store) {
  for (const auto& judge : evaluation.owned) {
    for (const std::string& remark : judge->remarks())
      fmt::print(stderr, "assay: {}: {}\n", judge->name(), remark);
  }
  const bool stopped = totals.stop != StopReason::kNone;
  if (store != nullptr) {
    const std::string error = store->finish_run(
        evaluation.run, static_cast<std::int64_t>(evaluation.rows), stopped ? "stopped" : "done");
    if (!error.empty()) fmt::print(stderr, "assay: the ledger could not keep the run: {}\n", error);
  }
  if (stopped) {
    fmt::print(
        stderr,
        "assay: stopped: {}; what was answered is kept: the same command goes on from here\n",
        totals.stop_detail);
    if (totals.stop == StopReason::kStore) return kUsage;
    return totals.stop == StopReason::kInterrupted ? kInterrupted : kStopped;
  }
  const std::vector<std::string>& outputs = evaluation.options.outputs;
  for (auto& reporter : reporters) reporter->finish();
  if (!evaluation.options.quiet && std::find(outputs.begin(), outputs.end(), "-") == outputs.end())
    sink.print(evaluation.options.no_color);
  if (sink.unscored() == 0) return kWell;
  fmt::print(stderr, "assay: {} of {} rows are unscored; each says why in `reason`\n",
             sink.unscored(), sink.results());
  return kUnscored;
}

// `--dry-run`: how much would be asked.
int print_plan(const Evaluation& evaluation, const Groups& groups) {
  const PairsOptions& pairs = evaluation.options.families.pairs;
  const auto times = evaluation.lanes.size() * (pairs.both_orders ? 2 : 1) *
                     static_cast<std::size_t>(pairs.probs.samples);
  PairSort::Count all;
  for (const auto& group : groups) {
    const PairSort::Count count = PairSort::comparisons(group.size(), pairs.sort.beam);
    all.least += count.least;
    all.most += count.most;
  }
  fmt::print("{} rows in {} groups: {} to {} comparisons, {} to {} calls\n", evaluation.rows,
             groups.size(), all.least, all.most, all.least * times, all.most * times);
  return kWell;
}

int rank(RankOptions& options) {
  EvalOptions& eval = options.eval;
  eval.methods = {"pairs"};
  eval.families.pairs = options.pairs.parsed();
  eval.families.pairs.layout = eval.layout;
  Evaluation evaluation(eval);
  RowReader reader(eval.ingest());
  check_input(evaluation, reader);
  const Groups groups = read_groups(evaluation, reader, options.one_group);
  const std::unique_ptr<Store> store = make_store(evaluation);
  EngineOptions setup = engine_options(evaluation);
  setup.interrupted = &g_interrupted;
  std::signal(SIGINT, [](int) { g_interrupted = true; });
  std::signal(SIGTERM, [](int) { g_interrupted = true; });
  make_lanes(evaluation, setup, store.get(), nullptr);
  if (eval.dry_run) return print_plan(evaluation, groups);
  std::unique_ptr<Recorder> recorder;
  if (!eval.record.empty()) {
    recorder = std::make_unique<Recorder>(eval.record);
    setup.on_answer = [&](const Judge& judge, const Request& request, const Reply& reply) {
      recorder->write(judge, request, reply);
    };
  }
  if (options.one_group)
    evaluation.run =
        Hasher().add(evaluation.run).add("one group").hex().substr(0, evaluation.run.size());
  std::vector<std::unique_ptr<Reporter>> reporters;
  for (const std::string& path : eval.outputs) reporters.push_back(make_reporter(path));
  if (store) store->begin_run(run_info(evaluation));

  std::size_t next = 0;
  const std::size_t works = groups.size() * evaluation.lanes.size();
  const auto source = [&]() -> std::unique_ptr<Work> {
    if (next == works) return nullptr;
    const Lane& lane = evaluation.lanes[next % evaluation.lanes.size()];
    return std::make_unique<GroupWork>(groups[next++ / evaluation.lanes.size()], *lane.group,
                                       lane.judges, 0);
  };
  RankSink sink(evaluation, reporters, store.get());
  ProgressLine progress(ProgressLine::form_for(eval.quiet, eval.json_progress),
                        static_cast<std::int64_t>(works));
  const RunTotals totals = Engine(setup, store.get())
                               .run(
                                   source,
                                   [&](const std::unique_ptr<Work>& work) {
                                     sink.take(static_cast<const GroupWork&>(*work));
                                   },
                                   [&](const Progress& p) { progress.show(p); });
  progress.clear();
  return finish(evaluation, totals, sink, reporters, store.get());
}

}  // namespace

void add_rank(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand("rank", "rank the rows of each group by pairwise preference");
  auto options =
      std::make_shared<RankOptions>();  // shared with the callback, which outlives this function
  add_rank_options(*verb, *options);
  verb->footer(
      "Examples:\n"
      "  assay rank rows.jsonl -t summarization -d coherence --judge openai:gpt-4o -o "
      "ranking.jsonl\n"
      "  assay rank rows.jsonl -d relevance --judge openai:gpt-4o --both-orders --beam 100 "
      "--prob-gap 0.15\n"
      "  assay rank rows.csv -d fluency --judge openai:qwen3 --base-url http://localhost:8000/v1 "
      "--probs none");
  verb->callback([options, &exit_code] { exit_code = rank(*options); });
}

}  // namespace assay::cli
