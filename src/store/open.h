#pragma once

#include <string>

#include "store/sqlite_db.h"

namespace assay {

// Makes the file (0600, missing folders 0700) where there is none, refuses what is no ledger
// without touching it, brings it to the newest form, and returns the connection that writes. Throws
// ConfigError.
Database open_for_writing(const std::string& path, int busy_ms);

// A further connection to a file that open_for_writing has opened, for lookups. Throws SqliteError.
Database open_for_reading(const std::string& path, int busy_ms);

// One line for the user: what is wrong with the ledger, and what to do about it.
std::string trouble_line(const std::string& path, const SqliteError& error);

}  // namespace assay
