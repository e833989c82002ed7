#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "assay/judge.h"
#include "assay/method.h"
#include "assay/store.h"

namespace assay {

// One thing that asks rounds of questions until it is done: a row under one method and judge, a
// group of rows, or a preparation. The engine replays `step` with the transcript so far; see
// src/engine/works.h. Thread-compatible: the engine touches a Work on its own thread only.
class Work {
 public:
  virtual ~Work() = default;
  virtual std::optional<Ask> step(const Transcript& transcript) = 0;  // nothing: done
  virtual Judge& judge(const std::string& role) = 0;
  virtual int repeat() const { return 0; }  // separate draws, paid separately

  Usage usage;          // what its answers cost when they were paid for; filled by the engine
  Named<Usage> stages;  // the same by stage
};

struct EngineOptions {
  int in_flight = 16;  // questions at the judges at once
  int window = 64;     // works open at once: bounds memory, keeps sibling questions together
  int repairs = 2;     // how often an unreadable answer is asked again
  std::string repair;  // the repair turn, a template with {{problem}} and {{shape}}
  std::int64_t max_calls = -1;
  double budget_usd = -1;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  const std::atomic<bool>* interrupted = nullptr;
  // The most a call may cost, for the budget; nothing is dispatched that could cross it.
  std::function<double(const Judge&, const Request&)> price_bound;
  // A question as the ledger keeps it for audit and replay.
  std::function<std::string(const Request&)> question_json;
  // Told of every answer used, also of those the ledger knew (recording).
  std::function<void(const Judge&, const Request&, const Reply&)> on_answer;

  void validate() const;
};

enum class StopReason { kNone, kInterrupted, kBudget, kCalls, kDeadline, kStore };

struct RunTotals {
  std::int64_t works = 0;
  std::int64_t asked = 0;   // answered by a judge in this run
  std::int64_t cached = 0;  // known to the ledger
  std::int64_t joined = 0;  // equal to a question already open
  std::int64_t repairs = 0;
  Usage usage;  // of the calls of this run only
  Named<Usage> stages;
  StopReason stop = StopReason::kNone;
  std::string stop_detail;
};

struct Progress {
  std::int64_t works_done = 0;
  std::int64_t in_flight = 0;
  const RunTotals* totals = nullptr;
};

// Runs works: who asks next, in which order, what is repaired, and when to stop. Works are handed
// to `sink` in the order `source` gave them, whatever the order in which answers arrive. After a
// stop the works that were not finished are not handed over. `ledger` may be null only where every
// judge is free.
class Engine {
 public:
  using Source = std::function<std::unique_ptr<Work>()>;  // null: no more
  using Sink = std::function<void(std::unique_ptr<Work>)>;

  Engine(EngineOptions options, Ledger* ledger);
  ~Engine();
  RunTotals run(const Source& source, const Sink& sink,
                const std::function<void(const Progress&)>& progress = {});

 private:
  EngineOptions options_;
  Ledger* ledger_;
};

}  // namespace assay
