#pragma once

#include <functional>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "assay/judge.h"

namespace assay {

// Answers by a function of the request, on a thread of its own and in shuffled order, as a server
// would.
class FakeJudge : public Judge {
 public:
  using Rule = std::function<Reply(const Request&)>;
  explicit FakeJudge(Rule rule, bool free = false, unsigned seed = 1)
      : rule_(std::move(rule)), free_(free), random_(seed), thread_([this] { serve(); }) {}
  ~FakeJudge() override {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    thread_.join();
  }

  std::string name() const override { return "fake"; }
  std::string kind() const override { return "test"; }
  std::string identity() const override { return "fake/1"; }
  Capabilities capabilities() const override {
    Capabilities can;
    can.free = free_;
    return can;
  }
  void ask(Request request, Done done) override {
    const std::lock_guard lock(mutex_);
    ++asked_;
    most_ = std::max(most_, waiting_.size() + 1);
    waiting_.emplace_back(std::move(request), std::move(done));
  }

  int asked() const { return asked_; }
  std::size_t most_in_flight() const { return most_; }

 private:
  void serve() {
    for (;;) {
      std::vector<std::pair<Request, Done>> batch;
      {
        const std::lock_guard lock(mutex_);
        if (closing_ && waiting_.empty()) return;
        batch.swap(waiting_);
      }
      std::shuffle(batch.begin(), batch.end(), random_);
      for (auto& [request, done] : batch) done(rule_(request));
      std::this_thread::yield();
    }
  }

  Rule rule_;
  bool free_;
  std::mt19937 random_;
  std::mutex mutex_;
  std::vector<std::pair<Request, Done>> waiting_;
  bool closing_ = false;
  int asked_ = 0;
  std::size_t most_ = 0;
  std::thread thread_;
};

inline Reply says(std::string text) {
  Reply reply;
  reply.text = std::move(text);
  reply.usage.calls = 1;
  reply.usage.prompt_tokens = 10;
  reply.usage.usd = 0.01;
  return reply;
}

}  // namespace assay
