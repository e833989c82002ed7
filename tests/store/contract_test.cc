// What every Store must do; run on the SQLite file and on the one in memory.
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <thread>

#include "assay/error.h"
#include "support.h"

namespace assay::test {
namespace {

struct Kind {
  const char* name;
  bool file;
};

class StoreContract : public testing::TestWithParam<Kind> {
 protected:
  std::unique_ptr<Store> open(bool read = true) {
    if (!GetParam().file) return memory_ledger(read);
    LedgerOptions options;
    options.path = folder_.file("ledger.db");
    options.read = read;
    return open_ledger(options);
  }
  static std::vector<std::string> lines(Store& store, const std::string& run) {
    std::vector<std::string> lines;
    store.results(run, [&](std::string_view line) { lines.emplace_back(line); });
    return lines;
  }
  static std::vector<std::string> texts(Store& store, const std::string& run) {
    std::vector<std::string> texts;
    store.answers(run, [&](const Recorded& recorded) { texts.push_back(recorded.reply.text); });
    return texts;
  }
  TempFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Stores, StoreContract,
                         testing::Values(Kind{"sqlite", true}, Kind{"memory", false}),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(StoreContract, ReturnsEveryPartOfAnAnswer) {
  auto store = open();
  Recorded recorded = record(1, std::string("a\0b\nü", 6));
  recorded.reply.status = Status::kUnparsable;
  recorded.reply.probs = {{"yes", 0.1 + 0.2}, {"no", 1e-300}, {"ü\"", 0}};
  recorded.reply.notes = {{"u1", "why"}, {"u1", ""}, {"u2", "\"quoted\"\n"}};
  recorded.reply.problem = "no JSON";
  recorded.reply.usage = {1, 2, 3, 4, 0.1 + 0.7, 1.0 / 3};
  ASSERT_EQ(put(*store, recorded), "");
  const auto reply = store->find(key(1));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, recorded.reply.status);
  EXPECT_EQ(reply->text, recorded.reply.text);
  EXPECT_EQ(reply->probs, recorded.reply.probs);
  EXPECT_EQ(reply->notes, recorded.reply.notes);
  EXPECT_EQ(reply->problem, recorded.reply.problem);
  EXPECT_EQ(reply->usage, recorded.reply.usage);
}

TEST_P(StoreContract, FindsNothingItWasNotGiven) {
  auto store = open();
  ASSERT_EQ(put(*store, record(1)), "");
  EXPECT_EQ(text_at(*store, 2), "(none)");
  for (const char* bad : {"", "abc", "zz", "AB", "ab "}) EXPECT_FALSE(store->find(bad)) << bad;
}

TEST_P(StoreContract, KeepsAndReplacesByStatus) {
  constexpr auto ok = Status::kOk, refused = Status::kRefused, lost = Status::kTransport;
  struct Case {
    const char* name;
    bool read;
    Status first, second;
    const char* then;  // found afterwards by a store that reads
  };
  const Case cases[] = {
      {"the first answer stays", true, ok, ok, "first"},
      {"a refusal is an answer", true, refused, ok, "first"},
      {"a failed call is asked again", true, lost, ok, "second"},
      {"a failed call is no answer", true, lost, lost, "(none)"},
      {"a failed call does not replace an answer", true, ok, lost, "first"},
      {"--no-cache replaces", false, ok, ok, "second"},
      {"--no-cache keeps what was paid for", false, ok, lost, "first"},
  };
  std::uint64_t n = 0;
  for (const Case& c : cases) {
    ++n;
    auto store = open(c.read);
    ASSERT_EQ(put(*store, record(n, "first", c.first)), "") << c.name;
    ASSERT_EQ(put(*store, record(n, "second", c.second)), "") << c.name;
    if (!c.read) {
      EXPECT_EQ(text_at(*store, n), "(none)") << c.name;
      if (!GetParam().file) continue;  // what is in memory cannot be opened a second time
      store = open(true);
    }
    EXPECT_EQ(text_at(*store, n), c.then) << c.name;
  }
}

TEST_P(StoreContract, RefusesWhatWouldNotComeBack) {
  auto store = open();
  Recorded bad_key = record(1);
  bad_key.key = "not hex";
  EXPECT_NE(put(*store, bad_key).find("no content key"), std::string::npos);
  Recorded nan = record(2);
  nan.reply.probs = {{"yes", std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_NE(put(*store, nan).find("not a number"), std::string::npos);
  Recorded endless = record(3);
  endless.reply.usage.usd = std::numeric_limits<double>::infinity();
  EXPECT_NE(put(*store, endless).find("not a number"), std::string::npos);
}

TEST_P(StoreContract, CallsBackOnceForEveryRecordFromManyThreads) {
  auto store = open();
  constexpr int kThreads = 4, kEach = 200;
  std::vector<std::atomic<int>> called(kThreads * kEach);
  std::atomic<int> missing = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < kEach; ++i) {
          const int n = t * kEach + i;
          store->append(record(n, std::to_string(n)), [&, n](std::string error) {
            if (error.empty()) ++called[n];
            if (text_at(*store, n) != std::to_string(n)) ++missing;  // used only when it is there
          });
        }
      });
    }
  }
  store->begin_run(run_named("wait"));
  EXPECT_EQ(store->finish_run("wait", 0, "done"), "");
  for (int n = 0; n < kThreads * kEach; ++n) EXPECT_EQ(called[n], 1) << n;
  EXPECT_EQ(missing, 0);
}

