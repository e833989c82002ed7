#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "assay/engine.h"

namespace assay::cli {

// How a long run is going, on stderr: a line redrawn on a terminal, a line now and then elsewhere,
// or JSON for machines. Thread-compatible.
class ProgressLine {
 public:
  enum class Form { kOff, kTerminal, kLines, kJson };

  ProgressLine(Form form, std::int64_t works) : form_(form), works_(works) {}
  ~ProgressLine() { clear(); }
  void show(const Progress& progress);
  void clear();

  // What fits stderr: off when quiet, JSON when asked for.
  static Form form_for(bool quiet, bool json);

 private:
  using Clock = std::chrono::steady_clock;
  std::string text(const Progress& progress, double seconds) const;
  std::string json(const Progress& progress, double seconds) const;

  Form form_;
  std::int64_t works_;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point shown_ = begun_;
  bool drawn_ = false;
};

// "1 h 04 min", "3 min 20 s", "12 s".
std::string duration(double seconds);

}  // namespace assay::cli
