#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "evaluation.h"
#include "methods/hypo_learn.h"
#include "options_hypoeval.h"

namespace assay::cli {

// What `assay learn` was asked to do, as typed.
struct LearnOptions {
  EvalOptions eval;  // rows, task, judges and run, as for `assay eval`
  std::string dimension;
  std::string judge = "builtin";
  HypoOptions hypo;
  LearnWords words;
  std::vector<std::string> literature;
  std::string output;

  void add_to(CLI::App& app);
  void settle();  // what was typed, put where the parts look for it
};

// Everything one run learns from and with.
struct Learning {
  const LearnOptions& options;
  Evaluation evaluation;
  Preparation preparation;
  std::vector<HypoLearn> learners;  // one a seed
  JudgeRoles roles;
  std::string rows_name;
  std::string run;

  explicit Learning(const LearnOptions& o) : options(o), evaluation(o.eval) {}
};

// Refuses whatever is wrong before anything is asked. Throws ConfigError.
void prepare(Learning& learning);

// How many calls it will take, by stage, and about how many tokens.
Plan plan_of(const Learning& learning);

}  // namespace assay::cli
