// Durability, tested by breaking things: killed processes, a full disk, a second process, erased
// bytes. The power cut is in power_cut_test.cc.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <thread>

#include "assay/error.h"
#include "support.h"

namespace assay::test {
namespace {

LedgerOptions at(const std::string& path) {
  LedgerOptions options;
  options.path = path;
  return options;
}

// Runs `work` in a process of its own; its writing end of a pipe is the argument.
struct Child {
  pid_t pid = 0;
  int from = 0;

  template <class Work>
  explicit Child(Work work) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    pid = ::fork();
    if (pid == 0) {
      ::close(ends[0]);
      work(ends[1]);
      ::_exit(0);
    }
    ::close(ends[1]);
    from = ends[0];
  }
  ~Child() { ::close(from); }
  // What it wrote, and how it ended.
  std::vector<std::uint64_t> numbers() const {
    std::vector<std::uint64_t> numbers;
    std::uint64_t n = 0;
    while (::read(from, &n, sizeof n) == sizeof n) numbers.push_back(n);
    return numbers;
  }
  int wait() const {
    int status = 0;
    ::waitpid(pid, &status, 0);
    return status;
  }
};

void tell(int to, std::uint64_t n) {
  if (::write(to, &n, sizeof n) != sizeof n) ::_exit(9);
}

// Appends numbers from `first`, telling each that is durable, until it is killed or `count` are
// done.
void append_and_tell(const std::string& path, std::uint64_t first, std::uint64_t count, int to) {
  auto store = open_ledger(at(path));
  for (std::uint64_t n = first; n < first + count; ++n) {
    store->append(record(n, std::to_string(n) + std::string(2000, 'x')),
                  [to, n](std::string error) {
                    if (error.empty()) tell(to, n);
                  });
    if (n % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
}

TEST(Durability, WhatWasCalledDurableOutlivesAKill) {
  const TempFolder folder;
  const std::string path = folder.file("ledger.db");
  std::mt19937_64 random(3);
  std::set<std::uint64_t> durable;
  for (std::uint64_t round = 0; round < 30; ++round) {
    const Child child([&](int to) { append_and_tell(path, round * 1000000, 1000000, to); });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 60000));
    ::kill(child.pid, SIGKILL);
    for (const std::uint64_t n : child.numbers()) durable.insert(n);
    EXPECT_TRUE(WIFSIGNALED(child.wait()));
  }
  auto store = open_ledger(at(path));
  for (const std::uint64_t n : durable) {
    EXPECT_EQ(text_at(*store, n).substr(0, 20),
              (std::to_string(n) + std::string(20, 'x')).substr(0, 20));
  }
  EXPECT_GT(durable.size(), 100u);
}

TEST(Durability, TwoProcessesWriteOneLedger) {
  const TempFolder folder;
  const std::string path = folder.file("ledger.db");  // made by both at once
  const Child one([&](int to) { append_and_tell(path, 0, 400, to); });
  const Child two(
      [&](int to) { append_and_tell(path, 200, 400, to); });  // half of it the same keys
  EXPECT_EQ(one.numbers().size(), 400u);
  EXPECT_EQ(two.numbers().size(), 400u);
  EXPECT_EQ(one.wait(), 0);
  EXPECT_EQ(two.wait(), 0);
  auto store = open_ledger(at(path));
  for (std::uint64_t n = 0; n < 600; ++n) EXPECT_NE(text_at(*store, n), "(none)") << n;
}

TEST(Durability, TwoOpenLedgersSeeEachOther) {
  const TempFolder folder;
  auto one = open_ledger(at(folder.file("ledger.db")));
  auto two = open_ledger(at(folder.file("ledger.db")));
  ASSERT_EQ(put(*one, record(1, "by one")), "");
  EXPECT_EQ(text_at(*two, 1), "by one");
  ASSERT_EQ(put(*two, record(1, "by two")), "");
  EXPECT_EQ(text_at(*one, 1), "by one");
}

// In a child: the limit on file sizes stands for the full disk, and raising it for freeing space.
void fill_and_free(const std::string& path, int to) {
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  LedgerOptions options = at(path);
  options.retry_ms = 100000;
  auto store = open_ledger(options);
  store->begin_run(run_named("a"));
  const rlimit small{256 * 1024, limit.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::uint64_t n = 0;
  std::string error;
  while (error.empty() && n < 1000) error = put(*store, record(n++, std::string(4000, 'x')));
  tell(to, n - 1);  // so many are durable
  store->add_result("a", 0, "written while the disk was full");
  tell(to, error.find("full") != std::string::npos && error.find(path) == 0);
  tell(to, put(*store, record(5000)) == error);  // at once, with the same message
  tell(to, text_at(*store, 0) == std::string(4000, 'x'));
  tell(to, store->finish_run("a", 1, "done").empty() ? 0 : 1);  // tries the disk: still full
  ::setrlimit(RLIMIT_FSIZE, &limit);
  tell(to, store->finish_run("a", 1, "done").empty());
  tell(to, put(*store, record(5000)).empty());
}

TEST(Durability, AFullDiskFailsRecordsAndLosesNone) {
  const TempFolder folder;
  const std::string path = folder.file("ledger.db");
  const Child child([&](int to) { fill_and_free(path, to); });
  const auto told = child.numbers();
  EXPECT_EQ(child.wait(), 0);
  ASSERT_EQ(told.size(), 7u);
  EXPECT_GT(told[0], 5u);
  EXPECT_LT(told[0], 999u);
  for (std::size_t i = 1; i < told.size(); ++i) EXPECT_EQ(told[i], 1u) << i;
  auto store = open_ledger(at(path));
  for (std::uint64_t n = 0; n < told[0]; ++n) EXPECT_NE(text_at(*store, n), "(none)") << n;
  EXPECT_NE(text_at(*store, 5000), "(none)");
  std::string lines;
  store->results("a", [&](std::string_view line) { lines += line; });
  EXPECT_EQ(lines, "written while the disk was full");
}

TEST(Durability, AClosingLedgerWritesWhatWaits) {
  const TempFolder folder;
  std::atomic<int> called = 0;
  {
    auto store = open_ledger(at(folder.file("ledger.db")));
    store->begin_run(run_named("a"));
    for (int n = 0; n < 500; ++n) {
      store->append(record(n), [&](std::string error) { called += error.empty(); });
    }
    store->add_result("a", 0, "a line");
  }
  EXPECT_EQ(called, 500);
  auto store = open_ledger(at(folder.file("ledger.db")));
  EXPECT_EQ(store->run("a")->answers, 500);
  EXPECT_EQ(store->run("a")->results, 1);
  EXPECT_EQ(store->run("a")->state, "running");  // it was never finished
}

TEST(Durability, AShortQueueBlocksAndLosesNothing) {
  const TempFolder folder;
  LedgerOptions options = at(folder.file("ledger.db"));
  options.queue = 2;
  options.gather_ms = 0;
  auto store = open_ledger(options);
  std::atomic<int> called = 0;
  for (int n = 0; n < 50; ++n) {
    store->append(record(n), [&](std::string error) { called += error.empty(); });
  }
  ASSERT_EQ(put(*store, record(99)), "");
  EXPECT_EQ(called, 50);
}

bool in_files(const TempFolder& folder, const std::string& text) {
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    if (bytes_of(entry.path().string()).find(text) != std::string::npos) return true;
  }
  return false;
}

// Sizes that split pages, and answers that replace others: both leave copies behind in a plain
// file.
TEST(Durability, DeletedTextIsNotInTheBytes) {
  const TempFolder folder;
  auto store = open_ledger(at(folder.file("ledger.db")));
  store->begin_run(run_named("keep"));
  ASSERT_EQ(put(*store, record(0, "KEPTWORD")), "");
  EXPECT_EQ(store->finish_run("keep", 1, "done"), "");
  store->begin_run(run_named("a"));
  for (int n = 1; n < 300; ++n) {
    Recorded recorded = record(n, "SECRETREPLY" + std::string(n % 97, 'x'));
    recorded.question = "SECRETQUESTION" + std::string(20 * (n % 211), 'y');
    if (n % 3 == 0) {
      recorded.reply.status = Status::kTransport;
      recorded.reply.problem = "SECRETPROBLEM";
      store->append(recorded, [](std::string) {});
      recorded.reply.status = Status::kOk;
      recorded.reply.problem.clear();
    }
    store->append(recorded, [](std::string) {});
    store->add_result("a", n, "SECRETLINE" + std::string(n, 'z'));
  }
  EXPECT_EQ(store->finish_run("a", 1, "done"), "");
  const char* secrets[] = {"SECRETREPLY", "SECRETQUESTION", "SECRETLINE"};
  for (const char* secret : secrets) EXPECT_TRUE(in_files(folder, secret)) << secret;

  EXPECT_TRUE(store->delete_run("a"));
  for (const char* secret : secrets) EXPECT_FALSE(in_files(folder, secret)) << secret;
  EXPECT_FALSE(in_files(folder, "SECRETPROBLEM"));
  EXPECT_TRUE(in_files(folder, "KEPTWORD"));
  EXPECT_EQ(text_at(*store, 0), "KEPTWORD");
  ASSERT_EQ(put(*store, record(1000)), "");  // and the open store goes on
}

TEST(Durability, DeleteSaysWhenAnotherReaderHoldsTheBytes) {
  const TempFolder folder;
  LedgerOptions options = at(folder.file("ledger.db"));
  options.busy_ms = 50;
  auto store = open_ledger(options);
  auto other = open_ledger(options);
  for (const char* id : {"a", "b"}) {
    store->begin_run(run_named(id));
    store->add_result(id, 0, std::string("SECRET") + id);
    EXPECT_EQ(store->finish_run(id, 1, "done"), "");
  }
  other->results("b", [&](std::string_view) { EXPECT_THROW(store->delete_run("a"), LedgerError); });
  EXPECT_FALSE(store->run("a"));
  EXPECT_EQ(store->delete_unused(), 0);
  EXPECT_FALSE(in_files(folder, "SECRETa"));
}

}  // namespace
}  // namespace assay::test
