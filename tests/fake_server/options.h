#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace fake {

struct Options {
  int port = 0;  // 0: any; the one taken is printed
  double latency_ms = 0;
  std::string mode = "scripted";  // scripted | echo | fixed
  std::string reply = "yes";      // of mode fixed
  // Answers that go before those of the mode: the reply of the first entry whose needle is in the
  // prompt. From a file of lines "needle<TAB>reply", in which \\n stands for a line end.
  std::vector<std::pair<std::string, std::string>> answers;
  double faults = 0;  // share of requests that fail
  std::vector<std::string> fault_kinds;
  std::uint64_t seed = 1;
  std::set<std::string> reject;  // parameters answered with 400
  bool ignore_n = false;         // takes n and sends one choice
  bool shuffle = false;          // random delays up to twice the latency (at least 20 ms)
  std::string log;               // a line per request
  std::string require_key;
  std::string redirect_to;  // where the fault "redirect" points
  int capacity = 0;         // more at once are answered with 429; 0: no limit
  double rate = 0;          // more per second are answered with 429 and Retry-After; 0: no limit
};

}  // namespace fake
