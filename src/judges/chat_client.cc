// A judge behind HTTP, whatever it speaks. Everything but `ask` and `remarks` happens on the HTTP
// loop's thread: calls wait in `ready_` in the order asked, `pump` starts as many as the limiter
// lets, a failed one waits in `delayed_` for its next try. A judge that cannot work at all (wrong
// key, spent quota, server gone) says so once and fails what is still queued at once, so that a run
// of a million rows ends in seconds. docs/judges.md tells the rules; tests/judges/openai_test.cc
// and anthropic_test.cc drive it against a server that fails in every way.
#include "judges/chat_client.h"

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <deque>
#include <map>
#include <mutex>
#include <random>

#include "core/content_key.h"
#include "judges/base_urls.h"
#include "judges/limiter.h"
#include "judges/prefix_cache.h"
#include "judges/redact.h"

namespace assay {
namespace {

constexpr double kMaxBackoff = 30;      // seconds
constexpr double kMaxRetryAfter = 300;  // of one request; a longer one is tried earlier
constexpr double kMergeHold = 0.025;    // how long a draw waits for its next sibling
constexpr std::size_t kMaxDraws = 32;   // in one request
constexpr int kGoneStreak = 16;         // calls given up in a row, and
constexpr double kGoneSeconds = 60;  // seconds without an answer, until the server counts as gone

struct Call {
  Request request;
  Judge::Done done;
  double arrived = 0;
  bool cached = false;  // the server keeps its shared part
};

// One request: usually one call, several where draws travel together.
struct Flight {
  std::vector<std::unique_ptr<Call>> calls;
  int tries = 0;  // ended without an answer, and counted
  std::size_t endpoint = 0;
  bool fills_cache = false;
  unsigned sent = 0;
  Dialect dialect;  // it was sent in
  Limiter::Ticket ticket;
};

double unix_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::vector<HttpEndpoint> endpoints_of(const RemoteOptions& options, const ChatProtocol& protocol) {
  std::vector<HttpEndpoint> endpoints;
  for (const std::string& url : options.base_urls) endpoints.push_back(protocol.endpoint(url));
  return endpoints;
}

HttpOptions http_options(const RemoteOptions& options) {
  HttpOptions http;
  http.ca_file = options.ca_file;
  http.max_connections = options.max_in_flight + 8;
  return http;
}

class ChatJudge : public Judge {
 public:
  ChatJudge(RemoteOptions options, std::unique_ptr<const ChatProtocol> protocol)
      : options_(std::move(options)),
        protocol_(std::move(protocol)),
        limiter_({options_.max_in_flight, options_.rpm, options_.tpm}, HttpClient::now()),
        dialect_(protocol_->dialect()),
        base_urls_(options_.base_urls.size()),
        random_(std::random_device{}()),
        http_(http_options(options_), endpoints_of(options_, *protocol_)) {}

  ~ChatJudge() override { stop(); }

  std::string name() const override { return protocol_->provider() + ":" + options_.model; }
  std::string kind() const override { return "language model"; }
  std::string identity() const override {
    std::string identity = protocol_->provider() + "/" + options_.model;
    if (!options_.judge_id.empty()) identity += "/" + options_.judge_id;
    return identity;
  }
  Capabilities capabilities() const override {
    Capabilities can = protocol_->capabilities();
    can.merges_draws = protocol_->merges_draws();
    return can;
  }

  void stop() final {
    http_.post([this] {
      stopping_ = true;
      fail_queued("stopped before it was asked");
    });
  }

  void ask(Request request, Done done) override {
    auto call = std::make_unique<Call>();
    call->request = std::move(request);
    call->done = std::move(done);
    call->arrived = HttpClient::now();
    http_.post([this, raw = call.release()] { accept(std::unique_ptr<Call>(raw)); });
  }

