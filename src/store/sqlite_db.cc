// A thin RAII layer over sqlite3, the only file that sees its header. Tested in
// tests/store/sqlite_db_test.cc.
#include "store/sqlite_db.h"

#include <sqlite3.h>

#include <utility>

namespace assay {
namespace {

SqliteTrouble trouble_of(int code) {
  switch (code & 0xff) {  // the low byte is the primary code
    case SQLITE_FULL:
      return SqliteTrouble::kFull;
    case SQLITE_IOERR:
      return SqliteTrouble::kIo;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return SqliteTrouble::kBusy;
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return SqliteTrouble::kReadOnly;
    case SQLITE_NOTADB:
      return SqliteTrouble::kNoDatabase;
    case SQLITE_CORRUPT:
      return SqliteTrouble::kDamaged;
    case SQLITE_CANTOPEN:
      return SqliteTrouble::kCannotOpen;
    default:
      return SqliteTrouble::kOther;
  }
}

[[noreturn]] void fail(sqlite3* handle, int code) {
  throw SqliteError(trouble_of(code), handle ? sqlite3_errmsg(handle) : sqlite3_errstr(code));
}

int note_wal_pages(void* pages, sqlite3*, const char*, int count) {
  *static_cast<int*>(pages) = count;
  return SQLITE_OK;
}

}  // namespace

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

Database::Database(const std::string& path, int busy_ms) : wal_pages_(std::make_unique<int>(0)) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail(handle, code);
  sqlite3_busy_timeout(handle, busy_ms);
  // A damaged or hostile file may hold a schema with functions and triggers of its own.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
}

Database::~Database() = default;
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;

void Database::exec(const std::string& sql) {
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(handle_.get(), code);
}

std::int64_t Database::number(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::string Database::text(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? std::string(statement.text(0)) : std::string();
}

bool Database::read_only() const { return sqlite3_db_readonly(handle_.get(), "main") == 1; }

void Database::checkpoint_on_close(bool allowed) {
  sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, allowed ? 0 : 1, nullptr);
}

void Database::checkpoint_by_hand() {
  sqlite3_wal_hook(handle_.get(), note_wal_pages, wal_pages_.get());
}

void Database::checkpoint() {
  const int code = sqlite3_wal_checkpoint_v2(handle_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE,
                                             nullptr, nullptr);
  if (code != SQLITE_OK) fail(handle_.get(), code);
  *wal_pages_ = 0;
}

void Statement::Finalize::operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }

Statement::Statement(Database& database, std::string_view sql) : database_(database.handle_.get()) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(database_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail(database_, code);
}

Statement::~Statement() = default;
Statement::Statement(Statement&&) noexcept = default;

Statement& Statement::bind(int index, std::int64_t value) {
  const int code = sqlite3_bind_int64(handle_.get(), index, value);
  if (code != SQLITE_OK) fail(database_, code);
  return *this;
}

Statement& Statement::bind(int index, double value) {
  const int code = sqlite3_bind_double(handle_.get(), index, value);
  if (code != SQLITE_OK) fail(database_, code);
  return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
  const char* data = text.data() ? text.data() : "";  // a null pointer would bind NULL
  const int code =
      sqlite3_bind_text64(handle_.get(), index, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) fail(database_, code);
  return *this;
}

Statement& Statement::bind_blob(int index, std::string_view bytes) {
  const char* data = bytes.data() ? bytes.data() : "";
  const int code = sqlite3_bind_blob64(handle_.get(), index, data, bytes.size(), SQLITE_STATIC);
  if (code != SQLITE_OK) fail(database_, code);
  return *this;
}

Statement& Statement::bind_null(int index) {
  const int code = sqlite3_bind_null(handle_.get(), index);
  if (code != SQLITE_OK) fail(database_, code);
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  fail(database_, code);
}

void Statement::run() {
  const ResetOnExit guard(*this);
  while (step()) {
  }
}

void Statement::reset() { sqlite3_reset(handle_.get()); }

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

double Statement::real(int column) const { return sqlite3_column_double(handle_.get(), column); }

std::string_view Statement::text(int column) const {
  // The blob call hands out text as it is stored, without a conversion or a terminating NUL.
  const void* data = sqlite3_column_blob(handle_.get(), column);
  const int size = sqlite3_column_bytes(handle_.get(), column);
  return data ? std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(size))
              : std::string_view();
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.exec("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.exec("ROLLBACK");
  } catch (const SqliteError&) {
    // After a full disk or an I/O error SQLite has rolled back by itself and says there is nothing
    // to do.
  }
}

void Transaction::commit() {
  database_.exec("COMMIT");
  open_ = false;
}

}  // namespace assay
