#include "paid_run.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <string_view>

#include "assay/error.h"
#include "commands.h"
#include "progress.h"
#include "text/json_text.h"

namespace assay::cli {
namespace {

std::atomic<bool> g_interrupted{false};  // written by the signal handler, nowhere else
std::atomic<bool> g_terminal{false};

// The first lets what is in flight be answered and kept; the second, when that takes too long, is
// the system's own. Only calls that are allowed in a signal handler.
void on_interrupt(int signal) {
  g_interrupted = true;
  std::signal(signal, SIG_DFL);
  std::string_view line =
      "\nassay: finishing the calls on their way, which are paid for; once more ends at once\n";
  if (!g_terminal) line.remove_prefix(1);  // there is no progress line to end
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

void catch_signals() {
  g_terminal = isatty(STDERR_FILENO) != 0;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its limit is an error to report, not an end
}

// Where a path leads, whether or not something stands there yet; empty for what is no file.
std::string place_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (path.empty() || path == "-") return {};
  if (fs::exists(path, failed) && !fs::is_regular_file(path, failed)) return {};
  const fs::path place = fs::weakly_canonical(path, failed);
  return failed ? path : place.string();
}

// What is read must not be written over, and two things must not be written to one place.
void refuse_same_files(const EvalOptions& o) {
  std::map<std::string, std::string> taken;  // place: who has it
  for (const auto& [what, path] : {std::pair{"the rows", o.rows},
                                   {"the labelled rows", o.labelled},
                                   {"the ledger", o.store == "none" ? "" : o.store},
                                   {"the price table", o.judges.prices}}) {
    if (const std::string place = place_of(path); !place.empty()) taken[place] = what;
  }
  const auto take = [&](const char* option, const std::string& path) {
    const std::string place = place_of(path);
    if (place.empty()) return;
    const auto [other, is_new] = taken.try_emplace(place, option);
    if (is_new) return;
    if (other->second.starts_with('-')) {
      throw ConfigError(fmt::format("{} {}: {} names the same file; give each a name of its own",
                                    option, path, other->second));
    }
    throw ConfigError(fmt::format("{} {}: this would write over {}; name another file", option,
                                  path, other->second));
  };
  for (const std::string& path : o.outputs) take("-o", path);
  take("--record", o.record);
}

std::string dollars(double usd, const char* before) {
  return usd > 0 ? fmt::format("{}${:.4f}", before, usd) : "";
}

}  // namespace

PaidRun::PaidRun(const Evaluation& evaluation)
    : evaluation_(evaluation), setup_(engine_options(evaluation)) {
  refuse_same_files(evaluation.options);
  store_ = make_store(evaluation);
  setup_.interrupted = &g_interrupted;
  catch_signals();
  const EvalOptions& options = evaluation.options;
  if (options.record.empty() || options.dry_run) return;
  recorder_ = std::make_unique<Recorder>(options.record);
  setup_.on_answer = [this](const Judge& judge, const Request& request, const Reply& reply) {
    recorder_->write(judge, request, reply);
  };
}

void PaidRun::begin(RunInfo info) {
  if (!store_) return;
  info.created = std::chrono::duration_cast<std::chrono::seconds>(
                     std::chrono::system_clock::now().time_since_epoch())
                     .count();
  store_->begin_run(info);
  info_ = std::move(info);
}

RunTotals PaidRun::ask(const Engine::Source& source, const Engine::Sink& sink, std::int64_t works) {
  const EvalOptions& options = evaluation_.options;
  ProgressLine progress(ProgressLine::form_for(options.quiet, options.json_progress), works, [&] {
    std::int64_t all = 0;
    for (const auto& judge : evaluation_.owned) all += judge->retries();
    return all;
  });
  const RunTotals totals = Engine(setup_, store_.get()).run(source, sink, [&](const Progress& now) {
    progress.show(now);
  });
  progress.end(totals);
  return totals;
}

RunTotals PaidRun::ask(std::unique_ptr<PrepareWork> work, Artefact& made) {
  return ask([&]() -> std::unique_ptr<Work> { return std::move(work); },
             [&](const std::unique_ptr<Work>& done) {
               made = static_cast<const PrepareWork&>(*done).artefact();
             },
             1);
}

std::optional<int> PaidRun::end(const RunTotals& totals) {
  for (const auto& judge : evaluation_.owned) {
    for (const std::string& remark : judge->remarks())
      fmt::print(stderr, "assay: {}: {}\n", judge->name(), remark);
  }
  const bool stopped = totals.stop != StopReason::kNone;
  if (!info_.id.empty()) {
    const std::string error =
        store_->finish_run(info_.id, info_.rows, stopped ? "stopped" : "done");
    if (!error.empty()) fmt::print(stderr, "assay: the ledger could not keep the run: {}\n", error);
  }
  if (!stopped) return std::nullopt;
  const bool budget = totals.stop == StopReason::kBudget;
  if (totals.asked == 0 && (budget || totals.stop == StopReason::kCalls)) {
    fmt::print(stderr, "assay: stopped: {}; nothing more can be asked: raise {}\n",
               totals.stop_detail, budget ? "--budget" : "--max-calls");
  } else {
    fmt::print(
        stderr,
        "assay: stopped: {}; what was answered is kept: the same command goes on from here\n",
        totals.stop_detail);
  }
  if (totals.stop == StopReason::kStore) return kUsage;
  return totals.stop == StopReason::kInterrupted ? kInterrupted : kStopped;
}

RunInfo preparation_info(const std::string& command, const std::string& method, const Judge& judge,
                         const Hasher& what) {
  RunInfo info;
  info.id = Hasher(what).add(judge.identity()).hex().substr(0, 16);
  info.command = command;
  info.method = method;
  info.judge = judge.name();
  info.options = "{}";
  return info;
}

std::string run_options(const Evaluation& evaluation) {
  return fmt::format("{{\"task\":{},\"dimensions\":{}}}", json_text(evaluation.options.task),
                     evaluation.dimensions().size());
}

void print_spend(const RunTotals& totals, const Named<Usage>& by_dimension) {
  const std::int64_t all = totals.asked + totals.cached;
  if (all == 0 || totals.usage.calls + totals.cached == 0) return;
  fmt::print(stderr,
             "assay: {} calls, {} known already ({:.0f} %), {} repairs; {} prompt tokens ({} "
             "cached by the server), {} reply tokens{}\n",
             totals.asked, totals.cached,
             100.0 * static_cast<double>(totals.cached) / static_cast<double>(all), totals.repairs,
             totals.usage.prompt_tokens, totals.usage.cached_tokens, totals.usage.completion_tokens,
             dollars(totals.usage.usd, ", "));
  std::size_t width = 0;
  for (const Named<Usage>* table : {&totals.stages, &by_dimension}) {
    for (const auto& [name, usage] : *table) width = std::max(width, name.size());
  }
  for (const auto& [stage, usage] : totals.stages) {
    fmt::print(stderr, "assay:   {:<{}} {:>8} calls {:>10} tokens{}\n", stage, width, usage.calls,
               usage.prompt_tokens + usage.completion_tokens, dollars(usage.usd, "  "));
  }
  for (const auto& [dimension, usage] : by_dimension) {
    fmt::print(stderr,
               "assay:   {:<{}} {:>8} answers used{} (shared ones count in each dimension)\n",
               dimension, width, usage.calls, dollars(usage.usd, ", when asked worth "));
  }
}

int scored_code(std::int64_t unscored, std::int64_t results) {
  if (unscored == 0) return kWell;
  fmt::print(
      stderr,
      "assay: {} of {} results are unscored; each says why in `reason`; the same command asks "
      "again where no reply came\n",
      unscored, results);
  return kUnscored;
}

}  // namespace assay::cli
