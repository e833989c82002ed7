// The built-in judge: a small pool around builtin_answer, with one cache of analysed texts for all
// workers. Tested in tests/judges/builtin_test.cc; what it measures and how well is in
// docs/builtin-judge.md.
#include "judges/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "evidence/cache.h"
#include "evidence/evidence.h"
#include "judges/builtin_answer.h"
#include "text/word_list.h"
#include "text/words.h"

namespace assay {
namespace {

// Raised whenever an answer to some question changes: it is part of every content key.
constexpr int kVersion = 1;

std::string identity_of_resources() {
  Hasher hasher;
  hasher.add(embedded_words()).add(word_resources());
  for (const std::string& name : evidence_names()) hasher.add(name);
  return fmt::format("builtin/{}/{}", kVersion, hasher.hex().substr(0, 16));
}

class Builtin : public Judge {
 public:
  explicit Builtin(int threads) : identity_(identity_of_resources()) {
    for (int i = 0; i < threads; ++i) workers_.emplace_back([this] { work(); });
  }
  ~Builtin() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  std::string name() const override { return "builtin"; }
  std::string kind() const override { return "lexical baseline, not an LLM"; }
  std::string identity() const override { return identity_; }
  Capabilities capabilities() const override {
    Capabilities out;
    out.generation = false;
    out.grades = false;
    out.weighs = false;
    out.probabilities = true;
    out.free = true;
    out.deterministic = true;
    return out;
  }

  void ask(Request request, Done done) override {
    if (workers_.empty()) {
      serve({std::move(request), std::move(done)});
      return;
    }
    bool wake = false;
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back({std::move(request), std::move(done)});
      wake = idle_ > 0;
    }
    if (wake) wake_.notify_one();
  }

 private:
  struct Job {
    Request request;
    Done done;
  };

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      ++idle_;
      wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
      --idle_;
      if (waiting_.empty()) return;
      Job job = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      serve(std::move(job));
      lock.lock();
    }
  }

  void serve(Job job) {
    Reply reply;
    try {
      reply = builtin_answer(job.request, [this](std::string_view text) { return analysed(text); });
    } catch (const std::exception& error) {  // out of memory, at most
      reply = Reply{};
      reply.status = Status::kRefused;
      reply.problem = fmt::format("the built-in judge failed: {}", error.what());
    }
    job.done(std::move(reply));
  }

  AnalysisPtr analysed(std::string_view text) {
    if (auto known = cache_.find(text)) return known;
    auto analyzer = take_analyzer();
    auto entry = cache_.put(analyzer->analyse(text));
    const std::lock_guard lock(analyzers_mutex_);
    analyzers_.push_back(std::move(analyzer));
    return entry;
  }
  // An analyzer serves one thread at a time; there are as many as threads ever needed one at once.
  std::unique_ptr<Analyzer> take_analyzer() {
    {
      const std::lock_guard lock(analyzers_mutex_);
      if (!analyzers_.empty()) {
        auto analyzer = std::move(analyzers_.back());
        analyzers_.pop_back();
        return analyzer;
      }
    }
    return std::make_unique<Analyzer>(words_);
  }

  const std::string identity_;
  const WordList words_;
  AnalysisCache cache_;
  std::mutex analyzers_mutex_;
  std::vector<std::unique_ptr<Analyzer>> analyzers_;  // guarded by analyzers_mutex_

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> waiting_;  // guarded by mutex_, as are the next two
  int idle_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> workers_;  // last: they use everything above
};

}  // namespace

std::unique_ptr<Judge> make_builtin(int threads) {
  return std::make_unique<Builtin>(std::max(0, threads));
}

std::string_view builtin_caveat() {
  return "builtin is a lexical baseline, not a language model: it measures how far a text keeps to "
         "the wording it was "
         "given, not whether it is true, and under-rates paraphrase and other abstractive writing.";
}

}  // namespace assay
