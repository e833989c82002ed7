// `assay learn`: a hypothesis bank from labelled rows and literature (HypoEval). Reads options,
// wires objects, calls the library. Seeds are learned side by side in one engine, so equal
// questions of two seeds are asked once; what was answered is in the ledger, so a run that was
// stopped goes on where it was.

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "assay/error.h"
#include "commands.h"
#include "learn_setup.h"
#include "paid_run.h"
#include "plan.h"
#include "rubric/bank.h"
#include "table.h"
#include "text/json_text.h"
#include "text/utf8.h"

namespace assay::cli {
namespace {

void say_plan(const Plan& plan) {
  Bounds calls;
  for (const StagePlan& stage : plan.stages)
    calls.least += stage.calls.least, calls.most += stage.calls.most;
  fmt::print(stderr,
             "assay: learning {} bank{} asks {}{} calls, without repairs (--dry-run shows them by "
             "stage)\n",
             plan.works, plan.works == 1 ? "" : "s",
             calls.exact() ? "" : fmt::format("{} to ", calls.least), calls.most);
}

// --- the run ---

RunInfo run_info(const Learning& learning) {
  RunInfo info;
  info.id = learning.run;
  info.command = "learn";
  info.rows = static_cast<std::int64_t>(learning.preparation.labelled.size());
  info.method = "hypoeval";
  info.judge = learning.roles.at("judge")->name();
  info.options =
      fmt::format("{{\"task\":{},\"dimension\":{}}}", json_text(learning.preparation.task),
                  json_text(learning.preparation.dimension));
  return info;
}

// Written beside its place and moved there, so that a bank is whole or not there. Tried before
// anything is spent.
void check_writable(const std::string& path) {
  if (path == "-") return;
  const std::string part = path + ".part";
  if (!std::ofstream(part, std::ios::binary | std::ios::app))
    throw ConfigError(fmt::format("{}: cannot be written here", path));
  std::remove(part.c_str());
}

void write_file(const std::string& path, const std::string& text) {
  if (path == "-") return write_output(path, text);
  const std::string part = path + ".part";
  write_output(part, text);
  if (std::rename(part.c_str(), path.c_str()) != 0)
    throw ConfigError(fmt::format("{}: cannot be written", path));
}

void show(const Bank& bank) {
  Table table;
  for (const char* name : {"seed", "id"}) table.column(name, false);
  for (const char* name : {"pearson", "reward"}) table.column(name, true);
  table.column("hypothesis", false);
  for (const LearnedBank& learned : bank.seeds) {
    for (const BankHypothesis& h : learned.hypotheses) {
      std::string text = h.text;
      std::replace(text.begin(), text.end(), '\n', ' ');
      if (h.selected)
        table.rows.push_back({fmt::format("{}", learned.seed), h.id, fixed(h.pearson),
                              fixed(h.reward), ellipsize(text, 70)});
    }
    for (const std::string& note : learned.notes)
      fmt::print(stderr, "assay: seed {}: {}\n", learned.seed, note);
  }
  fmt::print("{}", render(table, Format::kTable, wants_colour(false)));
}

// The seeds' banks as one file.
int write(const Learning& learning, const std::vector<Artefact>& artefacts) {
  std::vector<Bank> banks;
  for (std::size_t i = 0; i < artefacts.size(); ++i) {
    if (artefacts[i].kind != kBankArtefact) {
      const bool again = artefacts[i].kind == kUnansweredArtefact;
      fmt::print(stderr, "assay: seed {}: nothing was learned: {}{}\n",
                 learning.options.words.seeds[i], artefacts[i].body,
                 again ? "; what was answered is kept: the same command goes on from here" : "");
      return again ? kStopped : kUnscored;
    }
    banks.push_back(parse_bank(artefacts[i].body, learning.options.output));
  }
  Bank bank = merge_banks(std::move(banks));
  for (const auto& [role, judge] : learning.roles) bank.judges.emplace_back(role, judge->name());
  for (const std::string& path : learning.options.literature)
    bank.literature.push_back(path.substr(path.rfind('/') + 1));
  write_file(learning.options.output, write_bank(bank));
  if (!learning.options.eval.quiet && learning.options.output != "-") show(bank);
  return kWell;
}

// After the run: what it cost.
void print_calls(const RunTotals& totals) {
  fmt::print(stderr, "assay: {} calls, {} known already, {} shared by seeds, {} repairs{}\n",
             totals.asked, totals.cached, totals.joined, totals.repairs,
             totals.usage.usd > 0 ? fmt::format(", ${:.4f}", totals.usage.usd) : "");
}

int learn(LearnOptions& options) {
  options.settle();
  Learning learning(options);
  prepare(learning);
  const Plan plan = plan_of(learning);
  if (options.eval.dry_run) return print_plan(plan, options.eval);
  check_writable(options.output);
  if (!options.eval.quiet) say_plan(plan);
  PaidRun run(learning.evaluation);
  run.begin(run_info(learning));
  std::size_t next = 0;
  std::vector<Artefact> artefacts;
  const RunTotals totals = run.ask(
      [&]() -> std::unique_ptr<Work> {
        if (next == learning.learners.size()) return nullptr;
        return std::make_unique<PrepareWork>(learning.preparation, learning.learners[next++],
                                             learning.roles);
      },
      [&](const std::unique_ptr<Work>& work) {
        artefacts.push_back(static_cast<const PrepareWork&>(*work).artefact());
      },
      plan.works);
  if (const std::optional<int> stopped = run.end(totals)) return *stopped;
  if (!options.eval.quiet) print_calls(totals);
  return write(learning, artefacts);
}

}  // namespace

void add_learn(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "learn", "learn a hypothesis bank from labelled rows, for --method hypoeval");
  auto options =
      std::make_shared<LearnOptions>();  // shared with the callback, which outlives this function
  options->add_to(*verb);
  verb->footer(
      "Examples:\n"
      "  assay learn labelled.jsonl -d coherence --judge openai:gpt-4o-mini --literature paper.md "
      "-o bank.yaml\n"
      "  assay learn labelled.jsonl -d coherence --judge openai:gpt-4o-mini --dry-run\n"
      "  assay eval rows.jsonl -d coherence --method hypoeval --bank bank.yaml --judge "
      "openai:gpt-4o-mini");
  verb->callback([options, &exit_code] { exit_code = learn(*options); });
}

}  // namespace assay::cli
