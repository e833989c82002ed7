// `assay eval`: rows in, scores with their evidence out. Reads options, wires objects, calls the library.

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <iostream>
#include <set>

#include "assay/error.h"
#include "assay/rubric.h"
#include "commands.h"
#include "core/hash.h"
#include "engine/results.h"
#include "eval_options.h"
#include "evidence/evidence.h"
#include "judges/builtin.h"
#include "judges/question_json.h"
#include "judges/recording.h"
#include "progress.h"
#include "report/reporters.h"
#include "report/terminal.h"
#include "table.h"

namespace assay::cli {
namespace {

std::atomic<bool> g_interrupted{false};  // written by the signal handler, nowhere else

// Everything a run is made of.
struct Evaluation {
  const EvalOptions& options;
  RubricLibrary library;
  std::vector<std::unique_ptr<Judge>> owned;
  JudgeRoles judges;
  std::vector<std::unique_ptr<RowMethod>> methods;  // one for every method and dimension
  std::set<std::size_t> left_out;                   // lines of rows that lack what a dimension needs
  std::size_t rows = 0;
  std::string run;
};

void make_judges(Evaluation& evaluation) {
  const EvalOptions& options = evaluation.options;
  evaluation.owned.push_back(make_judge(options.judge, options.judges));
  evaluation.judges["judge"] = evaluation.owned.back().get();
  for (const std::string& role : options.roles) {
    const std::size_t equals = role.find('=');
    if (equals == std::string::npos) throw ConfigError(fmt::format("--role {}: write ROLE=JUDGE, as in generator=openai:MODEL", role));
    evaluation.owned.push_back(make_judge(role.substr(equals + 1), options.judges));
    evaluation.judges[role.substr(0, equals)] = evaluation.owned.back().get();
  }
}

void make_methods(Evaluation& evaluation) {
  const EvalOptions& options = evaluation.options;
  const Judge& judge = *evaluation.judges.at("judge");
  std::vector<std::string> dimensions = options.dimensions;
  if (dimensions.empty()) dimensions = evaluation.library.dimensions(options.task);
  for (const std::string& method : options.methods) {
    for (const std::string& dimension : dimensions) {
      evaluation.library.get(options.task, dimension);  // says which are known
      const MethodContext context{evaluation.library, options.task, dimension, judge.capabilities(), options.method()};
      evaluation.methods.push_back(make_method(method, context));
      check_needs(*evaluation.methods.back(), judge.name(), judge.capabilities());
    }
  }
}

// The first field a dimension needs and the row lacks.
std::string missing_field(const Evaluation& evaluation, const Sample& sample) {
  for (const auto& method : evaluation.methods) {
    for (const Input& input : evaluation.library.get(evaluation.options.task, method->dimension()).inputs) {
      if (input.required && field_text(sample, input.field).empty()) {
        return fmt::format("field \"{}\" is missing; {} needs it (use --map {}=KEY if it has another name, or --on-error skip)",
                           input.field, method->dimension(), input.field);
      }
    }
  }
  return {};
}

// Reads everything once: a row that cannot be judged is refused, or left out, before anything is spent.
void check_input(Evaluation& evaluation, RowReader& reader) {
  Hasher hasher;
  const bool skip = evaluation.options.on_error == "skip";
  while (const std::optional<Row> row = reader.next()) {
    const Sample& sample = row->sample;
    if (const std::string problem = missing_field(evaluation, sample); !problem.empty()) {
      const std::string line = fmt::format("{}:{}: {}", reader.name(), row->line, problem);
      if (!skip) throw ConfigError(line);
      fmt::print(stderr, "assay: skipped {}\n", line);
      evaluation.left_out.insert(row->line);
      continue;
    }
    ++evaluation.rows;
    Hasher one;
    one.add(sample.id).add(sample.group).add(sample.system).add(sample.fields.source).add(sample.fields.output);
    for (const std::string& reference : sample.fields.references) one.add(reference);
    hasher.add(one.add(sample.fields.context).add(sample.fields.history).hex());
  }
  for (const BadRow& bad : reader.skipped()) fmt::print(stderr, "assay: skipped {}\n", bad.problem);
  if (const std::size_t skipped = reader.skipped_count() + evaluation.left_out.size(); skipped > 0) {
    fmt::print(stderr, "assay: {} of {} rows skipped\n", skipped, skipped + evaluation.rows);
  }
  if (evaluation.rows == 0) throw ConfigError(fmt::format("{}: no row is left to judge", reader.name()));
  for (const auto& [role, judge] : evaluation.judges) hasher.add(role).add(judge->identity());
  for (const auto& method : evaluation.methods) hasher.add(method->settings());
  hasher.add(static_cast<std::int64_t>(evaluation.options.repeat));
  evaluation.run = hasher.hex().substr(0, 16);
  reader.rewind();
}

// Works in the order of results: row, then method and dimension, then repeat.
class WorkSource {
 public:
  WorkSource(const Evaluation& evaluation, RowReader& reader) : evaluation_(evaluation), reader_(reader) {}