  std::vector<std::string> remarks() const override {
    const std::scoped_lock lock(mutex_);
    std::vector<std::string> all = remarks_;
    if (!options_.api_key.empty() && sends_key_in_clear()) {
      all.emplace_back("the API key travels unencrypted: the base URL is http");
    }
    std::string reasons;
    for (const auto& [reason, count] : retries_) {
      reasons += fmt::format("{}{} x{}", reasons.empty() ? "" : ", ", reason, count);
    }
    if (const std::int64_t total = retries_in_all(); total > 0)
      all.push_back(fmt::format("{} tries were repeated: {}", total, reasons));
    return all;
  }

  std::int64_t retries() const override {
    const std::scoped_lock lock(mutex_);
    return retries_in_all();
  }

 private:
  std::int64_t retries_in_all() const {  // under mutex_
    std::int64_t total = 0;
    for (const auto& [reason, count] : retries_) total += count;
    return total;
  }

  bool sends_key_in_clear() const {
    for (const std::string& url : options_.base_urls) {
      const bool local = url.starts_with("http://127.") || url.starts_with("http://localhost") ||
                         url.starts_with("http://[::1]");
      if (url.starts_with("http://") && !local) return true;
    }
    return false;
  }

  void accept(std::unique_ptr<Call> call) {
    if (stopping_) return fail(*call, "stopped before it was asked");
    if (std::holds_alternative<LogLik>(call->request.answer)) {
      return reply(*call, Status::kRefused,
                   "a chat server gives no log-likelihood of a given text");
    }
    call->cached = protocol_->cached_for(call->request, dialect_) > 0;
    ready_.push_back(std::move(call));
    pump();
  }

  // --- who goes next ---

  void pump() {
    while (!stopping_) {
      if (!dead_.empty()) return fail_queued(dead_);
      const double time = HttpClient::now();
      const double due = next_due(time);
      if (due > time) return wake_at(due);
      const double wait = limiter_.wait(time);
      if (wait == Limiter::kAfterReply) return;
      if (wait > 0) return wake_at(time + wait);
      launch(take_next(time), time);
    }
  }

  // When the first of the waiting may go, limits aside.
  double next_due(double time) const {
    const double retry = delayed_.empty() ? Limiter::kAfterReply : delayed_.begin()->first;
    const std::size_t next = next_ready();
    if (next == ready_.size()) return retry;
    const Call& first = *ready_[next];
    std::size_t last = next;
    while (last + 1 < ready_.size() &&
           draws_of_one_question(first.request, ready_[last + 1]->request))
      ++last;
    // Siblings come one after another: whoever follows them says that they are all there.
    const bool complete = last + 1 < ready_.size() || last - next + 1 >= kMaxDraws;
    if (!holds(first) || complete) return time;
    return std::min(std::max(time, ready_[last]->arrived + kMergeHold), retry);
  }

  // The first call that need not wait for another to fill the server's cache. The engine has no
  // more calls out than may be in flight, so the search is short.
  std::size_t next_ready() const {
    std::size_t at = 0;
    while (at < ready_.size() && ready_[at]->cached && cache_.must_wait(ready_[at]->request.prefix))
      ++at;
    return at;
  }

  bool holds(const Call& call) const {
    return protocol_->merges_draws() && dialect_.sends(kN) && call.request.sampling.temperature > 0;
  }

  std::unique_ptr<Flight> take_next(double time) {
    if (!delayed_.empty() && delayed_.begin()->first <= time) {
      auto flight = std::move(delayed_.begin()->second);
      delayed_.erase(delayed_.begin());
      return flight;
    }
    auto flight = std::make_unique<Flight>();
    const std::size_t at = next_ready();
    do {
      flight->calls.push_back(std::move(ready_[at]));
      ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(at));
    } while (flight->calls.size() < kMaxDraws && at < ready_.size() &&
             holds(*flight->calls.front()) &&
             draws_of_one_question(flight->calls.front()->request, ready_[at]->request));
    return flight;
  }

  // At most one useful timer: a later one than the one set would wake nobody sooner.
  void wake_at(double due) {
    if (due >= Limiter::kAfterReply || (armed_ > HttpClient::now() && armed_ <= due)) return;
    armed_ = due;
    http_.after(due - HttpClient::now(), [this] { pump(); });
  }

