#include "store/sqlite_ledger.h"

#include <fmt/core.h>

#include <utility>

#include "assay/error.h"
#include "store/codec.h"
#include "store/open.h"
#include "store/run_rows.h"

namespace assay {
namespace {

constexpr std::size_t kIdleReaders = 8;
constexpr std::size_t kLargestText = 512u << 20;  // SQLite's own limit for a value is twice that

// Why the record cannot be stored, whatever the disk says; empty where it can.
std::string refusal(const Recorded& record, bool good_key) {
  if (!good_key) return fmt::format("ledger: '{}' is no content key", record.key);
  if (auto why = not_storable(record.reply.probs, record.reply.usage)) {
    return fmt::format("ledger: answer {}: {}", record.key, *why);
  }
  if (record.question.size() + record.reply.text.size() > kLargestText) {
    return fmt::format("ledger: answer {}: longer than {} MB", record.key, kLargestText >> 20);
  }
  return {};
}

}  // namespace

ReaderPool::Reader::Reader(const std::string& path, int busy_ms)
    : database(open_for_reading(path, busy_ms)), answers(database) {}

std::unique_ptr<ReaderPool::Reader> ReaderPool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto reader = std::move(idle_.back());
      idle_.pop_back();
      return reader;
    }
  }
  return std::make_unique<Reader>(path_, busy_ms_);
}

void ReaderPool::give_back(std::unique_ptr<Reader> reader) {
  const std::lock_guard lock(mutex_);
  if (idle_.size() < kIdleReaders) idle_.push_back(std::move(reader));
}

SqliteLedger::SqliteLedger(const LedgerOptions& options)
    : options_(options),
      readers_(options.path, options.busy_ms),
      writer_(open_for_writing(options.path, options.busy_ms), options) {}

// A reader whose work failed is not given back: its statements are in no known state.
template <class Work>
auto SqliteLedger::reading(Work work) {
  try {
    auto reader = readers_.take();
    auto result = work(*reader);
    readers_.give_back(std::move(reader));
    return result;
  } catch (const SqliteError& error) {
    throw LedgerError(trouble_line(options_.path, error));
  }
}

// On a connection of its own: an erased row that the writing thread still has queued would come
// back, so that is written first.
template <class Work>
auto SqliteLedger::erasing(Work work) {
  if (const std::string error = writer_.flush(); !error.empty()) throw LedgerError(error);
  try {
    Database database = open_for_writing(options_.path, options_.busy_ms);
    const auto result = work(database);
    wipe(database, options_.path);
    return result;
  } catch (const SqliteError& error) {
    throw LedgerError(trouble_line(options_.path, error));
  }
}

std::optional<Reply> SqliteLedger::find(const std::string& key) {
  if (!options_.read) return std::nullopt;
  const auto bytes = key_bytes(key);
  if (!bytes) return std::nullopt;
  auto found = reading([&](ReaderPool::Reader& reader) { return reader.answers.find(*bytes); });
  if (!found) return std::nullopt;
  if (!found->reply) {
    const std::lock_guard lock(mutex_);
    unreadable_.insert(*bytes);
    return std::nullopt;
  }
  if (found->reply->status == Status::kTransport) return std::nullopt;
  writer_.link(found->id);
  return std::move(found->reply);
}

void SqliteLedger::append(Recorded record, std::function<void(std::string error)> durable) {
  auto bytes = key_bytes(record.key);
  if (std::string why = refusal(record, bytes.has_value()); !why.empty()) {
    durable(std::move(why));
    return;
  }
  bool replace = !options_.read;
  {
    const std::lock_guard lock(mutex_);
    if (!unreadable_.empty() && unreadable_.erase(*bytes) > 0) replace = true;
  }
  writer_.append(std::move(*bytes), std::move(record), replace, std::move(durable));
}

void SqliteLedger::begin_run(const RunInfo& run) {
  if (const std::string error = writer_.begin_run(run); !error.empty()) throw ConfigError(error);
}

void SqliteLedger::add_result(const std::string& run, std::int64_t seq, std::string line) {
  writer_.add_result(run, seq, std::move(line));
}

std::string SqliteLedger::finish_run(const std::string& run, std::int64_t rows,
                                     const std::string& state) {
  return writer_.finish_run(run, rows, state);
}

std::vector<RunInfo> SqliteLedger::runs() {
  return reading([](ReaderPool::Reader& reader) { return list_runs(reader.database); });
}

std::optional<RunInfo> SqliteLedger::run(const std::string& id) {
  return reading([&](ReaderPool::Reader& reader) { return read_run(reader.database, id); });
}

void SqliteLedger::results(const std::string& run,
                           const std::function<void(std::string_view line)>& line) {
  reading(
      [&](ReaderPool::Reader& reader) { return each_result(reader.database, run, line), true; });
}

void SqliteLedger::answers(const std::string& run,
                           const std::function<void(const Recorded& record)>& record) {
  reading(
      [&](ReaderPool::Reader& reader) { return each_answer(reader.database, run, record), true; });
}

bool SqliteLedger::delete_run(const std::string& id) {
  return erasing([&](Database& database) { return erase_run(database, id); });
}

std::int64_t SqliteLedger::delete_unused() {
  return erasing([](Database& database) { return erase_unused(database); });
}

std::unique_ptr<Store> open_ledger(const LedgerOptions& options) {
  options.validate();
  try {
    return std::make_unique<SqliteLedger>(options);
  } catch (
      const SqliteError& error) {  // a table that is missing or damaged shows when it is prepared
    throw ConfigError(trouble_line(options.path, error));
  }
}

}  // namespace assay