TEST_P(StoreContract, ACallbackMayAppend) {
  auto store = open();
  std::promise<std::string> inner;
  store->append(record(1), [&](std::string) {
    store->append(record(2), [&](std::string error) { inner.set_value(std::move(error)); });
  });
  EXPECT_EQ(inner.get_future().get(), "");
  EXPECT_EQ(text_at(*store, 2), "yes");
}

TEST_P(StoreContract, KeepsARunWithItsLinesInOrder) {
  auto store = open();
  store->begin_run(run_named("a"));
  ASSERT_TRUE(store->run("a"));
  EXPECT_EQ(store->run("a")->state, "running");
  for (const int seq : {2, 0, 1, 0}) {
    store->add_result("a", seq, "line " + std::to_string(seq));
  }
  store->add_result("never begun", 0, "text that nobody could erase");
  EXPECT_EQ(store->finish_run("a", 7, "done"), "");
  EXPECT_EQ(lines(*store, "a"), (std::vector<std::string>{"line 0", "line 1", "line 2"}));
  EXPECT_TRUE(lines(*store, "never begun").empty());
  RunInfo expected = run_named("a");
  expected.rows = 7;
  expected.state = "done";
  expected.results = 3;
  EXPECT_EQ(store->run("a"), expected);
  EXPECT_FALSE(store->run("b"));
}

TEST_P(StoreContract, ARunBegunAgainKeepsItsTimeAndOldLines) {
  auto store = open();
  store->begin_run(run_named("a", 100));
  store->add_result("a", 0, "old 0");
  store->add_result("a", 1, "old 1");
  EXPECT_EQ(store->finish_run("a", 2, "stopped"), "");
  store->begin_run(run_named("a", 200));
  EXPECT_EQ(store->run("a")->state, "running");
  store->add_result("a", 0, "new 0");
  EXPECT_EQ(store->finish_run("a", 2, "done"), "");
  EXPECT_EQ(lines(*store, "a"), (std::vector<std::string>{"new 0", "old 1"}));
  EXPECT_EQ(store->run("a")->created, 100);
}

TEST_P(StoreContract, ListsRunsOldestFirst) {
  auto store = open();
  store->begin_run(run_named("c", 1));
  store->begin_run(run_named("b", 2));
  store->begin_run(run_named("a", 2));
  std::string order;
  for (const RunInfo& run : store->runs()) order += run.id;
  EXPECT_EQ(order, "cab");
}

TEST_P(StoreContract, LinksARunToWhatItFoundAndAppended) {
  auto store = open();
  ASSERT_EQ(put(*store, record(1, "before")), "");
  ASSERT_EQ(put(*store, record(2, "unused")), "");
  store->begin_run(run_named("a"));
  ASSERT_EQ(put(*store, record(3, "asked")), "");
  EXPECT_EQ(text_at(*store, 1), "before");
  EXPECT_EQ(text_at(*store, 1), "before");
  EXPECT_EQ(store->finish_run("a", 1, "done"), "");
  EXPECT_EQ(text_at(*store, 2), "unused");
  EXPECT_EQ(texts(*store, "a"), (std::vector<std::string>{"before", "asked"}));
  EXPECT_EQ(store->run("a")->answers, 2);
  store->answers("a", [](const Recorded& recorded) {
    EXPECT_EQ(recorded.judge, "fake judge");
    EXPECT_EQ(recorded.stage, "verdicts");
    EXPECT_EQ(recorded.question.substr(0, 5), R"({"n":)");
    EXPECT_EQ(recorded.key.size(), 64u);
  });
}

TEST_P(StoreContract, DeletesARunAndOnlyWhatIsItsOwn) {
  auto store = open();
  store->begin_run(run_named("a"));
  ASSERT_EQ(put(*store, record(1, "of a")), "");
  ASSERT_EQ(put(*store, record(2, "of both")), "");
  store->add_result("a", 0, "line of a");
  EXPECT_EQ(store->finish_run("a", 1, "done"), "");
  store->begin_run(run_named("b"));
  EXPECT_EQ(text_at(*store, 2), "of both");
  store->add_result("b", 0, "line of b");
  EXPECT_EQ(store->finish_run("b", 1, "done"), "");

  EXPECT_TRUE(store->delete_run("a"));
  EXPECT_FALSE(store->delete_run("a"));
  EXPECT_EQ(text_at(*store, 1), "(none)");
  EXPECT_EQ(text_at(*store, 2), "of both");
  EXPECT_TRUE(lines(*store, "a").empty());
  EXPECT_EQ(lines(*store, "b"), (std::vector<std::string>{"line of b"}));
  ASSERT_EQ(put(*store, record(1, "asked again")), "");
  EXPECT_EQ(text_at(*store, 1), "asked again");
}

TEST_P(StoreContract, DeletesAnswersOfNoRun) {
  auto store = open();
  ASSERT_EQ(put(*store, record(1)), "");
  store->begin_run(run_named("a"));
  ASSERT_EQ(put(*store, record(2)), "");
  EXPECT_EQ(store->finish_run("a", 1, "done"), "");
  EXPECT_EQ(store->delete_unused(), 1);
  EXPECT_EQ(store->delete_unused(), 0);
  EXPECT_EQ(text_at(*store, 1), "(none)");
  EXPECT_EQ(text_at(*store, 2), "yes");
}

TEST_P(StoreContract, ACallbackOfResultsMayLookThingsUp) {
  auto store = open();
  ASSERT_EQ(put(*store, record(1)), "");
  store->begin_run(run_named("a"));
  store->add_result("a", 0, "line");
  EXPECT_EQ(store->finish_run("a", 1, "done"), "");
  store->results("a", [&](std::string_view) { EXPECT_EQ(text_at(*store, 1), "yes"); });
}

}  // namespace
}  // namespace assay::test