  void launch(std::unique_ptr<Flight> flight, double time) {
    const Request& request = flight->calls.front()->request;
    ChatBody body = protocol_->body(request, dialect_, static_cast<int>(flight->calls.size()));
    if (flight->calls.front()->cached) flight->fills_cache = cache_.started(request.prefix, time);
    flight->sent = body.sent;
    flight->dialect = dialect_;
    flight->endpoint = base_urls_.take(time);
    const double tokens = options_.tpm > 0 ? static_cast<double>(body.json.size()) / 4 + 64 : 0;
    flight->ticket = limiter_.started(time, tokens);
    const std::size_t endpoint = flight->endpoint;
    http_.send(endpoint, std::move(body.json), options_.timeout_s,
               [this, raw = flight.release()](HttpReply http) {
                 finished(std::unique_ptr<Flight>(raw), std::move(http));
                 pump();
               });
  }

  // --- what came back ---

  void finished(std::unique_ptr<Flight> flight, HttpReply http) {
    base_urls_.returned(flight->endpoint, http.failure == HttpFailure::kNone);
    note_cache(*flight, http.failure == HttpFailure::kNone && http.status == 200);
    if (http.failure == HttpFailure::kStopped) return give_up(*flight, http.error);
    const LimitHints hints =
        http.headers.empty() ? LimitHints{} : read_hints(http.headers, unix_now());
    if (http.failure != HttpFailure::kNone) return broken(std::move(flight), http, hints);
    if (http.status == 200) return completed(std::move(flight), http, hints);
    const ServerError error = protocol_->read_error(http.status, http.body, flight->sent);
    const bool throttled = error.kind == ErrorKind::kThrottled;
    note(*flight, throttled ? Outcome::kThrottled : Outcome::kOther, hints);
    const std::string line =
        fmt::format("HTTP {}{}{}", http.status, error.message.empty() ? "" : ": ", error.message);
    switch (error.kind) {
      case ErrorKind::kParameter:
        // One that was under way when the rejection became known teaches nothing new.
        if (flight->dialect == dialect_) remark(learn(dialect_, *error.parameter));
        return again_at_once(std::move(flight));
      case ErrorKind::kQuota:
        return stop_asking(*flight, "quota spent: " + line);
      case ErrorKind::kSetup:
        if (!ever_answered_) return stop_asking(*flight, line);
        return give_up(*flight, line);
      case ErrorKind::kRequest:
        for (auto& call : flight->calls) reply(*call, Status::kRefused, line);
        return;
      case ErrorKind::kAgain:
      case ErrorKind::kThrottled:
        return retry(std::move(flight), fmt::format("HTTP {}", http.status), error.message,
                     throttled, hints.retry_after.value_or(0));
    }
  }

  void broken(std::unique_ptr<Flight> flight, const HttpReply& http, const LimitHints& hints) {
    const bool timeout = http.failure == HttpFailure::kTimeout;
    note(*flight, timeout ? Outcome::kThrottled : Outcome::kOther, hints);
    const bool connect = http.failure == HttpFailure::kConnect;
    if (connect && moved_elsewhere(flight)) return;
    if (connect && !ever_answered_ && flight->tries >= options_.max_retries) {
      return stop_asking(*flight, "the server cannot be reached: " + http.error);
    }
    retry(std::move(flight),
          timeout   ? "timeout"
          : connect ? "no connection"
                    : "broken reply",
          http.error, false, 0);
  }

  // A request that met no server goes to another at once, which uses up none of its tries.
  bool moved_elsewhere(std::unique_ptr<Flight>& flight) {
    const bool other = base_urls_.unreachable(flight->endpoint, HttpClient::now());
    if (!other || stopping_) return false;
    count_retry("no connection");
    delayed_.emplace(0, std::move(flight));
    return true;
  }

