// `assay learn`: a hypothesis bank from labelled rows and literature (HypoEval). Reads options,
// wires objects, calls the library. Seeds are learned side by side in one engine, so equal
// questions of two seeds are asked once; what was answered is in the ledger, so a run that was
// stopped goes on where it was.

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>

#include "assay/error.h"
#include "commands.h"
#include "core/json_text.h"
#include "judges/recording.h"
#include "learn_setup.h"
#include "plan.h"
#include "progress.h"
#include "rubric/bank.h"
#include "table.h"
#include "text/utf8.h"

namespace assay::cli {
namespace {

std::atomic<bool> g_interrupted{false};  // written by the signal handler, nowhere else

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
  info.created = std::chrono::duration_cast<std::chrono::seconds>(
                     std::chrono::system_clock::now().time_since_epoch())
                     .count();
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

int finish(const Learning& learning, const RunTotals& totals,
           const std::vector<Artefact>& artefacts, Store* store) {
  for (const auto& judge : learning.evaluation.owned) {
    for (const std::string& remark : judge->remarks())
      fmt::print(stderr, "assay: {}: {}\n", judge->name(), remark);
  }
  if (store != nullptr) {
    const std::string error = store->finish_run(
        learning.run, static_cast<std::int64_t>(learning.preparation.labelled.size()),
        totals.stop == StopReason::kNone ? "done" : "stopped");
    if (!error.empty()) fmt::print(stderr, "assay: the ledger could not keep the run: {}\n", error);
  }
  if (totals.stop != StopReason::kNone) {
    fmt::print(
        stderr,
        "assay: stopped: {}; what was answered is kept: the same command goes on from here\n",
        totals.stop_detail);
    if (totals.stop == StopReason::kStore) return kUsage;
    return totals.stop == StopReason::kInterrupted ? kInterrupted : kStopped;
  }
  if (!learning.options.eval.quiet) {
    fmt::print(stderr, "assay: {} calls, {} known already, {} shared by seeds, {} repairs{}\n",
               totals.asked, totals.cached, totals.joined, totals.repairs,
               totals.usage.usd > 0 ? fmt::format(", ${:.4f}", totals.usage.usd) : "");
  }
  return write(learning, artefacts);
}

int learn(LearnOptions& options) {
  options.settle();
  Learning learning(options);
  prepare(learning);
  const Plan plan = plan_of(learning);
  if (options.eval.dry_run) {
    const PriceTable prices = PriceTable::load(options.eval.judges.prices);
    fmt::print("{}", options.eval.plan_format == "json" ? plan_json(plan, prices)
                                                        : plan_table(plan, prices));
    return kWell;
  }
  check_writable(options.output);
  if (!options.eval.quiet) say_plan(plan);
  const std::unique_ptr<Store> store = make_store(learning.evaluation);
  EngineOptions setup = engine_options(learning.evaluation);
  setup.interrupted = &g_interrupted;
  std::signal(SIGINT, [](int) { g_interrupted = true; });
  std::signal(SIGTERM, [](int) { g_interrupted = true; });
  std::unique_ptr<Recorder> recorder;
  if (!options.eval.record.empty()) {
    recorder = std::make_unique<Recorder>(options.eval.record);
    setup.on_answer = [&](const Judge& judge, const Request& request, const Reply& reply) {
      recorder->write(judge, request, reply);
    };
  }
  if (store) store->begin_run(run_info(learning));
  std::size_t next = 0;
  std::vector<Artefact> artefacts;
  ProgressLine progress(ProgressLine::form_for(options.eval.quiet, options.eval.json_progress),
                        plan.works);
  const RunTotals totals =
      Engine(setup, store.get())
          .run(
              [&]() -> std::unique_ptr<Work> {
                if (next == learning.learners.size()) return nullptr;
                return std::make_unique<PrepareWork>(learning.preparation,
                                                     learning.learners[next++], learning.roles);
              },
              [&](std::unique_ptr<Work> work) {
                artefacts.push_back(static_cast<PrepareWork&>(*work).artefact());
              },
              [&](const Progress& p) { progress.show(p); });
  progress.clear();
  return finish(learning, totals, artefacts, store.get());
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
