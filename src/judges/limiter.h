#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "assay/sample.h"

namespace assay {

// What a server said about its limits in the headers of one reply. Absent where it said nothing.
struct LimitHints {
  std::optional<double> retry_after;         // seconds
  std::optional<double> remaining_requests;  // x-ratelimit-remaining-requests
  std::optional<double> reset_requests;      // seconds until the window is full again
  std::optional<double> remaining_tokens;
  std::optional<double> reset_tokens;
};

// Reads Retry-After (seconds or a date; `unix_now` dates it), retry-after-ms, x-ratelimit-* and
// anthropic-ratelimit-*.
// Names in lower case. What cannot be read is left out: a wrong header must not stop a run.
LimitHints read_hints(const Named<std::string>& headers, double unix_now);

// "20ms", "1s", "6m0s", "1h2m3.5s" or plain seconds.
std::optional<double> parse_duration(std::string_view text);

struct LimiterOptions {
  int max_in_flight = 64;
  double rpm = 0;  // requests a minute; 0: no fixed limit
  double tpm = 0;  // tokens a minute, prompt and completion; 0: no fixed limit
};

enum class Outcome {
  kAnswered,   // the server did its work, whatever the answer
  kThrottled,  // 429, 503 or a timeout: it had too much to do
  kOther,      // a failure that says nothing about load (reset, broken reply)
};

// How many requests may be under way. Pure logic on the times it is given (seconds, any origin);
// not thread-safe. It starts at full level: an unthrottled server is driven at max_in_flight from
// the first call.
class Limiter {
 public:
  explicit Limiter(LimiterOptions options, double now = 0);

  // Seconds until a request may start: 0 now; kAfterReply when a running one must end first.
  static constexpr double kAfterReply = 1e18;
  double wait(double now) const;

  // A request starts; hand the ticket back to `finished`. `tokens` is an estimate.
  struct Ticket {
    std::int64_t number = 0;
    std::int64_t successes = 0;  // answered before it started
    double tokens = 0;
  };
  Ticket started(double now, double tokens);
  // `tokens`: what it really took; 0 keeps the estimate.
  void finished(double now, const Ticket& ticket, Outcome outcome, const LimitHints& hints,
                double tokens = 0);

  // True where others were answered since this request started: the limit lets work pass.
  bool progress_since(const Ticket& ticket) const { return successes_ > ticket.successes; }
  double level() const { return level_; }
  int in_flight() const { return in_flight_; }

 private:
  void refill(double now);
  void adapt(const Ticket& ticket, Outcome outcome);
  void end_window();
  void hold(double now, const Ticket& ticket, Outcome outcome, const LimitHints& hints);

  LimiterOptions options_;
  double level_;
  double last_good_;
  int in_flight_ = 0;
  std::int64_t tickets_ = 0;
  std::int64_t successes_ = 0;
  std::int64_t window_begin_ = 0;  // first ticket of the present window
  int window_total_ = 0;
  int window_throttled_ = 0;
  double paused_until_ = -1;
  double allowance_ = -1;  // starts left in the server's window; negative: not known
  double allowance_until_ = -1;
  double request_bucket_ = 0;
  double token_bucket_ = 0;
  double refilled_ = 0;
};

}  // namespace assay
