#include "judge_setup.h"

#include <fmt/core.h>

#include <cstdlib>
#include <thread>

#include "assay/error.h"
#include "checks.h"
#include "judges/anthropic.h"
#include "judges/builtin.h"
#include "judges/openai.h"
#include "judges/replay.h"
#include "rubric/prices.h"

namespace assay::cli {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// What judges behind HTTP have in common. `name` is "openai:MODEL"; `variable` begins the names of
// its environment variables.
void set_remote(RemoteOptions& remote, const std::string& name, const std::string& variable,
                const JudgeOptions& options) {
  remote.model = name.substr(name.find(':') + 1);
  remote.api_key = environment((variable + "_API_KEY").c_str());
  remote.judge_id = options.judge_id;
  remote.ca_file = options.ca_file;
  remote.timeout_s = options.timeout_s;
  remote.max_retries = options.retries;
  remote.rpm = options.rpm;
  remote.tpm = options.tpm;
  remote.max_in_flight = options.jobs > 0 ? options.jobs : default_jobs(name);
  if (!options.base_urls.empty()) {
    remote.base_urls = options.base_urls;
  } else if (const std::string url = environment((variable + "_BASE_URL").c_str()); !url.empty()) {
    remote.base_urls = {url};
  } else if (remote.api_key.empty() && !options.offline) {
    throw ConfigError(
        fmt::format("{}: no key; set {}_API_KEY, or name a server of your own with --base-url",
                    name, variable));
  }
  remote.price = PriceTable::load(options.prices).find(name).value_or(TokenPrice{});
}

std::unique_ptr<Judge> openai_judge(const std::string& model, const JudgeOptions& options) {
  OpenAiOptions openai;
  set_remote(openai, "openai:" + model, "OPENAI", options);
  return make_openai(std::move(openai));
}

std::unique_ptr<Judge> anthropic_judge(const std::string& model, const JudgeOptions& options) {
  AnthropicOptions anthropic;
  set_remote(anthropic, "anthropic:" + model, "ANTHROPIC", options);
  return make_anthropic(std::move(anthropic));
}

}  // namespace

void JudgeOptions::add_to(CLI::App& app) {
  const char* group = "Judge";
  app.add_option("--base-url", base_urls,
                 "the server of openai: or anthropic: judges; repeat to spread the load "
                 "[OPENAI_BASE_URL, ANTHROPIC_BASE_URL]")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option(
         "--judge-id", judge_id,
         "your name for what changes answers beside the model (a fine-tune, a system prompt)")
      ->group(group);
  app.add_option("--ca-file", ca_file,
                 "certificates to trust, instead of the system's [SSL_CERT_FILE]")
      ->group(group);
  app.add_option("--timeout", timeout_s, "seconds one try may take")
      ->capture_default_str()
      ->group(group)
      ->check(above_zero());
  app.add_option("--retries", retries, "tries after the first, for what may pass")
      ->capture_default_str()
      ->group(group)
      ->check(not_negative());
  app.add_option("--rpm", rpm, "at most this many requests a minute")
      ->group(group)
      ->check(above_zero());
  app.add_option("--tpm", tpm, "at most this many tokens a minute")
      ->group(group)
      ->check(above_zero());
  app.add_option("--prices", prices,
                 "your own price table, laid over the built-in one (prices/prices.yaml)")
      ->group(group);
  app.add_option("-j,--jobs", jobs, "questions in flight at once; for builtin: threads")
      ->group(group)
      ->check(above_zero());
}

int default_jobs(const std::string& judge) {
  if (judge == "builtin")
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return 16;
}

std::unique_ptr<Judge> make_judge(const std::string& name, const JudgeOptions& options) {
  const auto after = [&](std::string_view prefix) { return name.substr(prefix.size()); };
  if (name == "builtin") return make_builtin(options.jobs > 0 ? options.jobs : default_jobs(name));
  // provider/model is a common habit; it means the same here.
  if (name.starts_with("openai:") || name.starts_with("openai/"))
    return openai_judge(after("openai:"), options);
  if (name.starts_with("anthropic:") || name.starts_with("anthropic/"))
    return anthropic_judge(after("anthropic:"), options);
  if (name.starts_with("replay:")) return make_replay(after("replay:"));
  throw ConfigError(
      fmt::format("--judge {}: there is no such judge; known: builtin, openai:MODEL, "
                  "anthropic:MODEL, replay:FILE",
                  name));
}

std::vector<JudgeKind> judge_kinds() {
  return {
      {"builtin", "lexical baseline, not an LLM: answers from the texts alone, deterministic, free",
       "nothing"},
      {"openai:MODEL", "any OpenAI-compatible chat server (--base-url)",
       "OPENAI_API_KEY, or --base-url of a server that wants none"},
      {"anthropic:MODEL", "a server with the Messages API; no probabilities",
       "ANTHROPIC_API_KEY, or --base-url of a server that wants none"},
      {"replay:FILE", "the answers of an earlier run (--record FILE), byte for byte",
       "the recording"},
  };
}

}  // namespace assay::cli
