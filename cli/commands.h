#pragma once

#include <CLI/CLI.hpp>

namespace assay::cli {

// Exit codes, in the order of precedence (DESIGN, Command line).
enum Exit {
  kUsage = 2,
  kInterrupted = 130,
  kStopped = 4,
  kGateFailed = 1,
  kGateUndecided = 5,
  kUnscored = 3,
  kWell = 0,
};

// One verb, one file: each adds its subcommand to `app`; its callback sets `exit_code`. A
// ConfigError thrown from a callback is printed by main as one line and ends with kUsage.
void add_eval(CLI::App& app, int& exit_code);
void add_metric(CLI::App& app, int& exit_code);
void add_rank(CLI::App& app, int& exit_code);
void add_learn(CLI::App& app, int& exit_code);
void add_meta(CLI::App& app, int& exit_code);
void add_agree(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_rubric(CLI::App& app, int& exit_code);
void add_checklist(CLI::App& app, int& exit_code);
void add_runs(CLI::App& app, int& exit_code);
void add_methods(CLI::App& app, int& exit_code);
void add_judges(CLI::App& app, int& exit_code);
void add_doctor(CLI::App& app, int& exit_code);

// Every verb, in the order of --help.
void add_commands(CLI::App& app, int& exit_code);

}  // namespace assay::cli