  std::unique_ptr<Work> next() {
    if (method_ == evaluation_.methods.size()) method_ = 0, row_.reset();
    while (!row_) {
      std::optional<Row> row = reader_.next();
      if (!row) return nullptr;
      if (!evaluation_.left_out.contains(row->line)) row_ = std::make_shared<const Row>(std::move(*row));
    }
    auto work = std::make_unique<RowWork>(row_, *evaluation_.methods[method_], evaluation_.judges, repeat_);
    if (++repeat_ == evaluation_.options.repeat) repeat_ = 0, ++method_;
    return work;
  }

 private:
  const Evaluation& evaluation_;
  RowReader& reader_;
  std::shared_ptr<const Row> row_;  // the works of a row hold the same texts
  std::size_t method_ = 0;
  int repeat_ = 0;
};

// Gathers the repeats of a row and dimension, and reports them.
class ResultSink {
 public:
  ResultSink(const Evaluation& evaluation, std::vector<std::unique_ptr<Reporter>>& reporters)
      : evaluation_(evaluation), reporters_(reporters) {}

  void take(std::unique_ptr<Work> work) {
    repeats_.emplace_back(static_cast<RowWork*>(work.release()));
    if (static_cast<int>(repeats_.size()) < evaluation_.options.repeat) return;
    const Result result = result_of(repeats_, *evaluation_.judges.at("judge"), evaluation_.run);
    if (!result.score) ++unscored_;
    for (auto& reporter : reporters_) reporter->add(repeats_.front()->row().sample, result);
    repeats_.clear();
  }

  std::size_t unscored() const { return unscored_; }

 private:
  const Evaluation& evaluation_;
  std::vector<std::unique_ptr<Reporter>>& reporters_;
  std::vector<std::unique_ptr<RowWork>> repeats_;
  std::size_t unscored_ = 0;
};

int terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return std::clamp<int>(size.ws_col, 60, 120);
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
  if (evaluation.judges.at("judge")->name() == "builtin") terminal.caveats.emplace_back(builtin_caveat());
  reporters.push_back(std::make_unique<TerminalReporter>(std::cout, terminal));
  return reporters;
}

std::unique_ptr<Store> make_store(const Evaluation& evaluation) {
  const EvalOptions& options = evaluation.options;
  bool all_free = true;
  for (const auto& [role, judge] : evaluation.judges) all_free = all_free && judge->capabilities().free;
  if (all_free) return nullptr;
  // A recording is a ledger of its own: replaying it must neither read nor fill another.
  if (options.store == "none" || options.judge.starts_with("replay:")) return memory_ledger(!options.no_cache);
  LedgerOptions ledger;
  ledger.path = options.store.empty() ? default_ledger_path() : options.store;
  ledger.read = !options.no_cache;
  return open_ledger(ledger);
}

EngineOptions engine_options(const Evaluation& evaluation) {
  const EvalOptions& options = evaluation.options;
  EngineOptions engine;
  engine.in_flight = options.judges.jobs > 0 ? options.judges.jobs : default_jobs(options.judge);
  if (evaluation.judges.at("judge")->capabilities().free) engine.in_flight *= 4;  // keep every thread fed
  engine.window = std::max(64, 2 * engine.in_flight);
  engine.repair = evaluation.library.prompt("engine/repair").blocks.begin()->second;
  engine.max_calls = options.max_calls;
  engine.budget_usd = options.budget_usd;
  engine.interrupted = &g_interrupted;
  engine.question_json = [](const Request& request) { return question_json(request); };
  if (options.deadline_s > 0) {
    engine.deadline = std::chrono::steady_clock::now() +
                      std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(options.deadline_s));
  }
  return engine;
}

