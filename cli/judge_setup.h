#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "assay/judge.h"

namespace assay::cli {

// How judges are reached. Keys come from the environment only.
struct JudgeOptions {
  std::vector<std::string> base_urls;
  std::string judge_id;
  std::string ca_file;
  double timeout_s = 120;
  int retries = 6;
  double rpm = 0;
  double tpm = 0;
  int jobs = 0;          // 0: the judge's own default
  std::string prices;    // the user's price table
  bool offline = false;  // nothing will be sent: no key is needed

  void add_to(CLI::App& app);
};

// "builtin", "openai:MODEL", "anthropic:MODEL", "replay:FILE". Throws ConfigError, naming the known
// kinds.
std::unique_ptr<Judge> make_judge(const std::string& name, const JudgeOptions& options);

// How many questions a judge of that name is asked at once, where the user did not say.
int default_jobs(const std::string& judge);

struct JudgeKind {
  std::string name;  // "openai:MODEL"
  std::string summary;
  std::string needs;  // what must be set, in words
};
std::vector<JudgeKind> judge_kinds();

}  // namespace assay::cli
