// `assay doctor`: what is installed, reachable and configured. Says whether a key is set, never
// what it is.

#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>

#include "assay/error.h"
#include "assay/store.h"
#include "commands.h"
#include "evidence/evidence.h"
#include "judges/anthropic.h"
#include "judges/openai.h"
#include "rubric/library.h"
#include "table.h"

namespace assay::cli {
namespace {

struct Check {
  std::string what;
  bool well = true;
  std::string finding;
};

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

Check check_rubrics() {
  try {
    const RubricLibrary library = RubricLibrary::load("", evidence_names());
    std::size_t dimensions = 0;
    for (const std::string& task : library.tasks()) dimensions += library.dimensions(task).size();
    return {"rubrics", true,
            fmt::format("{} tasks, {} dimensions, {} prompts built in", library.tasks().size(),
                        dimensions, library.prompts().size())};
  } catch (const ConfigError& error) {
    return {"rubrics", false, error.what()};
  }
}

Check check_ledger(const std::string& given) {
  const std::string path = given.empty() ? default_ledger_path() : given;
  if (!std::filesystem::exists(path))
    return {"ledger", true, fmt::format("{} (made by the first paid run)", path)};
  try {
    LedgerOptions options;
    options.path = path;
    const auto runs = open_ledger(options)->runs().size();
    return {"ledger", true, fmt::format("{}, {} runs", path, runs)};
  } catch (const std::exception& error) {
    return {"ledger", false, error.what()};
  }
}

Check check_server(const std::string& base_url) {
  OpenAiOptions options;
  options.model = "probe";
  if (!base_url.empty()) {
    options.base_urls = {base_url};
  } else if (is_set("OPENAI_BASE_URL")) {
    options.base_urls = {std::getenv("OPENAI_BASE_URL")};
  } else if (!is_set("OPENAI_API_KEY")) {
    return {"openai:", true,
            "not configured: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own"};
  }
  if (is_set("OPENAI_API_KEY")) options.api_key = std::getenv("OPENAI_API_KEY");
  try {
    options.validate();
    const std::string problem = probe_openai(options);
    const std::string key = options.api_key.empty() ? "no key is set" : "a key is set";
    if (problem.empty())
      return {"openai:", true, fmt::format("{} answers; {}", options.base_urls[0], key)};
    return {"openai:", false, fmt::format("{}; {}", problem, key)};
  } catch (const ConfigError& error) {
    return {"openai:", false, error.what()};
  }
}

Check check_anthropic() {
  AnthropicOptions options;
  options.model = "probe";
  if (is_set("ANTHROPIC_BASE_URL")) {
    options.base_urls = {std::getenv("ANTHROPIC_BASE_URL")};
  } else if (!is_set("ANTHROPIC_API_KEY")) {
    return {
        "anthropic:", true,
        "not configured: set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a server of your own"};
  }
  if (is_set("ANTHROPIC_API_KEY")) options.api_key = std::getenv("ANTHROPIC_API_KEY");
  try {
    options.validate();
    const std::string problem = probe_anthropic(options);
    const std::string key = options.api_key.empty() ? "no key is set" : "a key is set";
    if (problem.empty())
      return {"anthropic:", true, fmt::format("{} answers; {}", options.base_urls[0], key)};
    return {"anthropic:", false, fmt::format("{}; {}", problem, key)};
  } catch (const ConfigError& error) {
    return {"anthropic:", false, error.what()};
  }
}

}  // namespace

void add_doctor(CLI::App& app, int& exit_code) {
  struct Options {
    std::string store;
    std::string base_url;
  };
  CLI::App* verb = app.add_subcommand(
      "doctor", "say what is installed, reachable and configured; never prints a key");
  auto options =
      std::make_shared<Options>();  // shared with the callback, which outlives this function
  verb->add_option("--store", options->store, "the ledger to look at [per user]");
  verb->add_option("--base-url", options->base_url, "the server to look for [OPENAI_BASE_URL]");
  verb->footer("Examples:\n  assay doctor\n  assay doctor --base-url http://localhost:8000/v1");
  verb->callback([options, &exit_code] {
    const std::vector<Check> checks = {
        {"assay", true, "version " ASSAY_VERSION},
        {"builtin", true, "ready: lexical baseline, not an LLM; needs nothing"},
        check_rubrics(),
        check_ledger(options->store),
        check_server(options->base_url),
        check_anthropic()};
    Table table;
    for (const char* name : {"part", "", "finding"}) table.column(name, false);
    for (const Check& check : checks) {
      table.rows.push_back({check.what, check.well ? "ok" : "NOT WELL", check.finding});
      if (!check.well) exit_code = kUsage;
    }
    fmt::print("{}", render(table, Format::kTable, wants_colour(false)));
  });
}

}  // namespace assay::cli
