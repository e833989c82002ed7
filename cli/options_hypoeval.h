#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "methods/hypo_options.h"
#include "methods/hypoeval.h"

namespace assay::cli {

// Of `assay eval --method hypoeval`.
void add_hypoeval_options(CLI::App& app, HypoEvalOptions& options);

// Of `assay learn`: the hyper-parameters, and what must be translated from words.
struct LearnWords {
  std::string from = "both";
  std::string best = "random";
  std::vector<long> seeds{42, 2, 114514};
};
void add_learn_options(CLI::App& app, HypoOptions& options, LearnWords& words);

// Watches rows go by for those a bank was learned from: their scores say too much good of the bank.
// Refuses up front, with ConfigError, a bank that no dimension of the run uses.
class BankWatch {
 public:
  BankWatch(const std::vector<std::string>& methods, const HypoEvalOptions& options,
            const std::string& task, const std::vector<std::string>& dimensions);
  void row(const std::string& id) { met_ += seen_.contains(id) ? 1 : 0; }
  void warn() const;  // one line on stderr, where there is something to say

 private:
  std::unordered_set<std::string> seen_;
  std::int64_t met_ = 0;
};

}  // namespace assay::cli
