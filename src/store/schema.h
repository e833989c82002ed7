#pragma once

#include <span>
#include <string>

#include "store/sqlite_db.h"

namespace assay {

// One step of the file's form, from src/store/schema/NNN_name.sql. Never changed once released: a
// new form is a new file.
struct Migration {
  int version;
  const char* name;
  const char* sql;
};

std::span<const Migration> ledger_migrations();

// Marks a file as a ledger of ours in `PRAGMA application_id`: "Asay".
inline constexpr std::int64_t kLedgerMark = 0x41736179;

// Throws ConfigError where the file is no ledger or one of a newer version. Reads only.
void check_ledger(Database& database, const std::string& path,
                  std::span<const Migration> migrations = ledger_migrations());

// Brings a checked file to the newest form, all steps in one transaction: it is either old or new,
// never between. The version is in `PRAGMA user_version`.
void migrate(Database& database, std::span<const Migration> migrations = ledger_migrations());

}  // namespace assay
