#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "assay/store.h"
#include "store/answer_rows.h"
#include "store/sqlite_db.h"

namespace assay {

// The one thread that writes: group commit. It takes everything that waits, writes it in one
// transaction, and calls back when the commit is on the disk.
//
// When idle, a record is committed at once. Under load the next commit begins no sooner than
// `gather_ms` after the last one began, so that a fast disk does not turn every record into a
// commit of its own (bench/ledger.cc: 35 us of processor time a record at 5,000 a second, 20 at
// full speed, where commits are larger). That adds gather_ms at most; the sync, and a checkpoint
// under way, come on top.
//
// Records wake the thread; links and result lines do not: they travel with the next commit, or in
// lots, or with the end of the run. A failed commit fails its records; lines and links are kept for
// the next. After a failure records fail at once with the same message until retry_ms have passed,
// then the disk is tried again.
//
// Thread-safe. The destructor commits what waits.
class Writer {
 public:
  using Done = std::function<void(std::string error)>;

  Writer(Database database, const LedgerOptions& options);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // `key` is in bytes. `replace`: what is stored under it does not count.
  void append(std::string key, Recorded record, bool replace, Done durable);
  void add_result(std::string run, std::int64_t seq, std::string line);
  void link(std::int64_t answer);  // to the open runs; nothing where none is open
  // These wait for the disk; the error, or nothing.
  std::string begin_run(const RunInfo& run);
  std::string finish_run(const std::string& id, std::int64_t rows, const std::string& state);
  std::string flush();

 private:
  struct Append {
    std::string key;
    Recorded record;
    bool replace = false;
    Done durable;
  };
  struct Line {
    std::string run;
    std::int64_t seq = 0;
    std::string text;
  };
  enum class Change { kBegin, kFinish, kFlush };
  struct RunChange {
    Change change = Change::kFlush;
    RunInfo run;
    Done done;
  };
  struct Batch {
    std::vector<Append> appends;
    std::vector<Line> lines;
    std::vector<std::int64_t> links;
    std::vector<RunChange> changes;
    bool empty() const {
      return appends.empty() && lines.empty() && links.empty() && changes.empty();
    }
  };
  struct OpenRun {
    std::string id;
    std::int64_t number = 0;
  };

  std::string change(Change change, const RunInfo& run);
  void loop();
  bool take(Batch& batch);
  bool due() const;
  void commit(Batch& batch);
  std::string write(const Batch& batch);
  void write_rows(const Batch& batch);
  void link_to_open_runs(std::int64_t answer);
  void begin(const RunInfo& run);
  void finish(const RunInfo& run);
  void keep_for_later(Batch& batch);
  void tidy_log();

  // Of the writing thread alone.
  Database database_;
  AnswerWriter answers_;
  Statement begin_run_;
  Statement number_of_run_;
  Statement finish_run_;
  Statement insert_link_;
  Statement insert_line_;
  std::vector<OpenRun> open_;      // as committed
  std::vector<OpenRun> open_now_;  // as in the transaction under way
  std::string last_error_;
  std::chrono::steady_clock::time_point retry_at_{};
  std::chrono::steady_clock::time_point last_begin_{};

  const LedgerOptions options_;
  std::mutex mutex_;
  std::condition_variable work_;   // there is something to write
  std::condition_variable space_;  // the queue is shorter
  Batch queue_;                    // guarded by mutex_
  bool linking_ = false;           // guarded by mutex_: a run is open
  bool failing_ = false;           // guarded by mutex_: the last commit failed
  bool stop_ = false;              // guarded by mutex_
  std::thread thread_;             // last: it uses all of the above
};

}  // namespace assay
