// What `assay learn` is made of, checked before anything is asked, and what it will cost.

#include "learn_setup.h"

#include <fmt/core.h>

#include <algorithm>

#include "assay/error.h"
#include "core/hash.h"
#include "literature.h"
#include "methods/hypo_plan.h"
#include "text/token_estimate.h"

namespace assay::cli {

void LearnOptions::add_to(CLI::App& app) {
  app.add_option(
      "rows", eval.rows,
      "JSON Lines or CSV with `output` and `human` ratings of the dimension; - for standard input");
  app.add_option("-t,--task", eval.task, "see `assay rubric list`")->capture_default_str();
  app.add_option("-d,--dimension", dimension, "what is rated: one dimension of the task")
      ->required();
  app.add_option("--judge", judge,
                 "who scores, and writes where no role says otherwise; see `assay judges`");
  app.add_option("--role", eval.roles,
                 "another judge for a role: generator=JUDGE, refiner=JUDGE [the generator]");
  app.add_option("--literature", literature,
                 "a paper about judging such texts: .txt, .md or .pdf; repeatable");
  app.add_option("-o,--output", output, "the bank file to write; - for standard output");
  app.add_option("--rubrics", eval.rubrics, "a folder or file of your own rubrics and prompts");
  app.add_option("--map", eval.map, "FIELD=KEY: where a field stands in your rows; repeatable");
  app.add_option("--input-format", eval.input_format, "auto, jsonl, csv or tsv")
      ->capture_default_str();
  app.add_option("--on-error", eval.on_error,
                 "a bad row stops the run before anything is spent, or is skipped and listed")
      ->check(CLI::IsMember({"stop", "skip"}))
      ->capture_default_str();
  app.add_flag("-q,--quiet", eval.quiet, "no table and no progress");
  add_learn_options(app, hypo, words);
  eval.judges.add_to(app);
  eval.add_run(app);
}

void LearnOptions::settle() {
  using From = HypoOptions::From;
  eval.judges_named = {judge};
  eval.dimensions = {dimension};
  eval.methods = {"hypoeval"};
  eval.outputs = {output};
  hypo.best_union = words.best == "best";
  hypo.from = words.from == "data"         ? From::kData
              : words.from == "literature" ? From::kLiterature
              : words.from == "zero-shot"  ? From::kZeroShot
                                           : From::kBoth;
  if (words.seeds.empty()) throw ConfigError("--seeds: give at least one");
  std::vector<long> sorted = words.seeds;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw ConfigError("--seeds: a seed is given twice");
  if (output.empty() && !eval.dry_run)
    throw ConfigError("learn: say where the bank goes: -o bank.yaml");
  if (eval.rows.empty() && hypo.from != From::kZeroShot)
    throw ConfigError("learn: give a file of labelled rows; only --from zero-shot needs none");
}

namespace {

void check_judges(Learning& learning) {
  Evaluation& evaluation = learning.evaluation;
  learning.roles = evaluation.roles_for(*evaluation.jury.front());
  if (const auto generator = learning.roles.find("generator"); generator != learning.roles.end()) {
    learning.roles.try_emplace("refiner", generator->second);
  }
  for (const auto& [role, judge] : learning.roles) {
    if (role != "judge" && role != "generator" && role != "refiner") {
      throw ConfigError(fmt::format(
          "--role {}: learning has the roles generator and refiner; --judge scores", role));
    }
    if (!judge->capabilities().generation || !judge->capabilities().grades) {
      throw ConfigError(fmt::format(
          "learn: {} cannot write hypotheses; name a language model, as in --judge openai:MODEL",
          judge->name()));
    }
  }
}

void read_rows(Learning& learning) {
  const EvalOptions& options = learning.options.eval;
  if (options.rows.empty()) return;
  RowReader reader(options.ingest());
  check_input(learning.evaluation, reader);
  learning.rows_name = reader.name();
  while (std::optional<Row> row = reader.next()) {
    if (!learning.evaluation.left_out.contains(row->line))
      learning.preparation.labelled.push_back(std::move(*row));
  }
}

}  // namespace

void prepare(Learning& learning) {
  const LearnOptions& options = learning.options;
  const Rubric& rubric = learning.evaluation.library.get(options.eval.task, options.dimension);
  check_judges(learning);
  learning.preparation.task = options.eval.task;
  learning.preparation.dimension = options.dimension;
  read_rows(learning);
  for (const std::string& path : options.literature)
    learning.preparation.texts.push_back(read_literature(path));
  if (options.hypo.from == HypoOptions::From::kBoth && options.literature.empty() &&
      !options.eval.quiet) {
    fmt::print(stderr,
               "assay: no --literature given: hypotheses are made from the labelled rows alone\n");
  }
  Hasher run;
  run.add("learn").add(learning.evaluation.rows_hash);
  for (const Row& row : learning.preparation.labelled) {
    if (const double* label = find(row.human, options.dimension))
      run.add(row.sample.id).add(*label);
  }
  for (const std::string& text : learning.preparation.texts) run.add(text);
  for (const long seed : options.words.seeds) {
    HypoOptions hypo = options.hypo;
    hypo.seed = seed;
    learning.learners.emplace_back(
        rubric,
        [&](const std::string& id) -> const Prompt& {
          return learning.evaluation.library.prompt(id);
        },
        hypo);
    learning.learners.back().check(learning.preparation, learning.rows_name);
    run.add(learning.learners.back().settings());
  }
  for (const auto& [role, judge] : learning.roles) run.add(role).add(judge->identity());
  learning.run = run.hex().substr(0, 16);
}

// --- what it will cost ---

namespace {

const Judge& judge_of(const Learning& learning, const std::string& stage) {
  const char* role = stage == "literature" || stage == "hypotheses" ? "generator"
                     : stage == "refinement"                        ? "refiner"
                                                                    : "judge";
  const auto found = learning.roles.find(role);
  return found != learning.roles.end() ? *found->second : *learning.roles.at("judge");
}

// Tokens of one call, by what its prompt is made of: rows in full, literature as summaries,
// hypotheses of about 200 tokens.
struct CallTokens {
  std::int64_t prompt = 0;
  std::int64_t reply = 0;
};

CallTokens tokens_of(const Learning& learning, const std::string& stage) {
  constexpr std::int64_t kInstructions = 250;
  constexpr std::int64_t kHypothesis = 200;
  constexpr std::int64_t kSummary = 550;
  const HypoOptions& hypo = learning.options.hypo;
  const Rubric& rubric =
      learning.evaluation.library.get(learning.options.eval.task, learning.options.dimension);
  const Preparation& given = learning.preparation;
  std::int64_t row = 0;
  for (const Row& r : given.labelled) {
    for (const Input& input : rubric.inputs)
      row += estimate_tokens(field_text(r.sample, input.field));
  }
  row /= std::max<std::int64_t>(1, static_cast<std::int64_t>(given.labelled.size()));
  std::int64_t papers = 0;
  for (const std::string& text : given.texts) papers += estimate_tokens(text);
  const auto texts = static_cast<std::int64_t>(given.texts.size());
  if (stage == "literature")
    return {papers / std::max<std::int64_t>(1, texts) + kInstructions, kSummary};
  if (stage == "hypotheses" || stage == "refinement") {
    return {kInstructions + std::max(hypo.initial, hypo.wrong_rows) * row + texts * kSummary +
                hypo.hypotheses * kHypothesis,
            hypo.hypotheses * kHypothesis};
  }
  if (stage == "repeats") return {kInstructions + 2 * kHypothesis, 1};
  return {kInstructions + row + kHypothesis, kHypothesis};
}

}  // namespace

Plan plan_of(const Learning& learning) {
  Plan plan;
  plan.works = static_cast<std::int64_t>(learning.learners.size());
  for (const HypoPlanLine& line :
       hypo_plan(learning.options.hypo, static_cast<int>(learning.preparation.texts.size()))) {
    const std::int64_t times =
        line.stage == "literature" ? 1 : plan.works;  // seeds share the summaries
    const CallTokens one = tokens_of(learning, line.stage);
    const Bounds calls{line.least,
                       line.most * times};  // seeds may also ask the same of the same rows
    const Bounds prompt{calls.least * one.prompt, calls.most * one.prompt};
    plan.stages.push_back({line.stage,
                           judge_of(learning, line.stage).name(),
                           calls,
                           prompt,
                           prompt,
                           {calls.least * one.reply, calls.most * one.reply},
                           "hypotheses and scores"});
  }
  return plan;
}

}  // namespace assay::cli