int stopped(const RunTotals& totals) {
  const bool interrupted = totals.stop == StopReason::kInterrupted;
  fmt::print(stderr, "assay: stopped: {}; what was answered is kept: the same command goes on from here\n", totals.stop_detail);
  if (totals.stop == StopReason::kStore) return kUsage;
  return interrupted ? kInterrupted : kStopped;
}

int evaluate(const EvalOptions& options) {
  Evaluation evaluation{options, RubricLibrary::load(options.rubrics, evidence_names()), {}, {}, {}, {}, 0, {}};
  make_judges(evaluation);
  make_methods(evaluation);
  RowReader reader(options.ingest());
  check_input(evaluation, reader);
  const std::unique_ptr<Store> store = make_store(evaluation);
  std::vector<std::unique_ptr<Reporter>> reporters = make_reporters(evaluation);
  std::unique_ptr<Recorder> recorder;
  EngineOptions engine_setup = engine_options(evaluation);
  if (!options.record.empty()) {
    recorder = std::make_unique<Recorder>(options.record);
    engine_setup.on_answer = [&](const Judge& judge, const Request& request, const Reply& reply) { recorder->write(judge, request, reply); };
  }
  std::signal(SIGINT, [](int) { g_interrupted = true; });
  std::signal(SIGTERM, [](int) { g_interrupted = true; });

  Engine engine(engine_setup, store.get());
  WorkSource source(evaluation, reader);
  ResultSink sink(evaluation, reporters);
  const auto works = static_cast<std::int64_t>(evaluation.rows * evaluation.methods.size()) * options.repeat;
  ProgressLine progress(ProgressLine::form_for(options.quiet, options.json_progress), works);
  const RunTotals totals = engine.run([&] { return source.next(); }, [&](std::unique_ptr<Work> work) { sink.take(std::move(work)); },
                                      [&](const Progress& p) { progress.show(p); });
  progress.clear();
  for (const auto& [role, judge] : evaluation.judges) {
    for (const std::string& remark : judge->remarks()) fmt::print(stderr, "assay: {}: {}\n", judge->name(), remark);
  }
  if (totals.stop != StopReason::kNone) return stopped(totals);
  for (auto& reporter : reporters) reporter->finish();
  if (sink.unscored() > 0) fmt::print(stderr, "assay: {} of {} results are unscored; each says why in `reason`\n", sink.unscored(), works / options.repeat);
  return sink.unscored() > 0 ? kUnscored : kWell;
}

}  // namespace

void add_eval(CLI::App& app, int& exit_code) {
  CLI::App* eval = app.add_subcommand("eval", "judge rows of text: a score per row and dimension, with its evidence");
  auto options = std::make_shared<EvalOptions>();  // shared with the callback, which outlives this function
  options->add_to(*eval);
  eval->footer(
      "Examples:\n"
      "  assay eval examples/summaries.jsonl\n"
      "  assay eval rows.jsonl -t summarization -d coherence,fluency -o results.jsonl\n"
      "  assay eval rows.jsonl -d consistency --judge openai:gpt-4o --record answers.jsonl -o results.jsonl\n"
      "  assay eval rows.jsonl -d consistency --judge openai:qwen3 --base-url http://localhost:8000/v1 --ask atomic --soft");
  eval->callback([options, &exit_code] { exit_code = evaluate(*options); });
}

}  // namespace assay::cli
