// `assay rubric draft`: rubrics for a new task, proposed by a judge. Runs as a preparation in the
// engine, so every answer is in the ledger: the same command goes on where it was stopped. A rubric
// that is not fit for use is not written under the name of one: --rubrics DIR must never read it.

#include "rubric_draft.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "assay/error.h"
#include "commands.h"
#include "core/hash.h"
#include "evaluation.h"
#include "evidence/evidence.h"
#include "methods/registry.h"
#include "methods/rubric_draft.h"
#include "paid_run.h"
#include "plan.h"
#include "rubric/files.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kExamplesRead = 5;  // as many as are shown

struct DraftOptions {
  EvalOptions eval;  // judges and ledger
  std::string task;
  std::string description;
  std::string examples;
  std::vector<std::string> inputs;  // FIELD=NAME
  std::string folder;
  bool force = false;
  RubricDraftOptions draft;
};

void check_task(const std::string& task) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  if (task.empty() || !std::all_of(task.begin(), task.end(), fits)) {
    throw ConfigError(fmt::format("--task {}: use small letters, digits, - and _", task));
  }
}

std::string description_of(const DraftOptions& options) {
  std::string text = options.description;
  if (text.starts_with('@')) {
    Problems problems;
    const auto read = read_text_file(text.substr(1), problems);
    problems.throw_first();
    text = *read;
  }
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw ConfigError(
        "--description is empty: say in a few sentences what the texts are and who uses them");
  }
  return text;
}

std::vector<Row> examples_of(const DraftOptions& options) {
  std::vector<Row> rows;
  if (options.examples.empty()) return rows;
  IngestOptions ingest;
  ingest.path = options.examples;
  ingest.limit = kExamplesRead;
  for (const std::string& map : options.eval.map) ingest.map.push_back(parse_map(map));
  RowReader reader(ingest);
  while (std::optional<Row> row = reader.next()) rows.push_back(std::move(*row));
  return rows;
}

std::vector<Input> inputs_of(const DraftOptions& options) {
  std::vector<Input> inputs;
  bool output = false;
  for (const std::string& text : options.inputs) {
    const std::size_t equals = text.find('=');
    const std::string field = text.substr(0, equals);
    if (equals == std::string::npos || equals + 1 == text.size()) {
      throw ConfigError(fmt::format("--input {}: write FIELD=NAME, as in source=Article", text));
    }
    field_text({}, field);  // throws on what is no field
    output = output || field == "output";
    inputs.push_back({field, text.substr(equals + 1), field != "references"});
  }
  if (!inputs.empty() && !output)
    throw ConfigError("--input must name the output too, as in --input output=Summary");
  return inputs;
}

// Before anything is spent.
void check_folder(const DraftOptions& options) {
  if (!fs::exists(options.folder) || options.force) return;
  if (!fs::is_directory(options.folder))
    throw ConfigError(fmt::format("-o {}: it is a file; name a folder", options.folder));
  if (!fs::is_empty(options.folder)) {
    throw ConfigError(fmt::format(
        "-o {}: the folder is not empty; name another, or overwrite files in it with --force",
        options.folder));
  }
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw ConfigError(fmt::format("{}: it cannot be written", path.string()));
}

std::string with_problems(const RubricDraft& draft) {
  std::string text =
      "# Not a rubric yet. Mend what is wrong, then name the file " + draft.dimension + ".yaml:\n";
  for (const std::string& problem : draft.problems) text += "#   " + problem + "\n";
  return text + "#\n" + draft.yaml;
}

// Writes the files and says what became of each. True where all is well.
bool write_drafts(const RubricDrafts& all, const fs::path& folder) {
  for (const std::string& problem : all.problems)
    fmt::print(stderr, "assay: no rubric was drafted: {}\n", problem);
  if (all.drafts.empty()) return false;
  fs::create_directories(folder);
  bool well = true;
  for (const RubricDraft& draft : all.drafts) {
    const fs::path good = folder / (draft.dimension + ".yaml");
    const fs::path bad = folder / (draft.dimension + ".yaml.problems");
    std::error_code ignored;
    fs::remove(draft.problems.empty() ? bad : good, ignored);  // of an earlier draft
    write_file(draft.problems.empty() ? good : bad,
               draft.problems.empty() ? draft.yaml : with_problems(draft));
    if (draft.problems.empty()) {
      const std::vector<std::string> paths = {good.string()};
      for (const Problem& problem : check_rubrics(paths, evidence_names()).problems) {
        fmt::print(stderr, "assay: {}\n", problem.str());
        well = false;
      }
      fmt::print("{}: a draft of {}/{}; read it and edit it\n", good.string(), all.task,
                 draft.dimension);
      continue;
    }
    well = false;
    for (const std::string& problem : draft.problems)
      fmt::print(stderr, "assay: {}: {}\n", bad.string(), problem);
  }
  return well;
}

