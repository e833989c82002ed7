#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

// SQLite's own types, so that its header stays in sqlite_db.cc.
struct sqlite3;
struct sqlite3_stmt;

namespace assay {

// What kind of trouble SQLite reports, as far as it makes a difference to what a user should do.
enum class SqliteTrouble {
  kFull,
  kIo,
  kBusy,
  kReadOnly,
  kNoDatabase,
  kDamaged,
  kCannotOpen,
  kOther
};

class SqliteError : public std::runtime_error {
 public:
  SqliteError(SqliteTrouble trouble, const std::string& text)
      : std::runtime_error(text), trouble_(trouble) {}
  SqliteTrouble trouble() const { return trouble_; }

 private:
  SqliteTrouble trouble_;
};

// One connection. Not thread-safe: used by one thread at a time. Moves, so that it can be handed
// over; never copied. Every failure throws SqliteError.
class Database {
 public:
  // The file must exist (files are made in open.cc, with their permissions).
  Database(const std::string& path, int busy_ms);
  ~Database();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;

  void exec(const std::string& sql);  // any number of statements
  std::int64_t number(
      const std::string& sql);  // first column of the first row; 0 where there is none
  std::string text(const std::string& sql);
  bool read_only() const;
  // Whether closing the last connection may fold the log into the file.
  void checkpoint_on_close(bool allowed);
  // Takes checkpoints away from COMMIT; from then on wal_pages() is the log's length at the last
  // commit.
  void checkpoint_by_hand();
  int wal_pages() const { return *wal_pages_; }
  // Folds the log into the file as far as readers allow, without waiting for them.
  void checkpoint();

 private:
  friend class Statement;
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::unique_ptr<int> wal_pages_;  // before the handle, which points at it
  std::unique_ptr<sqlite3, Close> handle_;
};

// A prepared statement. Bound text is not copied: it must live until the next reset. Not
// thread-safe; must not outlive its database.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);
  ~Statement();
  Statement(Statement&&) noexcept;

  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, double value);
  Statement& bind(int index, std::string_view text);
  Statement& bind_blob(int index, std::string_view bytes);
  Statement& bind_null(int index);

  bool step();  // true: a row
  void run();   // steps to the end and resets, also after a failure
  void reset();

  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;  // text or blob; until the next step or reset
  bool is_null(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const;
  };
  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

// Ends a read when the scope ends: a statement left unreset would hold its snapshot, and so the
// log, open.
class ResetOnExit {
 public:
  explicit ResetOnExit(Statement& statement) : statement_(statement) {}
  ~ResetOnExit() { statement_.reset(); }
  ResetOnExit(const ResetOnExit&) = delete;
  ResetOnExit& operator=(const ResetOnExit&) = delete;

 private:
  Statement& statement_;
};

// Takes the write lock at once (BEGIN IMMEDIATE), so that it waits for another process here and
// never fails half-way. The destructor rolls back unless committed, and never throws.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace assay
