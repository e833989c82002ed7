// The engine's loop. Everything below happens on the caller's thread; judges and the ledger work on
// theirs and report through the inbox. A question goes
//   start -> (joined to an equal one | known to the ledger | pool) -> judge -> ledger -> settle ->
//   finish
// and a work goes  source -> step -> round of questions -> step -> ... -> done -> sink, in the
// order opened.

#include "engine/loop.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "answer/parse.h"
#include "answer/schema.h"
#include "assay/error.h"
#include "core/content_key.h"
#include "core/hash.h"
#include "engine/draws.h"
#include "text/template.h"

namespace assay {
namespace {

// A judge that has never answered is given up on after this many failed calls.
constexpr int kPatience = 8;

Usage& stage_usage(Named<Usage>& stages, const std::string& stage) {
  for (auto& [name, usage] : stages) {
    if (name == stage) return usage;
  }
  return stages.emplace_back(stage, Usage{}).second;
}

std::uint64_t prefix_hash(const Question& question) {
  std::uint64_t hash = 0;
  for (const Message& message : question.shared)
    hash = hash * 1099511628211ULL + quick_hash(message.text);
  return hash;
}

}  // namespace

void EngineOptions::validate() const {
  if (in_flight < 1) throw ConfigError("at least one question must be in flight; use -j 1 or more");
  if (window < 1) throw ConfigError("at least one row must be open at a time");
  if (repairs < 0) throw ConfigError("the number of repairs must not be negative");
}

Engine::Engine(EngineOptions options, Ledger* ledger)
    : options_(std::move(options)), ledger_(ledger) {
  options_.validate();
}

Engine::~Engine() = default;

RunTotals Engine::run(const Source& source, const Sink& sink,
                      const std::function<void(const Progress&)>& progress) {
  return Loop(options_, ledger_, source, sink).run(progress);
}

Loop::Loop(const EngineOptions& options, Ledger* ledger, const Engine::Source& source,
           const Engine::Sink& sink)
    : options_(options), ledger_(ledger), source_(source), sink_(sink) {}

RunTotals Loop::run(const std::function<void(const Progress&)>& progress) {
  try {
    return ask_everything(progress);
  } catch (...) {
    stop_judges();
    drain();  // judges still hold references to the flights
    throw;
  }
}

void Loop::drain() {
  while (in_flight_ > 0 || storing_ > 0) {
    for (const Event& event : inbox_.take(std::chrono::milliseconds(100)))
      --(event.stored ? storing_ : in_flight_);
  }
}

RunTotals Loop::ask_everything(const std::function<void(const Progress&)>& progress) {
  for (;;) {
    check_stop();
    open_works();
    advance_ready();
    hand_over();
    dispatch();
    if (progress) progress({totals_.works, in_flight_, &totals_});
    const bool waiting = in_flight_ > 0 || storing_ > 0;
    if (waiting) {
      take_events();
    } else if (totals_.stop != StopReason::kNone || (exhausted_ && open_.empty())) {
      return totals_;
    }
  }
}

void Loop::open_works() {
  while (!exhausted_ && totals_.stop == StopReason::kNone &&
         unfinished_ < static_cast<std::size_t>(options_.window)) {
    auto open = std::make_unique<OpenWork>();
    open->work = source_();
    if (!open->work) {
      exhausted_ = true;
      return;
    }
    ready_.push_back(open.get());
    open_.emplace(opened_++, std::move(open));
    ++unfinished_;
    advance_ready();
    hand_over();
    dispatch();  // while the next rows are read, the first are already being judged
  }
}

void Loop::advance_ready() {
  while (!ready_.empty()) {
    OpenWork* open = ready_.front();
    ready_.pop_front();
    advance(*open);
  }
}

void Loop::advance(OpenWork& open) {
  std::optional<Ask> ask = open.work->step(open.transcript);
  if (!ask) {
    open.done = true;
    --unfinished_;
    return;
  }
  if (ask->questions.empty()) throw std::logic_error("a method asked an empty round");
  open.questions = std::move(ask->questions);
  open.round.assign(open.questions.size(), {});
  open.pending = open.questions.size();
  for (std::size_t i = 0; i < open.round.size(); ++i) start(open, i);
}

void Loop::start(OpenWork& open, std::size_t index) {
  Question& question = open.questions[index];
  auto flight = std::make_unique<Flight>();
  flight->judge = &open.work->judge(question.role);
  flight->round = open.transcript.size();
  flight->waiters.push_back({&open, index});
  Request& request = flight->request;
  const bool keyed = !flight->judge->capabilities().free || options_.on_answer;
  if (keyed) {
    request.messages = messages_of(question);
    request.prefix = prefix_hash(question);
    request.shared_messages = question.shared.size();
    if (!question.shared.empty()) request.shared_bytes = question.shared.back().text.size();
  }
  request.answer = question.answer;
  request.sampling = question.sampling;
  request.draw = draw_of(question, *open.work);
  request.stage = question.stage;
  request.subject = question.subject;
  if (keyed) {
    request.key = content_key(flight->judge->identity(), request);
    flight->first_key = request.key;
    const auto [same, is_new] = by_key_.try_emplace(request.key, flight.get());
    if (!is_new) {
      same->second->waiters.push_back({&open, index});
      ++totals_.joined;
      return;
    }
  }
  Flight& started = *flight;
  flights_.emplace(flight.get(), std::move(flight));
  seek_answer(started);
}

// The ledger first; what it does not know waits in the pool.
void Loop::seek_answer(Flight& flight) {
  if (!flight.judge->capabilities().free) {
    if (ledger_ == nullptr) throw std::logic_error("a judge that is paid needs a ledger");
    std::optional<Reply> known;
    try {
      known = ledger_->find(flight.request.key);
    } catch (const LedgerError& error) {  // to take it for "not there" would pay twice
      stop(StopReason::kStore, error.what());
      return;
    }
    if (known) {
      ++totals_.cached;
      settle(flight, *known);
      return;
    }
  }
  pool_.push(flight.round, flight.request.prefix, &flight);
}

// A call counts until its answer is on the disk, so that a crash loses and repeats no more than the
// jobs. Where there are many, a quarter more may wait for the disk: otherwise a sync of 5 ms would
// cost a tenth of the rate at 50 ms of latency.
bool Loop::has_room() const {
  const std::int64_t jobs = options_.in_flight;
  const std::int64_t unsaved = jobs > 64 ? jobs + jobs / 4 : jobs;
  const std::int64_t requests = in_flight_ - riding_;
  return requests < jobs && requests + storing_ < unsaved;
}

void Loop::dispatch() {
  while (has_room() && !pool_.empty()) {
    check_stop();
    if (totals_.stop != StopReason::kNone) return;
    Flight& flight = *pool_.peek();
    if (const Health& health = health_[flight.judge]; !health.verdict.empty()) {
      pool_.pop();
      Reply reply;
      reply.status = Status::kTransport;
      reply.problem = health.verdict;
      settle(flight, reply);
      advance_ready();
      hand_over();
      continue;
    }
    if (!may_send(flight)) return;
    pool_.pop();
    send(flight);
    send_other_draws(flight);
  }
}

// Draws of one question travel as one request where the judge can, so they leave together, however
// few may be in flight: one by one the prompt would be paid for every draw.
void Loop::send_other_draws(const Flight& flight) {
  if (!flight.judge->capabilities().merges_draws) return;
  while (!pool_.empty() && totals_.stop == StopReason::kNone) {
    Flight& next = *pool_.peek();
    if (next.judge != flight.judge || !draws_of_one_question(next.request, flight.request)) return;
    if (!may_send(next)) return;
    pool_.pop();
    next.rides = true;
    ++riding_;
    send(next);
  }
}

// Nothing is sent that could cross a limit: calls in flight are counted, and their highest price is
// set aside.
bool Loop::may_send(Flight& flight) {
  if (flight.judge->capabilities().free) return true;
  if (options_.max_calls >= 0 && totals_.asked + in_flight_ >= options_.max_calls) {
    if (in_flight_ == 0) stop(StopReason::kCalls, fmt::format("{} calls were made", totals_.asked));
    return false;
  }
  if (options_.budget_usd >= 0 && options_.price_bound) {
    const double bound = options_.price_bound(*flight.judge, flight.request);
    if (totals_.usage.usd + reserved_usd_ + bound > options_.budget_usd) {
      // Calls in flight may turn out cheaper than their bound: wait for them before giving up.
      if (in_flight_ == 0) {
        stop(StopReason::kBudget, fmt::format("${:.4f} is spent and the next call may cost ${:.4f}",
                                              totals_.usage.usd, bound));
      }
      return false;
    }
    flight.reserved_usd = bound;
    reserved_usd_ += bound;
  }
  return true;
}

void Loop::send(Flight& flight) {
  ++in_flight_;
  flight.judge->ask(flight.request, [this, &flight](Reply reply) {
    inbox_.put({&flight, false, std::move(reply), {}});
  });
}

void Loop::take_events() {
  std::vector<Event> events = inbox_.take(std::chrono::milliseconds(100));
  // All are counted before any is looked at: drain() would wait for ever for those after one that
  // throws.
  for (const Event& event : events) {
    --(event.stored ? storing_ : in_flight_);
    if (!event.stored && std::exchange(event.flight->rides, false)) --riding_;
  }
  for (Event& event : events) {
    if (!event.stored) {
      replied(event);
    } else if (!event.error.empty()) {
      stop(StopReason::kStore, event.error);
    } else {
      settle(*event.flight, event.reply);
    }
  }
}

void Loop::replied(Event& event) {
  Flight& flight = *event.flight;
  reserved_usd_ -= std::exchange(flight.reserved_usd, 0);
  // Called back because the run stops: it is as if it had never been asked.
  if (totals_.stop != StopReason::kNone && event.reply.status == Status::kTransport) return;
  ++totals_.asked;
  count(flight, event.reply.usage);
  if (flight.judge->capabilities().free) {
    settle(flight, event.reply);
    return;
  }
  give_up_on(*flight.judge, event.reply);
  keep(flight, std::move(event.reply));
}

bool Loop::give_up_on(const Judge& judge, const Reply& reply) {
  Health& health = health_[&judge];
  if (reply.status != Status::kTransport) {
    health.answered = true;
    return false;
  }
  if (health.answered || ++health.failures < kPatience || !health.verdict.empty()) return false;
  health.verdict = fmt::format("{} never answered ({} calls failed): {}", judge.name(),
                               health.failures, reply.problem);
  return true;
}

// Durable before it is used (rule 5).
void Loop::keep(Flight& flight, Reply reply) {
  Recorded record{flight.request.key, flight.judge->identity(), flight.request.stage,
                  options_.question_json ? options_.question_json(flight.request) : "", reply};
  ++storing_;
  ledger_->append(std::move(record),
                  [this, &flight, reply = std::move(reply)](std::string error) mutable {
                    inbox_.put({&flight, true, std::move(reply), std::move(error)});
                  });
}

void Loop::settle(Flight& flight, const Reply& reply) {
  if (options_.on_answer) options_.on_answer(*flight.judge, flight.request, reply);
  flight.usage += reply.usage;
  Verdict verdict;
  verdict.status = reply.status;
  verdict.problem = reply.problem;
  if (reply.status == Status::kOk) {
    Parsed parsed = repeats_judged_text(reply.text, flight.request.messages)
                        ? Parsed{false, {}, "the reply only repeats a text it was to judge"}
                        : parse_answer(flight.request.answer, reply.text);
    if (!parsed.ok) {
      verdict.status = Status::kUnparsable;
      if (repair(flight, reply, parsed.problem)) return;
    }
    verdict.value = std::move(parsed.value);
    verdict.problem = std::move(parsed.problem);
  }
  verdict.probs = reply.probs;
  verdict.notes = reply.notes;
  verdict.raw = reply.text;
  verdict.usage = flight.usage;
  finish(flight, std::move(verdict));
}

// The same messages, the unreadable reply, and what was wrong with it: attempts 1 and 2.
bool Loop::repair(Flight& flight, const Reply& reply, const std::string& problem) {
  if (flight.request.attempt >= options_.repairs || options_.repair.empty()) return false;
  // No attempt 1 may travel with a reply of megabytes; what is wrong shows in its beginning.
  constexpr std::size_t kQuoted = 4000;
  ++flight.request.attempt;
  ++totals_.repairs;
  flight.request.messages.push_back({Role::kAssistant, reply.text.substr(0, kQuoted)});
  flight.request.messages.push_back(
      {Role::kUser, render(options_.repair,
                           {{"problem", problem}, {"shape", shape_hint(flight.request.answer)}})});
  flight.request.key = content_key(flight.judge->identity(), flight.request);
  seek_answer(flight);
  return true;
}

void Loop::finish(Flight& flight, Verdict verdict) {
  for (const Flight::Waiter& waiter : flight.waiters) {
    OpenWork& open = *waiter.open;
    open.work->usage += verdict.usage;
    stage_usage(open.work->stages, flight.request.stage) += verdict.usage;
    open.round[waiter.index] = verdict;
    if (--open.pending == 0) {
      open.transcript.push_back(std::move(open.round));
      open.round.clear();
      open.questions.clear();
      ready_.push_back(&open);
    }
  }
  by_key_.erase(flight.first_key);
  flights_.erase(&flight);
}

void Loop::hand_over() {
  while (!open_.empty() && open_.begin()->second->done) {
    std::unique_ptr<Work> work = std::move(open_.begin()->second->work);
    open_.erase(open_.begin());
    ++totals_.works;
    sink_(std::move(work));
  }
}

void Loop::check_stop() {
  if (options_.interrupted != nullptr && options_.interrupted->load())
    stop(StopReason::kInterrupted, "interrupted");
  if (options_.deadline && std::chrono::steady_clock::now() >= *options_.deadline &&
      !(exhausted_ && open_.empty())) {
    stop(StopReason::kDeadline, "the deadline has passed");
  }
}

void Loop::stop(StopReason reason, std::string detail) {
  if (totals_.stop != StopReason::kNone) return;
  totals_.stop = reason;
  totals_.stop_detail = std::move(detail);
  stop_judges();
}

// What a judge has not sent yet must not be sent any more: it would be paid for, and waited for.
void Loop::stop_judges() {
  std::set<Judge*> judges;
  for (const auto& [flight, owned] : flights_) judges.insert(flight->judge);
  for (Judge* judge : judges) judge->stop();
}

void Loop::count(const Flight& flight, const Usage& usage) {
  totals_.usage += usage;
  stage_usage(totals_.stages, flight.request.stage) += usage;
}

}  // namespace assay
