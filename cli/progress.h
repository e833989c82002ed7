#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "assay/engine.h"

namespace assay::cli {

// How a long run is going, on stderr: a line redrawn on a terminal, a line now and then elsewhere,
// or JSON for machines. Thread-compatible.
class ProgressLine {
 public:
  enum class Form { kOff, kTerminal, kLines, kJson };

  // `retries`: how many tries the judges have repeated so far; asked only when a line is shown.
  ProgressLine(Form form, std::int64_t works, std::function<std::int64_t()> retries)
      : form_(form), works_(works), retries_(std::move(retries)) {}
  ~ProgressLine() { clear(); }
  void show(const Progress& progress);
  void clear();
  void end(const RunTotals& totals);  // for machines: how it ended

  // What fits stderr: off when quiet, JSON when asked for.
  static Form form_for(bool quiet, bool json);

 private:
  using Clock = std::chrono::steady_clock;
  std::string text(const Progress& progress, double seconds) const;
  double seconds_left(const Progress& progress, double seconds) const;  // negative: not known yet
  std::string json(const Progress& progress, double seconds) const;

  Form form_;
  std::int64_t works_;
  std::function<std::int64_t()> retries_;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point shown_ = begun_;
  bool drawn_ = false;
};

// "1 h 04 min", "3 min 20 s", "12 s".
std::string duration(double seconds);

}  // namespace assay::cli
