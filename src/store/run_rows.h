#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/store.h"
#include "store/sqlite_db.h"

namespace assay {

// Reading and erasing runs on one connection. All throw SqliteError.
std::vector<RunInfo> list_runs(Database& database);
std::optional<RunInfo> read_run(Database& database, const std::string& id);
void each_result(Database& database, const std::string& id,
                 const std::function<void(std::string_view line)>& line);

// Deletes rows; the bytes are gone after wipe().
bool erase_run(Database& database, const std::string& id);
std::int64_t erase_unused(Database& database);

// Takes deleted bytes off the file and its log. Throws LedgerError where another process holds
// them.
void wipe(Database& database, const std::string& path);

}  // namespace assay
