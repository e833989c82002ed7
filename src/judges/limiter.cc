// Adaptive concurrency. Additive increase and multiplicative decrease once per window (about one
// round trip: a window ends when a request that started in it ends), where the decrease is half the
// share of throttled replies, as in DCTCP (RFC 8257). A server that turns everybody away halves us
// each window. One that can do C at a time is left at about C + 2. One that fails now and then
// costs nothing: halving on every single 429 would leave five in flight at 5 % of random failures.
// After a decrease the level doubles in every clean window up to the last level that was good.
// Tested in tests/judges/limiter_test.cc.
#include "judges/limiter.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>

namespace assay {
namespace {

// Longest pause taken from a header: a server that says "tomorrow" is asked again sooner, and then
// said to have a spent quota by the retry limit.
constexpr double kMaxPause = 300;
constexpr double kRequestBurst = 1;  // seconds of rpm that may be spent at once
constexpr double kTokenBurst = 5;    // seconds of tpm; a prompt is large beside a second's share
constexpr double kAdditiveShare = 32;

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value) || value < 0) return std::nullopt;
  return value;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// "Wed, 21 Oct 2026 07:28:00 GMT" (RFC 9110, 5.6.7), without the locale strptime would read it by.
std::optional<double> unix_time_of(std::string_view date) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (date.size() != 29 || date.substr(25) != " GMT") return std::nullopt;
  const auto field = [&](std::size_t at, std::size_t size) {
    return number_of(date.substr(at, size));
  };
  const auto month = std::find(kMonths.begin(), kMonths.end(), date.substr(8, 3));
  const auto day = field(5, 2), year = field(12, 4), hour = field(17, 2), minute = field(20, 2),
             second = field(23, 2);
  if (month == kMonths.end() || !day || !year || !hour || !minute || !second) return std::nullopt;
  std::tm parts{};
  parts.tm_year = static_cast<int>(*year) - 1900;
  parts.tm_mon = static_cast<int>(month - kMonths.begin());
  parts.tm_mday = static_cast<int>(*day);
  parts.tm_hour = static_cast<int>(*hour);
  parts.tm_min = static_cast<int>(*minute);
  parts.tm_sec = static_cast<int>(*second);
  return static_cast<double>(timegm(&parts));
}

// "2026-10-21T07:28:00Z" (RFC 3339; fractions of a second are left out), as seconds from now.
std::optional<double> seconds_until(std::string_view date, double unix_now) {
  if (date.size() < 20 || date[4] != '-' || date[7] != '-' || date[10] != 'T' || date[13] != ':' ||
      date[16] != ':' || date.back() != 'Z') {
    return std::nullopt;
  }
  const auto field = [&](std::size_t at, std::size_t size) {
    return number_of(date.substr(at, size));
  };
  const auto year = field(0, 4), month = field(5, 2), day = field(8, 2), hour = field(11, 2),
             minute = field(14, 2), second = field(17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  std::tm parts{};
  parts.tm_year = static_cast<int>(*year) - 1900;
  parts.tm_mon = static_cast<int>(*month) - 1;
  parts.tm_mday = static_cast<int>(*day);
  parts.tm_hour = static_cast<int>(*hour);
  parts.tm_min = static_cast<int>(*minute);
  parts.tm_sec = static_cast<int>(*second);
  return std::max(0.0, static_cast<double>(timegm(&parts)) - unix_now);
}

std::optional<double> retry_after_of(std::string_view text, double unix_now) {
  if (const auto seconds = number_of(text)) return seconds;
  if (const auto date = unix_time_of(text)) return std::max(0.0, *date - unix_now);
  return std::nullopt;
}

}  // namespace

std::optional<double> parse_duration(std::string_view text) {
  text = trimmed(text);
  if (const auto seconds = number_of(text)) return seconds;
  double total = 0;
  while (!text.empty()) {
    const std::size_t digits = text.find_first_not_of("0123456789.");
    if (digits == 0 || digits == std::string_view::npos) return std::nullopt;
    const auto value = number_of(text.substr(0, digits));
    text.remove_prefix(digits);
    const std::string_view unit = text.substr(0, text.find_first_of("0123456789."));
    const double scale = unit == "ms"  ? 0.001
                         : unit == "s" ? 1
                         : unit == "m" ? 60
                         : unit == "h" ? 3600
                         : unit == "d" ? 86400
                                       : -1;
    if (!value || scale < 0) return std::nullopt;
    total += *value * scale;
    text.remove_prefix(unit.size());
  }
  return total > 0 ? std::optional(total) : std::nullopt;
}

