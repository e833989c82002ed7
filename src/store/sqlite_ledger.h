#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "assay/store.h"
#include "store/answer_rows.h"
#include "store/sqlite_db.h"
#include "store/writer.h"

namespace assay {

// Connections for reading, each used by one thread at a time. Never waits: where none is free it
// opens a further one, because a callback under `results` may look something up. Thread-safe.
class ReaderPool {
 public:
  struct Reader {
    Reader(const std::string& path, int busy_ms);
    Database database;
    AnswerReader answers;
  };

  ReaderPool(std::string path, int busy_ms) : path_(std::move(path)), busy_ms_(busy_ms) {}
  std::unique_ptr<Reader> take();
  void give_back(std::unique_ptr<Reader> reader);

 private:
  const std::string path_;
  const int busy_ms_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Reader>> idle_;  // guarded by mutex_
};

// The ledger in an SQLite file: lookups on pooled connections beside one writing thread.
class SqliteLedger final : public Store {
 public:
  explicit SqliteLedger(const LedgerOptions& options);

  std::optional<Reply> find(const std::string& key) override;
  void append(Recorded record, std::function<void(std::string error)> durable) override;

  void begin_run(const RunInfo& run) override;
  void add_result(const std::string& run, std::int64_t seq, std::string line) override;
  std::string finish_run(const std::string& run, std::int64_t rows,
                         const std::string& state) override;
  std::vector<RunInfo> runs() override;
  std::optional<RunInfo> run(const std::string& id) override;
  void results(const std::string& run,
               const std::function<void(std::string_view line)>& line) override;
  void answers(const std::string& run,
               const std::function<void(const Recorded& record)>& record) override;
  bool delete_run(const std::string& id) override;
  std::int64_t delete_unused() override;

 private:
  template <class Work>
  auto reading(Work work);
  template <class Work>
  auto erasing(Work work);

  const LedgerOptions options_;
  std::mutex mutex_;
  std::unordered_set<std::string>
      unreadable_;  // guarded by mutex_: rows whose next answer replaces them
  ReaderPool readers_;
  Writer writer_;
};

}  // namespace assay
