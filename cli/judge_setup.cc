#include "judge_setup.h"

#include <fmt/core.h>

#include <cstdlib>
#include <thread>

#include "assay/error.h"
#include "judges/builtin.h"
#include "judges/openai.h"
#include "judges/replay.h"

namespace assay::cli {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::unique_ptr<Judge> openai_judge(const std::string& model, const JudgeOptions& options) {
  OpenAiOptions openai;
  openai.model = model;
  openai.api_key = environment("OPENAI_API_KEY");
  openai.judge_id = options.judge_id;
  openai.ca_file = options.ca_file;
  openai.timeout_s = options.timeout_s;
  openai.max_retries = options.retries;
  openai.rpm = options.rpm;
  openai.tpm = options.tpm;
  openai.max_in_flight = options.jobs > 0 ? options.jobs : default_jobs("openai:");
  if (!options.base_urls.empty()) {
    openai.base_urls = options.base_urls;
  } else if (const std::string url = environment("OPENAI_BASE_URL"); !url.empty()) {
    openai.base_urls = {url};
  } else if (openai.api_key.empty()) {
    throw ConfigError("openai:" + model + ": no key; set OPENAI_API_KEY, or name a server of your own with --base-url");
  }
  return make_openai(std::move(openai));
}

}  // namespace

void JudgeOptions::add_to(CLI::App& app) {
  const char* group = "Judge";
  app.add_option("--base-url", base_urls, "an OpenAI-compatible server; repeat to spread the load [OPENAI_BASE_URL]")->allow_extra_args(false)->group(group);
  app.add_option("--judge-id", judge_id, "your name for what changes answers beside the model (a fine-tune, a system prompt)")->group(group);
  app.add_option("--ca-file", ca_file, "certificates to trust, instead of the system's [SSL_CERT_FILE]")->group(group);
  app.add_option("--timeout", timeout_s, "seconds one try may take")->capture_default_str()->group(group)->check(CLI::PositiveNumber);
  app.add_option("--retries", retries, "tries after the first, for what may pass")->capture_default_str()->group(group)->check(CLI::NonNegativeNumber);
  app.add_option("--rpm", rpm, "at most this many requests a minute")->group(group)->check(CLI::PositiveNumber);
  app.add_option("--tpm", tpm, "at most this many tokens a minute")->group(group)->check(CLI::PositiveNumber);
  app.add_option("-j,--jobs", jobs, "questions in flight at once; for builtin: threads")->group(group)->check(CLI::PositiveNumber);
}

int default_jobs(const std::string& judge) {
  if (judge == "builtin") return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return 16;
}

std::unique_ptr<Judge> make_judge(const std::string& name, const JudgeOptions& options) {
  const auto after = [&](std::string_view prefix) { return name.substr(prefix.size()); };
  if (name == "builtin") return make_builtin(options.jobs > 0 ? options.jobs : default_jobs(name));
  // provider/model is a common habit; it means the same here.
  if (name.starts_with("openai:") || name.starts_with("openai/")) return openai_judge(after("openai:"), options);
  if (name.starts_with("replay:")) return make_replay(after("replay:"));
  throw ConfigError(fmt::format("--judge {}: there is no such judge; known: builtin, openai:MODEL, replay:FILE", name));
}

std::vector<JudgeKind> judge_kinds() {
  return {
      {"builtin", "lexical baseline, not an LLM: answers from the texts alone, deterministic, free", "nothing"},
      {"openai:MODEL", "any OpenAI-compatible chat server (--base-url)", "OPENAI_API_KEY, or --base-url of a server that wants none"},
      {"replay:FILE", "the answers of an earlier run (--record FILE), byte for byte", "the recording"},
  };
}

}  // namespace assay::cli
