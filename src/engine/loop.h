#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "assay/engine.h"
#include "engine/inbox.h"
#include "engine/pool.h"

namespace assay {

// A work that has been started and not yet handed over.
struct OpenWork {
  std::unique_ptr<Work> work;
  Transcript transcript;
  std::vector<Question> questions;  // of the round that is open
  Round round;
  std::size_t pending = 0;
  bool done = false;
};

// One question on its way, with everyone who waits for its answer.
struct Flight {
  struct Waiter {
    OpenWork* open;
    std::size_t index;
  };
  std::string first_key;  // of attempt 0; empty where the judge is free and nobody records
  Judge* judge = nullptr;
  Request request;
  std::size_t round = 0;
  Usage usage;  // of all attempts so far
  double reserved_usd = 0;
  bool rides = false;  // in the request of another draw of its question
  std::vector<Waiter> waiters;
};

// What judges and ledger report to the engine's thread.
struct Event {
  Flight* flight = nullptr;
  bool stored = false;  // false: a reply has come; true: it is durable, or `error` says why not
  Reply reply;
  std::string error;
};

// One run of the engine: its open works, waiting questions and flights. Thread-compatible; only
// `inbox_` is touched from other threads.
class Loop {
 public:
  Loop(const EngineOptions& options, Ledger* ledger, const Engine::Source& source,
       const Engine::Sink& sink);
  RunTotals run(const std::function<void(const Progress&)>& progress);

 private:
  RunTotals ask_everything(const std::function<void(const Progress&)>& progress);
  void drain();
  void open_works();
  void advance_ready();
  void advance(OpenWork& open);
  void start(OpenWork& open, std::size_t index);
  void seek_answer(Flight& flight);
  void dispatch();
  bool has_room() const;
  bool may_send(Flight& flight);
  void send(Flight& flight);
  void send_other_draws(const Flight& flight);
  void stop_judges();
  void take_events();
  void replied(Event& event);
  void keep(Flight& flight, Reply reply);
  void settle(Flight& flight, const Reply& reply);
  bool repair(Flight& flight, const Reply& reply, const std::string& problem);
  void finish(Flight& flight, Verdict verdict);
  void hand_over();
  void check_stop();
  void stop(StopReason reason, std::string detail);
  void count(const Flight& flight, const Usage& usage);
  bool give_up_on(const Judge& judge, const Reply& reply);

  // How a judge is doing: one that has never answered is given up on after a number of failures, so
  // that a server that is not there costs seconds and not a retry per row.
  struct Health {
    bool answered = false;
    int failures = 0;
    std::string verdict;  // not empty: given up, with the reason
  };

  const EngineOptions& options_;
  Ledger* ledger_;
  const Engine::Source& source_;
  const Engine::Sink& sink_;
  Inbox<Event> inbox_;
  Pool pool_;
  std::map<std::uint64_t, std::unique_ptr<OpenWork>> open_;  // by the order the source gave them
  std::uint64_t opened_ = 0;
  std::size_t unfinished_ = 0;
  std::deque<OpenWork*> ready_;
  std::unordered_map<Flight*, std::unique_ptr<Flight>> flights_;
  std::unordered_map<std::string, Flight*> by_key_;
  std::map<const Judge*, Health> health_;
  std::int64_t in_flight_ = 0;
  std::int64_t riding_ = 0;  // of those in flight
  std::int64_t storing_ = 0;
  double reserved_usd_ = 0;
  bool exhausted_ = false;
  RunTotals totals_;
};

}  // namespace assay
