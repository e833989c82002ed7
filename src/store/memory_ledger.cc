// The Store without a file. It passes the same contract suite as SQLite
// (tests/store/contract_test.cc), and is what the fast one is checked against.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "assay/store.h"
#include "store/codec.h"

namespace assay {
namespace {

// Thread-safe. `durable` is called by append itself, after the lock is given up.
class MemoryLedger final : public Store {
 public:
  explicit MemoryLedger(bool read) : read_(read) {}

  std::optional<Reply> find(const std::string& key) override {
    const std::lock_guard lock(mutex_);
    const auto id = ids_.find(key);
    if (!read_ || id == ids_.end()) return std::nullopt;
    const Reply& reply = records_.at(id->second).reply;
    if (reply.status == Status::kTransport) return std::nullopt;
    link(id->second);
    return reply;
  }

  void append(Recorded record, std::function<void(std::string error)> durable) override {
    std::string error;
    if (!key_bytes(record.key)) {
      error = fmt::format("ledger: '{}' is no content key", record.key);
    } else if (auto why = not_storable(record.reply.probs, record.reply.usage)) {
      error = fmt::format("ledger: answer {}: {}", record.key, *why);
    } else {
      const std::lock_guard lock(mutex_);
      store(std::move(record));
    }
    durable(std::move(error));
  }

  void begin_run(const RunInfo& run) override {
    const std::lock_guard lock(mutex_);
    Kept& kept = runs_[run.id];
    const std::int64_t created = kept.info.id.empty() ? run.created : kept.info.created;
    kept.info = run;
    kept.info.created = created;
    kept.info.state = "running";
    open_.insert(run.id);
  }

  void add_result(const std::string& run, std::int64_t seq, std::string line) override {
    const std::lock_guard lock(mutex_);
    const auto kept = runs_.find(run);
    if (kept != runs_.end()) kept->second.lines[seq] = std::move(line);
  }

  std::string finish_run(const std::string& run, std::int64_t rows,
                         const std::string& state) override {
    const std::lock_guard lock(mutex_);
    open_.erase(run);
    const auto kept = runs_.find(run);
    if (kept == runs_.end()) return {};
    kept->second.info.rows = rows;
    kept->second.info.state = state;
    return {};
  }

  std::vector<RunInfo> runs() override {
    const std::lock_guard lock(mutex_);
    std::vector<RunInfo> runs;
    for (const auto& [id, kept] : runs_) runs.push_back(shown(kept));
    std::stable_sort(runs.begin(), runs.end(),
                     [](const RunInfo& a, const RunInfo& b) { return a.created < b.created; });
    return runs;
  }

  std::optional<RunInfo> run(const std::string& id) override {
    const std::lock_guard lock(mutex_);
    const auto kept = runs_.find(id);
    if (kept == runs_.end()) return std::nullopt;
    return shown(kept->second);
  }

  void results(const std::string& run,
               const std::function<void(std::string_view line)>& line) override {
    for (const auto& [seq, text] : copy(run).lines) line(text);
  }

  void answers(const std::string& run,
               const std::function<void(const Recorded& record)>& record) override {
    for (const std::int64_t id : copy(run).answers) {
      std::unique_lock lock(mutex_);
      const auto kept = records_.find(id);
      if (kept == records_.end()) continue;
      const Recorded found = kept->second;
      lock.unlock();
      record(found);
    }
  }

  bool delete_run(const std::string& id) override {
    const std::lock_guard lock(mutex_);
    const auto kept = runs_.find(id);
    if (kept == runs_.end()) return false;
    const std::set<std::int64_t> doomed = std::move(kept->second.answers);
    runs_.erase(kept);
    open_.erase(id);
    for (const std::int64_t answer : doomed) {
      if (!used(answer)) erase(answer);
    }
    return true;
  }

  std::int64_t delete_unused() override {
    const std::lock_guard lock(mutex_);
    std::vector<std::int64_t> doomed;
    for (const auto& [id, record] : records_) {
      if (!used(id)) doomed.push_back(id);
    }
    for (const std::int64_t id : doomed) erase(id);
    return static_cast<std::int64_t>(doomed.size());
  }

 private:
  struct Kept {
    RunInfo info;
    std::map<std::int64_t, std::string> lines;
    std::set<std::int64_t> answers;
  };

  // The rules of AnswerWriter::store.
  void store(Recorded record) {
    const auto [place, added] = ids_.try_emplace(record.key, next_);
    const std::int64_t id = place->second;
    if (added) {
      records_.emplace(next_++, std::move(record));
    } else {
      Recorded& old = records_.at(id);
      const bool failed_before = old.reply.status == Status::kTransport;
      const bool failed_now = record.reply.status == Status::kTransport;
      if (failed_before || (!failed_now && !read_)) old = std::move(record);
    }
    link(id);
  }

  void link(std::int64_t answer) {
    for (const std::string& run : open_) runs_.at(run).answers.insert(answer);
  }

  bool used(std::int64_t answer) const {
    for (const auto& [id, kept] : runs_) {
      if (kept.answers.count(answer) > 0) return true;
    }
    return false;
  }

  void erase(std::int64_t answer) {
    ids_.erase(records_.at(answer).key);
    records_.erase(answer);
  }

  // A copy, so that a callback may use the store.
  Kept copy(const std::string& run) {
    const std::lock_guard lock(mutex_);
    const auto kept = runs_.find(run);
    return kept == runs_.end() ? Kept{} : kept->second;
  }

  static RunInfo shown(const Kept& kept) {
    RunInfo run = kept.info;
    run.results = static_cast<std::int64_t>(kept.lines.size());
    run.answers = static_cast<std::int64_t>(kept.answers.size());
    return run;
  }

  const bool read_;
  std::mutex mutex_;  // guards all below
  std::int64_t next_ = 1;
  std::map<std::string, std::int64_t> ids_;
  std::map<std::int64_t, Recorded> records_;
  std::map<std::string, Kept> runs_;
  std::set<std::string> open_;
};

}  // namespace

std::unique_ptr<Store> memory_ledger(bool read) { return std::make_unique<MemoryLedger>(read); }

}  // namespace assay