  void completed(std::unique_ptr<Flight> flight, const HttpReply& http, const LimitHints& hints) {
    const Request& request = flight->calls.front()->request;
    ChatReply chat = protocol_->read(http.body, request);
    const bool readable = chat.problem.empty();
    note(*flight, readable ? Outcome::kAnswered : Outcome::kOther, hints,
         static_cast<double>(chat.prompt_tokens + chat.completion_tokens));
    if (!readable) return retry(std::move(flight), "unreadable reply", chat.problem, false, 0);
    ever_answered_ = true;
    given_up_ = 0;
    last_answer_ = HttpClient::now();
    answer(*flight, chat, http.ms);
    if (flight->calls.empty()) return;
    // The server took n and ignored it: the draws left over are asked one by one.
    remark(learn(dialect_, kN));
    again_at_once(std::move(flight));
  }

  // Whatever became of the one that was to fill the cache, its siblings need not wait any longer.
  void note_cache(Flight& flight, bool answered) {
    const Call& call = *flight.calls.front();
    if (!call.cached) return;
    const double keeps = answered ? protocol_->cached_for(call.request, dialect_) : 0;
    cache_.ended(call.request.prefix, flight.fills_cache, HttpClient::now(), keeps);
    flight.fills_cache = false;
  }

  // Replies to as many calls as there are choices and takes them out of the flight. Prompt tokens
  // are counted on the first draw; completion tokens are split so that the sum is the server's.
  void answer(Flight& flight, ChatReply& chat, double ms) {
    const std::size_t count = std::min(flight.calls.size(), chat.choices.size());
    const auto parts = static_cast<std::int64_t>(count);
    for (std::size_t i = 0; i < count; ++i) {
      ChatChoice& choice = chat.choices[i];
      Reply reply;
      reply.status = choice.status;
      reply.text = std::move(choice.text);
      hide_key(reply.text);
      reply.probs = std::move(choice.probs);
      if (!choice.problem.empty()) reply.problem = line_of(choice.problem);
      reply.usage.calls = 1;
      reply.usage.ms = ms;
      if (i == 0) {
        reply.usage.prompt_tokens = chat.prompt_tokens;
        reply.usage.cached_tokens = chat.cached_tokens;
      }
      reply.usage.completion_tokens =
          chat.completion_tokens / parts +
          (static_cast<std::int64_t>(i) < chat.completion_tokens % parts ? 1 : 0);
      reply.usage.usd = cost(reply.usage, i == 0 ? chat.written_tokens : 0);
      flight.calls[i]->done(std::move(reply));
    }
    flight.calls.erase(flight.calls.begin(), flight.calls.begin() + static_cast<long>(count));
  }

  double cost(const Usage& usage, std::int64_t written) const {
    const TokenPrice& price = options_.price;
    const auto tokens = [](std::int64_t count, double each) {
      return static_cast<double>(count) * each;
    };
    const std::int64_t fresh = usage.prompt_tokens - usage.cached_tokens - written;
    return (tokens(fresh, price.input) + tokens(usage.cached_tokens, price.cached) +
            tokens(written, price.written > 0 ? price.written : price.input) +
            tokens(usage.completion_tokens, price.output)) /
           1e6;
  }

  void note(const Flight& flight, Outcome outcome, const LimitHints& hints, double tokens = 0) {
    limiter_.finished(HttpClient::now(), flight.ticket, outcome, hints, tokens);
  }

  // --- failures ---

  void count_retry(const std::string& what) {
    const std::scoped_lock lock(mutex_);
    ++retries_[what];
  }

  void again_at_once(std::unique_ptr<Flight> flight) {
    if (stopping_) return give_up(*flight, "stopped before it was asked again");
    if (dialect_.sends(kN)) {
      delayed_.emplace(0, std::move(flight));
      return;
    }
    for (auto& call : flight->calls) {
      auto single = std::make_unique<Flight>();
      single->tries = flight->tries;
      single->calls.push_back(std::move(call));
      delayed_.emplace(0, std::move(single));
    }
  }

