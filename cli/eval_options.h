#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "ingest/rows.h"
#include "judge_setup.h"
#include "methods/registry.h"

namespace assay::cli {

// What `assay eval` was asked to do, as typed.
struct EvalOptions {
  std::string rows;
  std::string task = "summarization";
  std::vector<std::string> dimensions;  // empty: all of the task
  std::vector<std::string> methods{"seal"};
  std::vector<std::string> judges_named{"builtin"};  // several: a jury
  std::vector<std::string> roles;                    // ROLE=JUDGE
  std::string rubrics;
  std::string jury_rule = "mean";
  std::string units_by;
  bool normalize = false;
  std::string labelled;
  std::string artefacts;
  std::vector<std::string> outputs;
  std::string record;
  std::string store;
  bool no_cache = false;
  std::vector<std::string> map;
  std::string input_format = "auto";
  std::string on_error = "stop";
  std::size_t limit = 0;
  int repeat = 1;
  int shown = 10;
  std::int64_t max_calls = -1;
  double budget_usd = -1;
  double deadline_s = -1;
  bool dry_run = false;
  bool quiet = false;
  bool no_color = false;
  bool json_progress = false;
  std::string plan_format = "table";

  // SEAL
  std::string layout = "shared";
  std::string ask = "batched";
  std::string weights = "judge";
  std::string facts = "separate";
  std::string splitter = "own";
  std::string source_units = "facts";
  std::string reference = "first";
  std::vector<std::string> ablate;
  int threshold = -1;
  bool links = false;
  bool soft = false;

  std::string probs;       // of every method that takes an expected value or P(yes)
  MethodOptions families;  // filled by the methods' own options
  JudgeOptions judges;

  void add_to(CLI::App& app);
  // What every command that asks judges takes: ledger, limits, plan.
  void add_run(CLI::App& app);
  IngestOptions ingest() const;
  MethodOptions method() const;
};

}  // namespace assay::cli
