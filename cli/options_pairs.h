#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "eval_options.h"
#include "methods/pairs.h"

namespace assay::cli {

// PairS, as typed.
struct PairsArguments {
  PairsOptions options;
  std::string undecided = "unscored";
  std::string probs = "logprobs";

  PairsOptions parsed() const;  // throws ConfigError
};

// What `assay rank` was asked to do, as typed.
struct RankOptions {
  EvalOptions eval;  // those of its members that rank has
  PairsArguments pairs;
  bool one_group = false;
};

void add_rank_options(CLI::App& app, RankOptions& options);

}  // namespace assay::cli
