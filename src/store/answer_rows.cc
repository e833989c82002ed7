// Answers as rows of the tables `answers` and `questions` (docs/formats/ledger.md).
#include "store/answer_rows.h"

#include "store/codec.h"

namespace assay {
namespace {

constexpr std::string_view kFind =
    "SELECT id, status, text, probs, notes, problem, calls, prompt_tokens, cached_tokens,"
    " completion_tokens, usd, ms FROM answers WHERE key = ?1";

constexpr std::string_view kOfRun =
    "SELECT a.id, a.status, a.text, a.probs, a.notes, a.problem, a.calls, a.prompt_tokens,"
    " a.cached_tokens, a.completion_tokens, a.usd, a.ms, a.key, a.judge, a.stage, q.json"
    " FROM runs r JOIN run_answers l ON l.run = r.run JOIN answers a ON a.id = l.answer"
    " LEFT JOIN questions q ON q.answer = a.id WHERE r.id = ?1 ORDER BY l.answer";

// Columns 1 to 11 of the selects above.
std::optional<Reply> reply_of(const Statement& row) {
  const auto status = decode_status(row.integer(1));
  auto probs = decode_probs(row.text(3));
  auto notes = decode_notes(row.text(4));
  if (!status || !probs || !notes) return std::nullopt;
  Reply reply;
  reply.status = *status;
  reply.text = row.text(2);
  reply.probs = std::move(*probs);
  reply.notes = std::move(*notes);
  reply.problem = row.text(5);
  reply.usage = {.calls = row.integer(6),
                 .prompt_tokens = row.integer(7),
                 .cached_tokens = row.integer(8),
                 .completion_tokens = row.integer(9),
                 .usd = row.real(10),
                 .ms = row.real(11)};
  return reply;
}

void bind_optional(Statement& statement, int index, std::string_view text) {
  if (text.empty()) {
    statement.bind_null(index);
  } else {
    statement.bind(index, text);
  }
}

}  // namespace

AnswerReader::AnswerReader(Database& database) : find_(database, kFind) {}

std::optional<AnswerReader::Found> AnswerReader::find(std::string_view key) {
  const ResetOnExit guard(find_);
  find_.bind_blob(1, key);
  if (!find_.step()) return std::nullopt;
  return Found{find_.integer(0), reply_of(find_)};
}

AnswerWriter::AnswerWriter(Database& database)
    : look_(database, "SELECT id, status FROM answers WHERE key = ?1"),
      insert_(database,
              "INSERT INTO answers (status, text, probs, notes, problem, calls, prompt_tokens,"
              " cached_tokens, completion_tokens, usd, ms, judge, stage, key)"
              " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)"),
      update_(database,
              "UPDATE answers SET status = ?1, text = ?2, probs = ?3, notes = ?4, problem = ?5,"
              " calls = ?6, prompt_tokens = ?7, cached_tokens = ?8, completion_tokens = ?9,"
              " usd = ?10, ms = ?11, judge = ?12, stage = ?13 WHERE id = ?14"),
      question_(database, "INSERT OR REPLACE INTO questions (answer, json) VALUES (?1, ?2)"),
      last_id_(database, "SELECT last_insert_rowid()") {}

void AnswerWriter::bind(Statement& statement, const Recorded& record) {
  const Reply& reply = record.reply;
  probs_ = encode_probs(reply.probs);
  notes_ = encode_notes(reply.notes);
  statement.bind(1, static_cast<std::int64_t>(reply.status)).bind(2, reply.text);
  bind_optional(statement, 3, probs_);
  bind_optional(statement, 4, notes_);
  bind_optional(statement, 5, reply.problem);
  statement.bind(6, reply.usage.calls)
      .bind(7, reply.usage.prompt_tokens)
      .bind(8, reply.usage.cached_tokens)
      .bind(9, reply.usage.completion_tokens)
      .bind(10, reply.usage.usd)
      .bind(11, reply.usage.ms)
      .bind(12, record.judge)
      .bind(13, record.stage);
}

std::int64_t AnswerWriter::store(std::string_view key, const Recorded& record, bool replace) {
  std::int64_t id = 0;
  bool failed_before = false;
  {
    const ResetOnExit guard(look_);
    look_.bind_blob(1, key);
    if (look_.step()) {
      id = look_.integer(0);
      failed_before = look_.integer(1) == static_cast<std::int64_t>(Status::kTransport);
    }
  }
  if (id == 0) {
    bind(insert_, record);
    insert_.bind_blob(14, key).run();
    const ResetOnExit guard(last_id_);
    last_id_.step();
    id = last_id_.integer(0);
  } else {
    const bool failed_now = record.reply.status == Status::kTransport;
    if (!failed_before && (failed_now || !replace)) return id;
    bind(update_, record);
    update_.bind(14, id).run();
  }
  question_.bind(1, id).bind(2, record.question).run();
  return id;
}

void each_answer(Database& database, const std::string& run,
                 const std::function<void(const Recorded& record)>& record) {
  Statement row(database, kOfRun);
  row.bind(1, run);
  while (row.step()) {
    auto reply = reply_of(row);
    if (!reply) {
      throw SqliteError(SqliteTrouble::kDamaged,
                        "answer " + key_hex(row.text(12)) + " cannot be read");
    }
    record({.key = key_hex(row.text(12)),
            .judge = std::string(row.text(13)),
            .stage = std::string(row.text(14)),
            .question = std::string(row.text(15)),
            .reply = std::move(*reply)});
  }
}

}  // namespace assay
