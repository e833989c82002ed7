// `assay checklist build`: a list grown from its seed questions by a judge. Runs as a preparation
// in the engine, so every answer is in the ledger: the same command goes on where it was stopped.

#include <fmt/core.h>

#include <memory>

#include "assay/error.h"
#include "checklist.h"
#include "commands.h"
#include "core/hash.h"
#include "evaluation.h"
#include "methods/checklist_build.h"
#include "paid_run.h"
#include "plan.h"
#include "table.h"

namespace assay::cli {
namespace {

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
  const auto work = [&] {
    return std::make_unique<PrepareWork>(Preparation{seeds.task, seeds.dimension, {}, {}}, method,
                                         judges);
  };
  PaidRun run(evaluation);
  if (options.eval.dry_run) return print_plan_of(work, run.store(), options.eval);
  run.begin(
      preparation_info("checklist build", "checkeval", generator, Hasher().add(method.settings())));
  Artefact built;
  const RunTotals totals = run.ask(work(), built);
  if (const std::optional<int> stopped = run.end(totals)) return *stopped;
  if (built.kind == ChecklistBuild::kFailure) {
    fmt::print(stderr, "assay: no list was built: {}; --no-cache asks again\n", built.body);
    return kUnscored;
  }
  Checklist list = parse_checklist(built.body, "the list that was built");
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
      counts.dropped, totals.asked);
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
  eval.judges.add_to(*command);
  eval.add_run(*command);
  command->callback([options, &exit_code] { exit_code = build(*options); });
}

}  // namespace assay::cli
