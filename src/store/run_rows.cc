// Runs as rows of `runs`, `run_results` and `run_answers` (docs/formats/ledger.md).
//
// Erasing takes three steps, each needed. secure_delete zeroes what is deleted, but pages that were
// split earlier may hold further copies in their slack: VACUUM rebuilds the file from what is left.
// The old pages are then still in the log, until a checkpoint cuts it to nothing. Tested by
// searching the raw bytes.
#include "store/run_rows.h"

#include <fmt/core.h>

namespace assay {
namespace {

constexpr std::string_view kRuns =
    "SELECT id, created, command, rows, method, judge, options, state,"
    " (SELECT count(*) FROM run_results x WHERE x.run = runs.run),"
    " (SELECT count(*) FROM run_answers x WHERE x.run = runs.run) FROM runs ";

RunInfo run_of(const Statement& row) {
  return {.id = std::string(row.text(0)),
          .created = row.integer(1),
          .command = std::string(row.text(2)),
          .rows = row.integer(3),
          .method = std::string(row.text(4)),
          .judge = std::string(row.text(5)),
          .options = std::string(row.text(6)),
          .state = std::string(row.text(7)),
          .results = row.integer(8),
          .answers = row.integer(9)};
}

// A process that did not see its run deleted goes on linking answers to it. Ids are never used
// twice, so such links mean nothing; but they must not keep an answer.
constexpr const char* kDropStrayLinks =
    "DELETE FROM run_answers WHERE run NOT IN (SELECT run FROM runs)";

void erase_answers(Database& database) {
  database.exec(
      "DELETE FROM questions WHERE answer IN (SELECT id FROM temp.doomed);"
      "DELETE FROM answers WHERE id IN (SELECT id FROM temp.doomed);"
      "DROP TABLE temp.doomed");
}

}  // namespace

std::vector<RunInfo> list_runs(Database& database) {
  Statement row(database, std::string(kRuns) + "ORDER BY created, id");
  std::vector<RunInfo> runs;
  while (row.step()) runs.push_back(run_of(row));
  return runs;
}

std::optional<RunInfo> read_run(Database& database, const std::string& id) {
  Statement row(database, std::string(kRuns) + "WHERE id = ?1");
  row.bind(1, id);
  if (!row.step()) return std::nullopt;
  return run_of(row);
}

void each_result(Database& database, const std::string& id,
                 const std::function<void(std::string_view line)>& line) {
  Statement row(database,
                "SELECT x.line FROM runs r JOIN run_results x ON x.run = r.run WHERE r.id = ?1"
                " ORDER BY x.seq");
  row.bind(1, id);
  while (row.step()) line(row.text(0));
}

bool erase_run(Database& database, const std::string& id) {
  Transaction transaction(database);
  std::int64_t run = 0;
  {
    Statement row(database, "SELECT run FROM runs WHERE id = ?1");
    row.bind(1, id);
    if (!row.step()) return false;
    run = row.integer(0);
  }
  database.exec(kDropStrayLinks);
  database.exec(fmt::format(
      "CREATE TEMP TABLE doomed AS SELECT answer AS id FROM main.run_answers WHERE run = {0}"
      " EXCEPT SELECT answer FROM main.run_answers WHERE run <> {0};"
      "DELETE FROM run_answers WHERE run = {0};"
      "DELETE FROM run_results WHERE run = {0};"
      "DELETE FROM runs WHERE run = {0}",
      run));
  erase_answers(database);
  transaction.commit();
  return true;
}

std::int64_t erase_unused(Database& database) {
  Transaction transaction(database);
  database.exec(kDropStrayLinks);
  database.exec(
      "CREATE TEMP TABLE doomed AS SELECT id FROM main.answers EXCEPT SELECT answer FROM "
      "main.run_answers");
  const std::int64_t count = database.number("SELECT count(*) FROM temp.doomed");
  erase_answers(database);
  transaction.commit();
  return count;
}

void wipe(Database& database, const std::string& path) {
  bool held = false;
  try {
    database.exec("VACUUM");
    held = database.number("PRAGMA wal_checkpoint(TRUNCATE)") != 0;
  } catch (const SqliteError& error) {
    if (error.trouble() != SqliteTrouble::kBusy) throw;
    held = true;
  }
  if (held) {
    throw LedgerError(
        fmt::format("{}: deleted, but its bytes are still in the file, because another process "
                    "reads the ledger: "
                    "`assay runs delete --unused` when that has ended erases them",
                    path));
  }
}

}  // namespace assay