// Everything the drafts are made from.
Hasher made_from(const RubricDrafting& method, const Preparation& preparation) {
  Hasher all;
  all.add(method.settings()).add(preparation.task);
  for (const std::string& text : preparation.texts) all.add(text);
  for (const Row& row : preparation.labelled) all.add(row.sample.id).add(row.sample.fields.output);
  return all;
}

int draft(DraftOptions options) {
  check_task(options.task);
  check_folder(options);
  options.draft.inputs = inputs_of(options);
  const Preparation preparation{options.task, {}, examples_of(options), {description_of(options)}};
  const Evaluation evaluation(options.eval);
  const RubricDrafting method(
      [&](const std::string& id) -> const Prompt& { return evaluation.library.prompt(id); },
      options.draft);
  Judge& judge = *evaluation.jury.front();
  check_needs(method, judge.name(), judge.capabilities());
  const JudgeRoles roles = evaluation.roles_for(judge);
  const auto work = [&] { return std::make_unique<PrepareWork>(preparation, method, roles); };
  PaidRun run(evaluation);
  if (options.eval.dry_run) {
    Planner planner(nullptr);
    planner.add(work);
    Plan plan = planner.plan();
    // The list of dimensions and each dimension, all of which may have to be mended once.
    for (StagePlan& stage : plan.stages)
      stage = with_calls(stage, {2, 2 + 2 * options.draft.most}, "the dimensions proposed");
    return print_plan(plan, options.eval);
  }
  run.begin(
      preparation_info("rubric draft", "rubric draft", judge, made_from(method, preparation)));
  Artefact drafts;
  const RunTotals totals = run.ask(work(), drafts);
  if (!options.eval.quiet) print_spend(totals, {});
  if (const std::optional<int> stopped = run.end(totals)) return *stopped;
  return write_drafts(read_drafts(drafts), options.folder) ? kWell : kUsage;
}

}  // namespace

void add_rubric_draft(CLI::App& rubric, int& exit_code) {
  CLI::App* verb = rubric.add_subcommand(
      "draft", "have a judge propose rubrics for a new task, for a person to edit");
  auto options =
      std::make_shared<DraftOptions>();  // shared with the callback, which outlives this function
  verb->add_option("-t,--task", options->task,
                   "a name for the task: small letters, digits, - and _")
      ->required();
  verb->add_option("--description", options->description,
                   "what the texts are and who uses them; @FILE reads it from a file")
      ->required();
  verb->add_option(
      "--examples", options->examples,
      "rows of the task; the first five are shown to the judge, their ratings are not");
  verb->add_option("--map", options->eval.map, "FIELD=KEY: where the examples keep a field");
  verb->add_option(
      "--input", options->inputs,
      "FIELD=NAME: what a judge of the task will be shown, in order [what the examples have]");
  verb->add_option("--language", options->draft.language, "the language of the rubrics")
      ->capture_default_str();
  verb->add_option("--most", options->draft.most, "at most this many dimensions")
      ->capture_default_str();
  verb->add_option("--judge", options->eval.judges_named,
                   "who proposes: openai:MODEL, anthropic:MODEL, ...")
      ->required();
  verb->add_option("-o,--output", options->folder, "the folder to write the rubrics to")
      ->required();
  verb->add_flag("--force", options->force, "overwrite files in a folder that is not empty");
  verb->add_option("--rubrics", options->eval.rubrics,
                   "your own prompts, laid over the built-in ones");
  options->eval.judges.add_to(*verb);
  options->eval.add_run(*verb);
  verb->footer(
      "Examples:\n"
      "  assay rubric draft --task release-notes --description @task.md --examples rows.jsonl "
      "--judge openai:gpt-4o -o drafts\n"
      "  assay rubric check drafts\n"
      "  assay eval rows.jsonl -t release-notes --rubrics drafts --judge openai:gpt-4o");
  verb->callback([options, &exit_code] { exit_code = draft(*options); });
}

}  // namespace assay::cli