  void retry(std::unique_ptr<Flight> flight, const std::string& what, const std::string& detail,
             bool throttled, double retry_after) {
    if (stopping_) return give_up(*flight, "stopped before it was tried again: " + what);
    count_retry(what);
    // A limit that lets others pass is a passing one: waiting for it uses up no tries.
    if (!throttled || !limiter_.progress_since(flight->ticket)) ++flight->tries;
    if (flight->tries > options_.max_retries) {
      const std::string line =
          fmt::format("{} after {} {}{}{}", what, flight->tries,
                      flight->tries == 1 ? "try" : "tries", detail.empty() ? "" : ": ", detail);
      ++given_up_;
      const bool gone = given_up_ >= kGoneStreak && ever_answered_ &&
                        HttpClient::now() - last_answer_ > kGoneSeconds;
      return gone ? stop_asking(*flight, "the server stopped answering: " + line)
                  : give_up(*flight, line);
    }
    delayed_.emplace(HttpClient::now() + pause(flight->tries, throttled, retry_after),
                     std::move(flight));
  }

  double pause(int tries, bool throttled, double retry_after) {
    const double base = options_.backoff_s * (throttled ? 4 : 1);
    const double whole = std::min(kMaxBackoff, base * std::pow(2, std::max(0, tries - 1)));
    const double jitter = std::uniform_real_distribution<>(0.5, 1)(random_);
    return std::max(whole * jitter,
                    std::min(retry_after, kMaxRetryAfter) * (1 + (jitter - 0.5) / 5));
  }

  void stop_asking(Flight& flight, const std::string& problem) {
    dead_ = line_of(problem);
    give_up(flight, problem);
  }

  void give_up(Flight& flight, const std::string& problem) {
    for (auto& call : flight.calls) fail(*call, problem);
  }

  void fail(Call& call, const std::string& problem) { reply(call, Status::kTransport, problem); }

  void reply(Call& call, Status status, const std::string& problem) const {
    Reply reply;
    reply.status = status;
    reply.problem = line_of(problem);
    call.done(std::move(reply));
  }

  void fail_queued(const std::string& problem) {
    const std::deque<std::unique_ptr<Call>> ready = std::move(ready_);
    ready_.clear();
    auto delayed = std::move(delayed_);
    delayed_.clear();
    for (const auto& call : ready) fail(*call, problem);
    for (auto& [due, flight] : delayed) give_up(*flight, problem);
  }

  std::string line_of(const std::string& text) const { return one_line(text, options_.api_key); }

  void hide_key(std::string& text) const {
    if (options_.api_key.empty() || text.find(options_.api_key) == std::string::npos) return;
    text = redact(text, options_.api_key);
  }

  void remark(std::string line) {
    if (line.empty()) return;
    const std::scoped_lock lock(mutex_);
    remarks_.push_back(std::move(line));
  }

  const RemoteOptions options_;
  const std::unique_ptr<const ChatProtocol> protocol_;
  // Loop thread only.
  Limiter limiter_;
  Dialect dialect_;
  PrefixCache cache_;
  std::deque<std::unique_ptr<Call>> ready_;
  std::multimap<double, std::unique_ptr<Flight>> delayed_;  // by the time of the next try
  BaseUrls base_urls_;
  std::string dead_;  // why nothing more is asked
  bool stopping_ = false;
  bool ever_answered_ = false;
  int given_up_ = 0;  // calls since the last answer
  double last_answer_ = 0;
  double armed_ = 0;
  std::minstd_rand random_;
  // Any thread.
  mutable std::mutex mutex_;
  std::vector<std::string> remarks_;    // guarded by mutex_
  std::map<std::string, int> retries_;  // guarded by mutex_; by reason
  HttpClient http_;                     // last, so gone first: its thread uses all of the above
};

}  // namespace

std::unique_ptr<Judge> make_chat_judge(RemoteOptions options,
                                       std::unique_ptr<const ChatProtocol> protocol) {
  return std::make_unique<ChatJudge>(std::move(options), std::move(protocol));
}

}  // namespace assay
