// Group commit; the policy is in writer.h. Tested in tests/store/durability_test.cc (kill, power
// cut, full disk) and measured by bench/ledger.cc.
#include "store/writer.h"

#include <future>
#include <iterator>
#include <utility>

#include "store/open.h"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kFullBatch = 1024;  // worth a commit without waiting for more
constexpr std::size_t kLineLot = 256;     // lines and links that are worth one of their own
constexpr std::size_t kLinkLot = 16384;
// Log pages after which it is folded into the file: 16 MB. Fewer would write the pages of the key
// index, which every record touches in another place, more often; more would make the log slow to
// search.
constexpr int kLogPages = 4000;

constexpr std::string_view kBegin =
    "INSERT INTO runs (id, created, command, rows, method, judge, options, state)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'running') ON CONFLICT (id) DO UPDATE SET"
    " command = ?3, rows = ?4, method = ?5, judge = ?6, options = ?7, state = 'running'";
// A line of a run that was deleted meanwhile must not be written: nobody could erase it. One that
// is there already is left alone: a run that goes on, or again, would otherwise write all of it
// twice.
constexpr std::string_view kLine =
    "INSERT INTO run_results (run, seq, line) SELECT run, ?2, ?3 FROM runs WHERE id = ?1"
    " ON CONFLICT (run, seq) DO UPDATE SET line = excluded.line WHERE line <> excluded.line";

}  // namespace

Writer::Writer(Database database, const LedgerOptions& options)
    : database_(std::move(database)),
      answers_(database_),
      begin_run_(database_, kBegin),
      number_of_run_(database_, "SELECT run FROM runs WHERE id = ?1"),
      finish_run_(database_, "UPDATE runs SET rows = ?2, state = ?3 WHERE id = ?1"),
      insert_link_(database_, "INSERT OR IGNORE INTO run_answers (run, answer) VALUES (?1, ?2)"),
      insert_line_(database_, kLine),
      options_(options),
      thread_([this] { loop(); }) {}

Writer::~Writer() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_.notify_one();
  thread_.join();
}

void Writer::append(std::string key, Recorded record, bool replace, Done durable) {
  std::unique_lock lock(mutex_);
  // The writing thread itself may append, from a callback; to wait there would be to wait for
  // itself.
  if (std::this_thread::get_id() != thread_.get_id()) {
    space_.wait(lock, [&] { return queue_.appends.size() < options_.queue; });
  }
  queue_.appends.push_back({std::move(key), std::move(record), replace, std::move(durable)});
  const std::size_t waiting = queue_.appends.size();
  lock.unlock();
  if (waiting == 1 || waiting == kFullBatch) work_.notify_one();
}

void Writer::add_result(std::string run, std::int64_t seq, std::string line) {
  std::unique_lock lock(mutex_);
  queue_.lines.push_back({std::move(run), seq, std::move(line)});
  const bool wake = queue_.lines.size() == kLineLot;
  lock.unlock();
  if (wake) work_.notify_one();
}

void Writer::link(std::int64_t answer) {
  std::unique_lock lock(mutex_);
  if (!linking_) return;
  queue_.links.push_back(answer);
  const bool wake = queue_.links.size() == kLinkLot;
  lock.unlock();
  if (wake) work_.notify_one();
}

std::string Writer::begin_run(const RunInfo& run) { return change(Change::kBegin, run); }

std::string Writer::finish_run(const std::string& id, std::int64_t rows, const std::string& state) {
  RunInfo run;
  run.id = id;
  run.rows = rows;
  run.state = state;
  return change(Change::kFinish, run);
}

std::string Writer::flush() { return change(Change::kFlush, {}); }

std::string Writer::change(Change change, const RunInfo& run) {
  // Shared, because set_value may still be at work in the promise when the answer is already read
  // here.
  const auto promise = std::make_shared<std::promise<std::string>>();
  auto answer = promise->get_future();
  {
    const std::lock_guard lock(mutex_);
    queue_.changes.push_back(
        {change, run, [promise](std::string error) { promise->set_value(std::move(error)); }});
  }
  work_.notify_one();
  return answer.get();
}

void Writer::loop() {
  Batch batch;
  while (take(batch)) {
    commit(batch);
    batch = {};
    tidy_log();
  }
}

bool Writer::due() const {
  if (stop_ || !queue_.appends.empty() || !queue_.changes.empty()) return true;
  // What could not be written waits for a record or the end of the run, and not in a circle.
  return !failing_ && (queue_.lines.size() >= kLineLot || queue_.links.size() >= kLinkLot);
}

