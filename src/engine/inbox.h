#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

namespace assay {

// What other threads hand to the engine's. Thread-safe.
template <class Event>
class Inbox {
 public:
  void put(Event event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
    if (events_.size() == 1) arrived_.notify_one();
  }

  // Everything that has come, waiting up to `patience` for the first.
  std::vector<Event> take(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, patience, [&] { return !events_.empty(); });
    return std::exchange(events_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Event> events_;
};

}  // namespace assay
