// `assay checklist build`: a list grown from its seed questions by a judge. Runs as a preparation
// in the engine, so every answer is in the ledger: the same command goes on where it was stopped.

#include <fmt/core.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>

#include "assay/error.h"
#include "checklist.h"
#include "commands.h"
#include "core/hash.h"
#include "evaluation.h"
#include "judges/recording.h"
#include "methods/checklist_build.h"
#include "table.h"

namespace assay::cli {
namespace {

std::atomic<bool> g_interrupted{false};  // written by the signal handler, nowhere else

struct BuildOptions {
  EvalOptions eval;  // judges, ledger and limits
  std::string task;
  std::string dimension;
  std::string seeds;
  std::string output;
  ChecklistBuildOptions build;
};

Checklist seeds_of(const BuildOptions& options) {
  if (options.seeds.empty()) {
    if (options.dimension.empty())
      throw ConfigError(
          "checklist build needs --dimension, or --seeds FILE with the questions to grow from");
    return find_checklist({}, options.task.empty() ? "summarization" : options.task,
                          options.dimension);
  }
  const Checklist list = load_checklist(options.seeds);
  const bool other = (!options.task.empty() && options.task != list.task) ||
                     (!options.dimension.empty() && options.dimension != list.dimension);
  if (other)
    throw ConfigError(
        fmt::format("{} is for {}/{}; leave --task and --dimension out, or give other --seeds",
                    options.seeds, list.task, list.dimension));
  return list;
}

std::vector<std::string> others_of(const RubricLibrary& library, const Checklist& seeds) {
  std::vector<std::string> others = library.dimensions(seeds.task);
  std::erase(others, seeds.dimension);
  return others;
}

RunInfo run_info(const ChecklistBuild& method, const Judge& generator) {
  RunInfo info;
  info.id = Hasher().add(method.settings()).add(generator.identity()).hex().substr(0, 16);
  info.created = std::chrono::duration_cast<std::chrono::seconds>(
                     std::chrono::system_clock::now().time_since_epoch())
                     .count();
  info.command = "checklist build";
  info.method = "checkeval";
  info.judge = generator.name();
  info.options = "{}";
  return info;
}

struct Built {
  Artefact artefact;
  RunTotals totals;
};

Built run(const ChecklistBuild& method, const Checklist& seeds, const Evaluation& evaluation,
          const JudgeRoles& judges, const RunInfo& info) {
  Built built;
  const std::unique_ptr<Store> store = make_store(evaluation);
  EngineOptions setup = engine_options(evaluation);
  setup.interrupted = &g_interrupted;
  std::signal(SIGINT, [](int) { g_interrupted = true; });
  std::signal(SIGTERM, [](int) { g_interrupted = true; });
  std::unique_ptr<Recorder> recorder;
  if (!evaluation.options.record.empty()) {
    recorder = std::make_unique<Recorder>(evaluation.options.record);
    setup.on_answer = [&](const Judge& judge, const Request& request, const Reply& reply) {
      recorder->write(judge, request, reply);
    };
  }
  if (store) store->begin_run(info);
  Engine engine(setup, store.get());
  std::unique_ptr<Work> work = std::make_unique<PrepareWork>(
      Preparation{seeds.task, seeds.dimension, {}, {}}, method, judges);
  built.totals = engine.run([&] { return std::move(work); },
                            [&](std::unique_ptr<Work> done) {
                              built.artefact = static_cast<PrepareWork&>(*done).artefact();
                            });
  if (store)
    store->finish_run(info.id, 0, built.totals.stop == StopReason::kNone ? "done" : "stopped");
  return built;
}

int build(const BuildOptions& options) {
  const Checklist seeds = seeds_of(options);
  Evaluation evaluation(options.eval);
  const JudgeRoles judges = evaluation.roles_for(*evaluation.jury.front());
  const Judge& generator =
      *(judges.contains("generator") ? judges.find("generator") : judges.find("judge"))->second;
  const bool asks = options.build.augment || options.build.filter;
  if (asks && !generator.capabilities().generation) {
    throw ConfigError(fmt::format(
        "checklist build: {} cannot write questions; use another --judge (see `assay judges`)",
        generator.name()));
  }
  const ChecklistBuild method(
      evaluation.library.get(seeds.task, seeds.dimension), seeds,
      others_of(evaluation.library, seeds),
      [&](const std::string& id) -> const Prompt& { return evaluation.library.prompt(id); },
      options.build);
  const Built built = run(method, seeds, evaluation, judges, run_info(method, generator));
  if (built.totals.stop != StopReason::kNone) {
    fmt::print(
        stderr,
        "assay: stopped: {}; what was answered is kept: the same command goes on from here\n",
        built.totals.stop_detail);
    return built.totals.stop == StopReason::kInterrupted ? kInterrupted
           : built.totals.stop == StopReason::kStore     ? kUsage
                                                         : kStopped;
  }
  if (built.artefact.kind == ChecklistBuild::kFailure) {
    fmt::print(stderr, "assay: no list was built: {}; --no-cache asks again\n",
               built.artefact.body);
    return kUnscored;
  }
  Checklist list = parse_checklist(built.artefact.body, "the list that was built");
  list.made = fmt::format("grown from {} by {}{}{}",
                          seeds.origin == "built in" ? "the built-in list" : seeds.origin,
                          generator.name(), options.build.augment ? "" : ", nothing added",
                          options.build.filter ? "" : ", not filtered");
  write_output(options.output, checklist_yaml(list));
  const CheckCounts counts = count_questions(list);
  fmt::print(
      stderr,
      "{}/{}: {} questions ({} seeds, {} diversified, {} elaborated), {} dropped; {} calls\n",
      list.task, list.dimension, counts.asked, counts.seeds, counts.diversified, counts.elaborated,
      counts.dropped, built.totals.asked);
  for (const std::string& note : list.notes) fmt::print(stderr, "note: {}\n", note);
  return kWell;
}

}  // namespace

void add_checklist_build(CLI::App& checklist, int& exit_code) {
  CLI::App* command = checklist.add_subcommand(
      "build", "grow a list from its seed questions: diversify, elaborate, filter");
  auto options =
      std::make_shared<BuildOptions>();  // shared with the callback, which outlives this function
  EvalOptions& eval = options->eval;
  command->add_option("--seeds", options->seeds,
                      "a checklist whose seed questions are grown [the built-in list's]");
  command->add_option("-t,--task", options->task, "see `assay rubric list` [summarization]");
  command->add_option("-d,--dimension", options->dimension, "the dimension");
  command->add_flag("!--no-augment", options->build.augment,
                    "ablation: add no question, filter the seeds only");
  command->add_flag("!--no-filter", options->build.filter,
                    "ablation: keep every question that is well formed");
  command->add_option("-o,--output", options->output, "the file to write [standard output]");
  command->add_option("--judge", eval.judges_named, "who writes the questions; see `assay judges`")
      ->allow_extra_args(false)
      ->expected(1)
      ->capture_default_str();
  command->add_option("--role", eval.roles, "another judge for a role: generator=JUDGE")
      ->allow_extra_args(false);
  command->add_option("--rubrics", eval.rubrics,
                      "a folder or file of your own rubrics and prompts");
  command->add_option("--record", eval.record,
                      "write every question and reply to FILE, for --judge replay:FILE");
  command->add_option(
      "--store", eval.store,
      "the ledger: nothing in it is paid for twice; `none` keeps nothing [per user]");
  command->add_flag("--no-cache", eval.no_cache,
                    "ask again what the ledger knows; still record it");
  command->add_option("--max-calls", eval.max_calls, "stop before a call more than this, resumable")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--deadline", eval.deadline_s, "stop after this many seconds, resumable")
      ->check(CLI::PositiveNumber);
  eval.judges.add_to(*command);
  command->callback([options, &exit_code] { exit_code = build(*options); });
}

}  // namespace assay::cli