LimitHints read_hints(const Named<std::string>& headers, double unix_now) {
  LimitHints hints;
  for (const auto& [name, raw] : headers) {
    const std::string_view value = trimmed(raw);
    if (name == "retry-after-ms") {
      if (const auto ms = number_of(value)) hints.retry_after = *ms / 1000;
    } else if (name == "retry-after") {
      if (!hints.retry_after) hints.retry_after = retry_after_of(value, unix_now);
    } else if (name == "x-ratelimit-remaining-requests") {
      hints.remaining_requests = number_of(value);
    } else if (name == "x-ratelimit-reset-requests") {
      hints.reset_requests = parse_duration(value);
    } else if (name == "x-ratelimit-remaining-tokens") {
      hints.remaining_tokens = number_of(value);
    } else if (name == "x-ratelimit-reset-tokens") {
      hints.reset_tokens = parse_duration(value);
    } else if (name == "anthropic-ratelimit-requests-remaining") {
      hints.remaining_requests = number_of(value);
    } else if (name == "anthropic-ratelimit-requests-reset") {
      hints.reset_requests = seconds_until(value, unix_now);
    } else if (name == "anthropic-ratelimit-tokens-remaining") {
      hints.remaining_tokens = number_of(value);
    } else if (name == "anthropic-ratelimit-tokens-reset") {
      hints.reset_tokens = seconds_until(value, unix_now);
    }
  }
  return hints;
}

Limiter::Limiter(LimiterOptions options, double now)
    : options_(options),
      level_(std::max(1, options.max_in_flight)),
      last_good_(level_),
      request_bucket_(std::max(1.0, options.rpm / 60 * kRequestBurst)),
      token_bucket_(options.tpm / 60 * kTokenBurst),
      refilled_(now) {}

double Limiter::wait(double now) const {
  if (in_flight_ >= static_cast<int>(level_)) return kAfterReply;
  double until = std::max(now, paused_until_);
  if (allowance_ >= 0 && allowance_ < 1) until = std::max(until, allowance_until_);
  if (options_.rpm > 0) {
    const double rate = options_.rpm / 60;
    until = std::max(until, refilled_ + (1 - request_bucket_) / rate);
  }
  if (options_.tpm > 0 && token_bucket_ <= 0) {
    until = std::max(until, refilled_ + (1 - token_bucket_) / (options_.tpm / 60));
  }
  // Rounding in the division above must not make a request wait for nothing forever.
  return until - now < 1e-6 ? 0 : until - now;
}

void Limiter::refill(double now) {
  const double passed = std::max(0.0, now - refilled_);
  refilled_ = std::max(refilled_, now);
  request_bucket_ = std::min(std::max(1.0, options_.rpm / 60 * kRequestBurst),
                             request_bucket_ + passed * options_.rpm / 60);
  token_bucket_ =
      std::min(options_.tpm / 60 * kTokenBurst, token_bucket_ + passed * options_.tpm / 60);
}

Limiter::Ticket Limiter::started(double now, double tokens) {
  refill(now);
  request_bucket_ -= 1;
  token_bucket_ -= tokens;
  if (allowance_ >= 0) allowance_ = now >= allowance_until_ ? -1 : std::max(0.0, allowance_ - 1);
  ++in_flight_;
  return {tickets_++, successes_, tokens};
}

void Limiter::finished(double now, const Ticket& ticket, Outcome outcome, const LimitHints& hints,
                       double tokens) {
  --in_flight_;
  refill(now);
  if (tokens > 0) token_bucket_ += ticket.tokens - tokens;
  hold(now, ticket, outcome, hints);
  adapt(ticket, outcome);
  if (outcome == Outcome::kAnswered) ++successes_;
}

// A pause for everybody only where nobody is let through: a single 429 among answers holds back its
// own request (the caller waits hints.retry_after with it), not the other thousand.
void Limiter::hold(double now, const Ticket& ticket, Outcome outcome, const LimitHints& hints) {
  if (outcome == Outcome::kAnswered) paused_until_ = -1;
  if (outcome == Outcome::kThrottled && hints.retry_after && !progress_since(ticket)) {
    paused_until_ = std::max(paused_until_, now + std::min(*hints.retry_after, kMaxPause));
  }
  if (hints.remaining_requests && hints.reset_requests &&
      *hints.remaining_requests < options_.max_in_flight) {
    allowance_ = std::floor(*hints.remaining_requests);
    allowance_until_ = now + std::min(*hints.reset_requests, kMaxPause);
  }
  if (hints.remaining_tokens && *hints.remaining_tokens < 1 && hints.reset_tokens) {
    paused_until_ = std::max(paused_until_, now + std::min(*hints.reset_tokens, kMaxPause));
  }
}

void Limiter::adapt(const Ticket& ticket, Outcome outcome) {
  ++window_total_;
  window_throttled_ += outcome == Outcome::kThrottled ? 1 : 0;
  if (ticket.number >= window_begin_) end_window();
}

void Limiter::end_window() {
  const double most = std::max(1, options_.max_in_flight);
  const double share = static_cast<double>(window_throttled_) / window_total_;
  const double step = std::max(1.0, level_ / kAdditiveShare);
  if (window_throttled_ == 0 && level_ < last_good_) {
    level_ = std::min(last_good_, level_ * 2);
  } else {
    level_ = std::clamp(level_ * (1 - share / 2) + (share < 1 ? step : 0), 1.0, most);
    last_good_ = std::max(level_, last_good_ * (1 - share / 8));
  }
  window_begin_ = tickets_;
  window_total_ = 0;
  window_throttled_ = 0;
}

}  // namespace assay
