// A power cut takes away everything that was written and not synced. A VFS in front of SQLite's own
// notes what each file held at its last sync; at the moment a record is called durable, those
// copies are what a disk would still have. The harshest model: of unsynced writes nothing survives.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "support.h"

namespace assay::test {
namespace {

struct SyncedFiles {
  std::mutex mutex;
  std::map<std::string, std::string> bytes;  // path -> content at its last sync
  std::vector<std::string> removed;          // files whose removal is not on the disk yet
  void sync_folder() {
    for (const std::string& path : removed) bytes.erase(path);
    removed.clear();
  }
};
SyncedFiles* synced = nullptr;  // of the running test; C callbacks have no other way to it

struct File {
  sqlite3_file base;
  sqlite3_io_methods methods;  // the real ones, but for xSync
  const sqlite3_io_methods* real;
  char path[512];
  bool syncs_folder;  // SQLite syncs the folder with the first sync of a log or journal it has made
};

// The real file's structure comes first in ours, so its methods work on it as they are; only the
// table of methods is exchanged. Ours lies behind it.
int real_size = 0;

File* extra(sqlite3_file* file) {
  return reinterpret_cast<File*>(reinterpret_cast<char*>(file) + real_size);
}

int sync(sqlite3_file* file, int flags) {
  File* ours = extra(file);
  const int code = ours->real->xSync(file, flags);
  if (code == SQLITE_OK && synced != nullptr && ours->path[0] != '\0') {
    const std::lock_guard lock(synced->mutex);
    if (ours->syncs_folder) synced->sync_folder();
    ours->syncs_folder = false;
    synced->bytes[ours->path] = bytes_of(ours->path);
  }
  return code;
}

int open(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* out) {
  auto* real = static_cast<sqlite3_vfs*>(vfs->pAppData);
  const int code = real->xOpen(real, path, file, flags, out);
  if (code != SQLITE_OK || file->pMethods == nullptr) return code;
  File* ours = extra(file);
  ours->real = file->pMethods;
  ours->methods = *file->pMethods;
  ours->methods.xSync = sync;
  std::strncpy(ours->path, path != nullptr ? path : "", sizeof ours->path - 1);
  ours->path[sizeof ours->path - 1] = '\0';
  ours->syncs_folder = (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
  file->pMethods = &ours->methods;
  return code;
}

int remove_file(sqlite3_vfs* vfs, const char* path, int sync_folder) {
  auto* real = static_cast<sqlite3_vfs*>(vfs->pAppData);
  const int code = real->xDelete(real, path, sync_folder);
  if (code == SQLITE_OK && synced != nullptr) {
    const std::lock_guard lock(synced->mutex);
    synced->removed.push_back(path);
    if (sync_folder != 0) synced->sync_folder();
  }
  return code;
}

// Registers the VFS as the default for the life of the object.
class NotingVfs {
 public:
  NotingVfs() {
    sqlite3_initialize();
    real_ = sqlite3_vfs_find(nullptr);
    vfs_ = *real_;
    real_size = (real_->szOsFile + 15) / 16 * 16;
    vfs_.szOsFile = real_size + static_cast<int>(sizeof(File));
    vfs_.zName = "noting";
    vfs_.pAppData = real_;
    vfs_.pNext = nullptr;
    vfs_.xOpen = open;
    vfs_.xDelete = remove_file;
    sqlite3_vfs_register(&vfs_, 1);
    synced = &files;
  }
  ~NotingVfs() {
    synced = nullptr;
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(real_, 1);
  }
  SyncedFiles files;

 private:
  sqlite3_vfs* real_;
  sqlite3_vfs vfs_;
};

TEST(PowerCut, WhatWasCalledDurableIsOnTheDisk) {
  const TempFolder folder;
  const std::string path = folder.file("ledger.db");
  constexpr int kCount = 120;
  std::vector<std::map<std::string, std::string>> cuts(
      kCount);  // the disk when record n was durable
  {
    NotingVfs vfs;
    LedgerOptions options;
    options.path = path;
    options.gather_ms = 0;
    auto store = open_ledger(options);
    for (int n = 0; n < kCount; ++n) {
      store->append(record(n, std::string(3000, 'x')), [&, n](std::string error) {
        EXPECT_EQ(error, "");
        if (n % 10 != 0) return;
        const std::lock_guard lock(vfs.files.mutex);
        cuts[n] = vfs.files.bytes;
      });
      if (n % 10 == 9) {
        ASSERT_EQ(put(*store, record(1000 + n)), "");
      }
    }
  }
  for (int n = 0; n < kCount; n += 10) {
    const TempFolder after;
    ASSERT_FALSE(cuts[n].empty());
    for (const auto& [name, bytes] : cuts[n]) {
      write_bytes(after.file(std::filesystem::path(name).filename().string()), bytes);
    }
    LedgerOptions options;
    options.path = after.file("ledger.db");
    auto store = open_ledger(options);
    for (int before = 0; before <= n; ++before) EXPECT_NE(text_at(*store, before), "(none)") << n;
  }
}

}  // namespace
}  // namespace assay::test
