#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/judge.h"

namespace assay {

// One answered (or failed) call as the ledger keeps it.
struct Recorded {
  std::string key;    // content key, hex
  std::string judge;  // identity
  std::string stage;
  std::string question;  // messages, answer shape and sampling as JSON, for audit and replay
  Reply reply;
};

// The ledger failed while it was in use (damaged pages, a disk error): one line for the user. What
// it had called durable is not lost by it.
class LedgerError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Where answers are kept. Thread-safe.
class Ledger {
 public:
  virtual ~Ledger() = default;
  // The stored answer, if there is one that need not be asked again (transport failures must be).
  // Throws LedgerError where the ledger cannot be read: to say "not there" would pay for the answer
  // twice.
  virtual std::optional<Reply> find(const std::string& key) = 0;
  // Stores; `durable` is called once, on any thread, when the record would survive a power cut, or
  // with a message when it could not be stored. Answers are used only after that (rule 5). It must
  // not throw; it may call find and append. Blocks while too many records wait for the disk.
  virtual void append(Recorded record, std::function<void(std::string error)> durable) = 0;
};

// One run of a command, as `assay runs list` shows it.
struct RunInfo {
  std::string id;            // hash of rows, rubric, method, judge and options
  std::int64_t created = 0;  // unix seconds, when it was first begun; informational only
  std::string command;
  std::int64_t rows = 0;
  std::string method;
  std::string judge;
  std::string options;       // JSON
  std::string state;         // "running", then what finish_run says: "done", "stopped", ...
  std::int64_t results = 0;  // counted by the store
  std::int64_t answers = 0;  // counted by the store
  bool operator==(const RunInfo&) const = default;
};

// A ledger that also keeps runs: what was asked for, the result lines, and which answers they came
// from. Thread-safe. Between begin_run and finish_run every answer found or appended is linked to
// that run.
class Store : public Ledger {
 public:
  // Durable on return. A run begun again keeps its time, and its lines until they are written anew.
  // Throws ConfigError where it cannot be stored.
  virtual void begin_run(const RunInfo& run) = 0;
  // Line `seq` (from 0) of a run's results, without a newline. Stored soon; finish_run says whether
  // it was.
  virtual void add_result(const std::string& run, std::int64_t seq, std::string line) = 0;
  // Sets rows and state and waits until all of the run is durable; else the message. Ends the
  // linking. Not to be called from a `durable` callback.
  virtual std::string finish_run(const std::string& run, std::int64_t rows,
                                 const std::string& state) = 0;

  virtual std::vector<RunInfo> runs() = 0;  // oldest first; ties by id
  virtual std::optional<RunInfo> run(const std::string& id) = 0;
  // The result lines in order.
  virtual void results(const std::string& run,
                       const std::function<void(std::string_view line)>& line) = 0;
  // The answers a run used, in the order they were first stored.
  virtual void answers(const std::string& run,
                       const std::function<void(const Recorded& record)>& record) = 0;

  // Erases a run, its lines, and the answers no other run uses; false where there is no such run.
  // Throws LedgerError where the bytes could not be taken off the disk yet (another process is
  // reading them).
  virtual bool delete_run(const std::string& id) = 0;
  // Erases the answers that belong to no run; how many.
  virtual std::int64_t delete_unused() = 0;
};

struct LedgerOptions {
  std::string path;
  bool read = true;   // false (--no-cache): nothing is found; what is asked again replaces the old
  int gather_ms = 2;  // under load, the least time between two commits; see src/store/writer.h
  int retry_ms = 1000;        // after a failed commit, records fail at once for this long
  int busy_ms = 30000;        // how long to wait for another process's commit
  std::size_t queue = 65536;  // records that may wait for the disk before append blocks
  void validate() const;      // throws ConfigError
};

// Opens or makes the SQLite ledger (docs/formats/ledger.md). Throws ConfigError with one line, and
// leaves the file as it was, where it is no ledger, of a newer version, damaged or read-only.
std::unique_ptr<Store> open_ledger(const LedgerOptions& options);

// A store that forgets, for `--store none` and tests.
std::unique_ptr<Store> memory_ledger(bool read = true);

// $XDG_DATA_HOME/assay/ledger.db or ~/.local/share/assay/ledger.db.
std::string default_ledger_path();

}  // namespace assay
