#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "assay/store.h"
#include "store/sqlite_db.h"

namespace assay {

// Lookups on one connection. Not thread-safe.
class AnswerReader {
 public:
  struct Found {
    std::int64_t id = 0;
    std::optional<Reply> reply;  // nothing: the row does not decode
  };
  explicit AnswerReader(Database& database);
  std::optional<Found> find(std::string_view key);

 private:
  Statement find_;
};

// Stores answers inside the caller's transaction. Not thread-safe.
class AnswerWriter {
 public:
  explicit AnswerWriter(Database& database);
  // The row's id. An answer already there stays, unless it is a transport failure or `replace` is
  // set; and a transport failure never replaces an answer, which has been paid for.
  std::int64_t store(std::string_view key, const Recorded& record, bool replace);

 private:
  void bind(Statement& statement, const Recorded& record);

  Statement look_;
  Statement insert_;
  Statement update_;
  Statement question_;
  Statement last_id_;
  std::string probs_;  // kept until the statement that points at them has run
  std::string notes_;
};

// The answers linked to run number `run`, in the order of their ids.
void each_answer(Database& database, const std::string& run,
                 const std::function<void(const Recorded& record)>& record);

}  // namespace assay
