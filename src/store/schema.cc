#include "store/schema.h"

#include <fmt/core.h>

#include "assay/error.h"

namespace assay {

void check_ledger(Database& database, const std::string& path,
                  std::span<const Migration> migrations) {
  // One view of the file: another process may be making it, and half a look would take it for
  // somebody else's.
  database.exec("BEGIN");
  const std::int64_t tables = database.number("SELECT count(*) FROM sqlite_schema");
  const std::int64_t mark = database.number("PRAGMA application_id");
  const std::int64_t version = database.number("PRAGMA user_version");
  database.exec("COMMIT");
  const int newest = migrations.empty() ? 0 : migrations.back().version;
  if (mark == 0 && version == 0 && tables == 0) return;  // a new file
  if (mark != kLedgerMark) {
    throw ConfigError(fmt::format(
        "{}: an SQLite database of another program, not a ledger: choose another file with --store",
        path));
  }
  if (version > newest) {
    throw ConfigError(
        fmt::format("{}: written by a newer assay (ledger version {}, this one reads up to {}): "
                    "update assay, or "
                    "choose another file with --store",
                    path, version, newest));
  }
}

void migrate(Database& database, std::span<const Migration> migrations) {
  if (migrations.empty()) return;
  if (database.number("PRAGMA user_version") == migrations.back().version) return;
  Transaction transaction(database);
  // Asked again under the lock: another process may have been faster.
  const std::int64_t version = database.number("PRAGMA user_version");
  for (const Migration& migration : migrations) {
    if (migration.version > version) database.exec(migration.sql);
  }
  if (version < migrations.back().version) {
    database.exec(fmt::format("PRAGMA user_version = {}; PRAGMA application_id = {}",
                              migrations.back().version, kLedgerMark));
  }
  transaction.commit();
}

}  // namespace assay
