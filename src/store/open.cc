// Opening a ledger without ever harming what lies at its path. The order matters: what may be
// refused is looked at before the first statement that writes. Tested in tests/store/open_test.cc.
#include "store/open.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>

#include "assay/error.h"
#include "assay/store.h"
#include "store/schema.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr const char* kElsewhere = "choose another place with --store PATH, or --store none";

// A new name is on the disk when its folder is.
void sync_folder(const fs::path& folder) {
  const int file =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;  // a folder that may be written but not read: the sync is all it costs
  ::fsync(file);
  ::close(file);
}

void make_folders(const fs::path& folder, const std::string& path) {
  if (folder.empty()) return;
  std::error_code ignored;
  if (fs::is_directory(folder, ignored)) return;
  make_folders(folder.parent_path(), path);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    throw ConfigError(fmt::format("{}: cannot make the folder {} ({}): {}", path, folder.string(),
                                  std::strerror(errno), kElsewhere));
  }
  sync_folder(folder.parent_path());
}

// SQLite gives -wal and -shm the permissions of the file, so making it is where they are set.
void make_file(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  make_folders(folder, path);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw ConfigError(fmt::format("{}: a folder, not a ledger: {}", path, kElsewhere));
  }
  const bool exists = fs::exists(path, ignored);
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) {
    throw ConfigError(fmt::format("{}: the ledger cannot be written ({}): {}", path,
                                  std::strerror(errno), kElsewhere));
  }
  ::close(file);
  if (!exists) sync_folder(folder);
  const std::string place = folder.empty() ? "." : folder.string();
  if (::access(place.c_str(), W_OK) != 0) {
    throw ConfigError(fmt::format(
        "{}: the ledger keeps a log beside it, and its folder cannot be written ({}): {}", path,
        std::strerror(errno), kElsewhere));
  }
}

// Also a ledger in a file that somebody made before, and its log: they hold judged texts. What is
// not ours to change is left as it is.
void keep_from_others(const std::string& path) {
  for (const char* end : {"", "-wal", "-shm"}) {
    struct stat info {};
    const std::string file = path + end;
    if (::stat(file.c_str(), &info) == 0 && (info.st_mode & 077) != 0)
      ::chmod(file.c_str(), info.st_mode & 0700);
  }
}

// SQLite does not wait for others by itself when a file changes to WAL; two processes that make the
// ledger together meet here.
void switch_to_wal(Database& database, int busy_ms) {
  for (int waited = 0;; waited += 10) {
    try {
      if (database.text("PRAGMA journal_mode = WAL") == "wal") return;
      throw SqliteError(SqliteTrouble::kOther, "the file system has no shared memory (WAL mode)");
    } catch (const SqliteError& error) {
      if (error.trouble() != SqliteTrouble::kBusy || waited >= busy_ms) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// secure_delete: what a later answer replaces must not stay behind in a page. FULL: a commit is on
// the disk when it returns (in WAL mode NORMAL would lose the last ones in a power cut).
constexpr const char* kWriting =
    "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cache_size = -8192;"
    "PRAGMA journal_size_limit = 67108864";

// Not memory-mapped: mapped pages count as memory, and a disk error in one is a SIGBUS.
constexpr const char* kReading = "PRAGMA query_only = ON; PRAGMA cache_size = -4096";

}  // namespace

Database open_for_writing(const std::string& path, int busy_ms) {
  make_file(path);
  try {
    Database database(path, busy_ms);
    database.checkpoint_on_close(false);  // a file that is refused stays as it is
    check_ledger(database, path);
    keep_from_others(path);
    if (database.read_only()) throw SqliteError(SqliteTrouble::kReadOnly, "read-only file");
    switch_to_wal(database, busy_ms);
    database.exec(kWriting);
    migrate(database);
    database.checkpoint_by_hand();
    database.checkpoint_on_close(true);
    return database;
  } catch (const SqliteError& error) {
    throw ConfigError(trouble_line(path, error));
  }
}

Database open_for_reading(const std::string& path, int busy_ms) {
  Database database(path, busy_ms);
  database.exec(kReading);
  return database;
}

std::string trouble_line(const std::string& path, const SqliteError& error) {
  switch (error.trouble()) {
    case SqliteTrouble::kFull:
      return fmt::format(
          "{}: the disk is full: free some space and run the same command again; what was recorded "
          "is "
          "kept",
          path);
    case SqliteTrouble::kIo:
      return fmt::format(
          "{}: the disk failed or is full ({}): mend that and run the same command again; what was "
          "recorded is kept",
          path, error.what());
    case SqliteTrouble::kBusy:
      return fmt::format("{}: another process holds the ledger: wait until it has ended", path);
    case SqliteTrouble::kReadOnly:
      return fmt::format("{}: the ledger is read-only: make it writable, or {}", path, kElsewhere);
    case SqliteTrouble::kNoDatabase:
      return fmt::format("{}: not a ledger (no SQLite database): {}", path, kElsewhere);
    case SqliteTrouble::kDamaged:
      return fmt::format(
          "{}: the ledger is damaged ({}): keep a copy, save what can be read with `sqlite3 FILE "
          ".recover`, or {}",
          path, error.what(), kElsewhere);
    case SqliteTrouble::kCannotOpen:
      return fmt::format("{}: the ledger cannot be opened ({}): {}", path, error.what(),
                         kElsewhere);
    case SqliteTrouble::kOther:
      break;
  }
  return fmt::format("{}: the ledger failed ({})", path, error.what());
}

void LedgerOptions::validate() const {
  if (path.empty()) throw ConfigError("--store: the path of the ledger is empty");
  if (path.find('\0') != std::string::npos) {
    throw ConfigError("--store: the path of the ledger holds a NUL byte");
  }
  if (gather_ms < 0 || retry_ms < 0 || busy_ms < 0 || queue == 0) {
    throw ConfigError("ledger: times must not be negative, and the queue must hold a record");
  }
}

std::string default_ledger_path() {
  // The base directory specification says that a relative path in the variable is to be ignored.
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && data[0] == '/') return std::string(data) + "/assay/ledger.db";
  const char* home = std::getenv("HOME");
  if (home == nullptr || home[0] == '\0') {
    const passwd* user = ::getpwuid(::getuid());
    home = user != nullptr ? user->pw_dir : nullptr;
  }
  if (home == nullptr || home[0] != '/') {
    throw ConfigError("no home folder for the ledger: set HOME, or name a file with --store PATH");
  }
  return std::string(home) + "/.local/share/assay/ledger.db";
}

}  // namespace assay