// Waits for work, then for company. False: everything is written and there will be no more.
bool Writer::take(Batch& batch) {
  std::unique_lock lock(mutex_);
  work_.wait(lock, [&] { return due(); });
  const auto soonest = last_begin_ + std::chrono::milliseconds(options_.gather_ms);
  work_.wait_until(lock, soonest, [&] {
    return stop_ || !queue_.changes.empty() || queue_.appends.size() >= kFullBatch;
  });
  last_begin_ = Clock::now();
  if (stop_ && queue_.empty()) return false;
  std::swap(batch, queue_);
  lock.unlock();
  space_.notify_all();
  return true;
}

void Writer::commit(Batch& batch) {
  std::string error;
  if (!last_error_.empty() && batch.changes.empty() && Clock::now() < retry_at_) {
    error = last_error_;
  } else {
    error = write(batch);
    last_error_ = error;
    retry_at_ = Clock::now() + std::chrono::milliseconds(options_.retry_ms);
  }
  if (!error.empty()) keep_for_later(batch);
  for (Append& append : batch.appends) append.durable(error);
  for (RunChange& change : batch.changes) change.done(error);
}

std::string Writer::write(const Batch& batch) {
  open_now_ = open_;
  try {
    Transaction transaction(database_);
    write_rows(batch);
    transaction.commit();
  } catch (const SqliteError& error) {
    return trouble_line(options_.path, error);
  } catch (const std::exception& error) {  // out of memory: as a failed write, not as the end
    return options_.path + ": the ledger failed (" + error.what() + ")";
  }
  open_ = open_now_;
  const std::lock_guard lock(mutex_);
  linking_ = !open_.empty();
  failing_ = false;
  return {};
}

// Runs are begun before, and finished after, what was queued with them.
void Writer::write_rows(const Batch& batch) {
  for (const RunChange& change : batch.changes) {
    if (change.change == Change::kBegin) begin(change.run);
  }
  for (const Append& append : batch.appends) {
    link_to_open_runs(answers_.store(append.key, append.record, append.replace));
  }
  for (const std::int64_t answer : batch.links) link_to_open_runs(answer);
  for (const Line& line : batch.lines) {
    insert_line_.bind(1, line.run).bind(2, line.seq).bind(3, line.text).run();
  }
  for (const RunChange& change : batch.changes) {
    if (change.change == Change::kFinish) finish(change.run);
  }
}

void Writer::link_to_open_runs(std::int64_t answer) {
  for (const OpenRun& run : open_now_) insert_link_.bind(1, run.number).bind(2, answer).run();
}

void Writer::begin(const RunInfo& run) {
  begin_run_.bind(1, run.id)
      .bind(2, run.created)
      .bind(3, run.command)
      .bind(4, run.rows)
      .bind(5, run.method)
      .bind(6, run.judge)
      .bind(7, run.options)
      .run();
  const ResetOnExit guard(number_of_run_);
  number_of_run_.bind(1, run.id).step();
  std::erase_if(open_now_, [&](const OpenRun& open) { return open.id == run.id; });
  open_now_.push_back({run.id, number_of_run_.integer(0)});
}

void Writer::finish(const RunInfo& run) {
  finish_run_.bind(1, run.id).bind(2, run.rows).bind(3, run.state).run();
  std::erase_if(open_now_, [&](const OpenRun& open) { return open.id == run.id; });
}

// Before what has come in meanwhile, so that of two lines for one place the later one still wins.
void Writer::keep_for_later(Batch& batch) {
  const std::lock_guard lock(mutex_);
  failing_ = true;
  batch.lines.insert(batch.lines.end(), std::make_move_iterator(queue_.lines.begin()),
                     std::make_move_iterator(queue_.lines.end()));
  queue_.lines = std::move(batch.lines);
  batch.links.insert(batch.links.end(), queue_.links.begin(), queue_.links.end());
  queue_.links = std::move(batch.links);
  // At the end they have had their last try; without this the thread would never stop.
  if (stop_) {
    queue_.lines.clear();
    queue_.links.clear();
  }
}

// After the callbacks, so that no record waits for it. That it fails is no loss: everything is in
// the log, and if the disk is the reason the next commit says so.
void Writer::tidy_log() {
  if (database_.wal_pages() < kLogPages) return;
  try {
    database_.checkpoint();
  } catch (const SqliteError&) {
  }
}

}  // namespace assay
