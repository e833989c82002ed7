// `assay rank`: the rows of each group ranked by pairwise preference (PairS). Reads options, wires
// objects, calls the library. Results are the lines of `assay eval`, group by group, the best row
// first.

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "assay/error.h"
#include "commands.h"
#include "core/hash.h"
#include "engine/results.h"
#include "evaluation.h"
#include "options_pairs.h"
#include "paid_run.h"
#include "plan.h"
#include "report/json.h"
#include "report/reporters.h"
#include "table.h"

namespace assay::cli {
namespace {

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
      Result result = result_header(work.samples()[i], work.method(), judge, evaluation_.run);
      set_score(result, work.scores()[i]);
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
  info.command = "rank";
  info.rows = static_cast<std::int64_t>(evaluation.rows);
  info.method = "pairs";
  for (const Judge* judge : evaluation.jury)
    info.judge += (info.judge.empty() ? "" : ",") + judge->name();
  info.options = run_options(evaluation);
  return info;
}

// `--dry-run`: what would be asked, and what it would cost.
int plan_sorts(const Evaluation& evaluation, const Groups& groups) {
  const EvalOptions& options = evaluation.options;
  const PairsOptions& pairs = options.families.pairs;
  PairSort::Count all;
  Planner planner(nullptr);
  for (const auto& group : groups) {
    const PairSort::Count count = PairSort::comparisons(group.size(), pairs.sort.beam);
    all.least += count.least;
    all.most += count.most;
    for (const Lane& lane : evaluation.lanes)
      planner.add([&] { return std::make_unique<GroupWork>(group, *lane.group, lane.judges, 0); });
  }
  const auto calls_of = [&](std::size_t comparisons) {
    return static_cast<std::int64_t>(comparisons * evaluation.dimensions().size() *
                                     (pairs.both_orders ? 2 : 1)) *
           pairs.probs.samples;
  };
  Plan plan = planner.plan();
  plan.rows = static_cast<std::int64_t>(evaluation.rows);
  for (StagePlan& stage : plan.stages)
    stage = with_calls(stage, {calls_of(all.least), calls_of(all.most)}, "the comparisons before");
  return print_plan(plan, options,
                    fmt::format("{} groups: {} to {} comparisons in each dimension\n",
                                groups.size(), all.least, all.most));
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
  PaidRun run(evaluation);
  make_lanes(evaluation, run.setup(), run.store(), nullptr);
  if (eval.dry_run) return plan_sorts(evaluation, groups);
  if (options.one_group)
    evaluation.run =
        Hasher().add(evaluation.run).add("one group").hex().substr(0, evaluation.run.size());
  std::vector<std::unique_ptr<Reporter>> reporters;
  for (const std::string& path : eval.outputs) reporters.push_back(make_reporter(path));
  run.begin(run_info(evaluation));

  std::size_t next = 0;
  const std::size_t works = groups.size() * evaluation.lanes.size();
  const auto source = [&]() -> std::unique_ptr<Work> {
    if (next == works) return nullptr;
    const Lane& lane = evaluation.lanes[next % evaluation.lanes.size()];
    return std::make_unique<GroupWork>(groups[next++ / evaluation.lanes.size()], *lane.group,
                                       lane.judges, 0);
  };
  RankSink sink(evaluation, reporters, run.store());
  const RunTotals totals = run.ask(
      source,
      [&](const std::unique_ptr<Work>& work) { sink.take(static_cast<const GroupWork&>(*work)); },
      static_cast<std::int64_t>(works));
  if (!eval.quiet && !evaluation.all_free()) print_spend(totals, {});
  if (const std::optional<int> stopped = run.end(totals)) return *stopped;
  for (auto& reporter : reporters) reporter->finish();
  const bool to_stdout =
      std::find(eval.outputs.begin(), eval.outputs.end(), "-") != eval.outputs.end();
  if (!eval.quiet && !to_stdout) sink.print(eval.no_color);
  return scored_code(sink.unscored(), sink.results());
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
