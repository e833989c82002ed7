// The engine's contract: order, joining, ledger, repairs, limits. Works are small scripts; the
// judge answers from the question, in shuffled order.

#include <gtest/gtest.h>

#include <map>

#include "assay/engine.h"
#include "fake_judge.h"

namespace assay {
namespace {

// A ledger in memory that counts and may fail.
class TestLedger : public Ledger {
 public:
  std::optional<Reply> find(const std::string& key) override {
    const auto found = records.find(key);
    if (found == records.end() || found->second.reply.status == Status::kTransport)
      return std::nullopt;
    return found->second.reply;
  }
  void append(Recorded record, std::function<void(std::string)> durable) override {
    if (full) return durable("the disk is full");
    records.insert_or_assign(record.key, record);
    durable("");
  }
  std::map<std::string, Recorded> records;
  bool full = false;
};

// Asks `rounds` rounds of yes/no questions named after it and joins what it heard.
class Script : public Work {
 public:
  Script(std::string name, int rounds, int questions, Judge& judge)
      : name_(std::move(name)), rounds_(rounds), questions_(questions), judge_(judge) {}
  std::optional<Ask> step(const Transcript& transcript) override {
    heard.clear();
    for (const Round& round : transcript) {
      for (const Verdict& verdict : round) {
        heard += verdict.status == Status::kOk ? (*verdict.value.as<bool>() ? "y" : "n") : "?";
        problem = verdict.problem;
      }
    }
    if (static_cast<int>(transcript.size()) == rounds_) return std::nullopt;
    Ask ask;
    for (int q = 0; q < questions_; ++q) {
      Question question;
      question.shared = {{Role::kUser, "about " + name_}};
      question.tail =
          " round " + std::to_string(transcript.size()) + " question " + std::to_string(q);
      question.answer = YesNo{};
      question.stage = "ask";
      ask.questions.push_back(question);
    }
    return ask;
  }
  Judge& judge(const std::string&) override { return judge_; }
  int repeat() const override { return repeats; }

  std::string heard;
  std::string problem;
  int repeats = 0;

 private:
  std::string name_;
  int rounds_;
  int questions_;
  Judge& judge_;
};

struct Ran {
  RunTotals totals;
  std::vector<std::string> heard;
  std::vector<std::string> problems;
};

Ran run(EngineOptions options, Ledger* ledger, std::vector<std::unique_ptr<Script>> works) {
  options.repair = "wrong: {{problem}}; give {{shape}}";
  Engine engine(options, ledger);
  std::size_t at = 0;
  Ran ran;
  ran.totals = engine.run(
      [&]() -> std::unique_ptr<Work> {
        return at < works.size() ? std::move(works[at++]) : nullptr;
      },
      [&](std::unique_ptr<Work> work) {
        ran.heard.push_back(static_cast<Script&>(*work).heard);
        ran.problems.push_back(static_cast<Script&>(*work).problem);
      });
  return ran;
}

std::vector<std::unique_ptr<Script>> scripts(int n, int rounds, int questions, Judge& judge) {
  std::vector<std::unique_ptr<Script>> works;
  for (int i = 0; i < n; ++i)
    works.push_back(std::make_unique<Script>("w" + std::to_string(i), rounds, questions, judge));
  return works;
}

// yes where the last digit of the prompt is even, and the work's number is not 3
Reply by_text(const Request& request) {
  const std::string& text = request.messages.back().text;
  return says((text.back() - '0') % 2 == 0 && text.find("w3 ") == std::string::npos ? "yes" : "no");
}

TEST(Engine, ResultsComeInTheOrderOfTheSourceWhateverTheArrival) {
  std::vector<std::string> first;
  for (const int jobs : {1, 3, 64}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      FakeJudge judge(by_text, false, seed);
      TestLedger ledger;
      EngineOptions options;
      options.in_flight = jobs;
      const Ran ran = run(options, &ledger, scripts(40, 3, 4, judge));
      if (first.empty()) first = ran.heard;
      EXPECT_EQ(ran.heard, first);
      EXPECT_EQ(judge.asked(), 40 * 3 * 4);
      EXPECT_LE(judge.most_in_flight(), static_cast<std::size_t>(jobs));
    }
  }
  EXPECT_EQ(first[0], "ynynynynynyn");
  EXPECT_EQ(first[3], "nnnnnnnnnnnn");
}

TEST(Engine, EqualQuestionsAreAskedOnce) {
  FakeJudge judge(by_text);
  TestLedger ledger;
  std::vector<std::unique_ptr<Script>> works;
  for (int i = 0; i < 10; ++i) works.push_back(std::make_unique<Script>("same", 2, 2, judge));
  const Ran ran = run({}, &ledger, std::move(works));
  EXPECT_EQ(judge.asked(), 4);
  EXPECT_EQ(ran.totals.asked, 4);
  EXPECT_EQ(ran.totals.joined + ran.totals.cached, 36);
  EXPECT_EQ(ran.heard, std::vector<std::string>(10, "ynyn"));
  // A second run finds everything in the ledger.
  const Ran again = run({}, &ledger, scripts(0, 0, 0, judge));
  EXPECT_EQ(again.totals.asked, 0);
  std::vector<std::unique_ptr<Script>> more;
  more.push_back(std::make_unique<Script>("same", 2, 2, judge));
  EXPECT_EQ(run({}, &ledger, std::move(more)).totals.cached, 4);
  EXPECT_EQ(judge.asked(), 4);
}

TEST(Engine, RepeatsAreSeparateDraws) {
  FakeJudge judge(by_text);
  TestLedger ledger;
  std::vector<std::unique_ptr<Script>> works;
  for (int i = 0; i < 3; ++i) {
    works.push_back(std::make_unique<Script>("same", 1, 1, judge));
    works.back()->repeats = i;
  }
  run({}, &ledger, std::move(works));
  EXPECT_EQ(judge.asked(), 3);
}

TEST(Engine, AnUnreadableAnswerIsRepairedTwiceAndThenGivenUp) {
  for (const int good_attempt : {0, 1, 2, 3}) {
    FakeJudge judge([&](const Request& request) {
      return says(request.attempt >= good_attempt ? "yes" : "hm");
    });
    TestLedger ledger;
    const Ran ran = run({}, &ledger, scripts(1, 1, 1, judge));
    EXPECT_EQ(judge.asked(), std::min(good_attempt, 2) + 1);
    EXPECT_EQ(ran.heard[0], good_attempt <= 2 ? "y" : "?") << good_attempt;
    // Every attempt is in the ledger: the same run again asks nothing.
    const Ran again = run({}, &ledger, scripts(1, 1, 1, judge));
    EXPECT_EQ(again.totals.asked, 0);
    EXPECT_EQ(again.heard, ran.heard);
  }
}

TEST(Engine, ARepairQuotesTheReplyAndSaysWhatIsWrong) {
  std::vector<Message> seen;
  FakeJudge judge([&](const Request& request) {
    seen = request.messages;
    return says(request.attempt == 1 ? "yes" : "perhaps");
  });
  TestLedger ledger;
  run({}, &ledger, scripts(1, 1, 1, judge));
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[1], (Message{Role::kAssistant, "perhaps"}));
  EXPECT_NE(seen[2].text.find("not just \"yes\" or \"no\""), std::string::npos) << seen[2].text;
}

TEST(Engine, FailuresAreVerdictsAndTransportIsAskedAgain) {
  bool down = true;
  FakeJudge judge([&](const Request& request) {
    if (!down || request.messages.back().text.find("w1 ") == std::string::npos) return says("yes");
    Reply reply;
    reply.status = Status::kTransport;
    reply.problem = "HTTP 503";
    return reply;
  });
  TestLedger ledger;
  const Ran ran = run({}, &ledger, scripts(3, 1, 1, judge));
  EXPECT_EQ(ran.heard, (std::vector<std::string>{"y", "?", "y"}));
  EXPECT_EQ(ran.problems[1], "HTTP 503");
  down = false;
  const Ran again = run({}, &ledger, scripts(3, 1, 1, judge));
  EXPECT_EQ(again.totals.asked, 1);
  EXPECT_EQ(again.heard[1], "y");
}

TEST(Engine, AJudgeThatNeverAnswersIsGivenUpOn) {
  FakeJudge judge([](const Request&) {
    Reply reply;
    reply.status = Status::kTransport;
    reply.problem = "connection refused";
    return reply;
  });
  TestLedger ledger;
  EngineOptions options;
  options.in_flight = 2;
  const Ran ran = run(options, &ledger, scripts(500, 1, 1, judge));
  EXPECT_EQ(ran.heard, std::vector<std::string>(500, "?"));
  EXPECT_LT(judge.asked(), 20);
  EXPECT_NE(ran.problems.back().find("connection refused"), std::string::npos);
}

TEST(Engine, MaxCallsIsNeverCrossedAndTheRunGoesOn) {
  TestLedger ledger;
  FakeJudge judge(by_text);
  std::vector<std::string> heard;
  for (int part = 0; part < 20 && heard.size() < 10; ++part) {
    EngineOptions options;
    options.max_calls = 7;
    options.in_flight = 5;
    const int before = judge.asked();
    const Ran ran = run(options, &ledger, scripts(10, 2, 2, judge));
    EXPECT_LE(judge.asked() - before, 7);
    heard = ran.heard;
    EXPECT_EQ(ran.totals.stop, heard.size() < 10 ? StopReason::kCalls : StopReason::kNone);
  }
  EXPECT_EQ(heard.size(), 10U);
  EXPECT_EQ(judge.asked(), 40);
}

TEST(Engine, TheBudgetIsNeverCrossed) {
  TestLedger ledger;
  FakeJudge judge(by_text);  // 0.01 a call
  EngineOptions options;
  options.budget_usd = 0.095;
  options.in_flight = 4;
  options.price_bound = [](const Judge&, const Request&) { return 0.02; };
  const Ran ran = run(options, &ledger, scripts(10, 2, 2, judge));
  EXPECT_EQ(ran.totals.stop, StopReason::kBudget);
  EXPECT_LE(ran.totals.usage.usd, 0.095);
  EXPECT_GE(judge.asked(), 8);
}

TEST(Engine, AFullDiskStopsTheRunAndNothingUnsavedIsUsed) {
  TestLedger ledger;
  ledger.full = true;
  FakeJudge judge(by_text);
  const Ran ran = run({}, &ledger, scripts(5, 1, 1, judge));
  EXPECT_EQ(ran.totals.stop, StopReason::kStore);
  EXPECT_EQ(ran.totals.stop_detail, "the disk is full");
  EXPECT_TRUE(ran.heard.empty());
}

TEST(Engine, AnInterruptStopsBeforeTheNextCall) {
  TestLedger ledger;
  std::atomic<bool> interrupted{false};
  FakeJudge judge([&](const Request& request) {
    if (request.messages.back().text.find("w5 ") != std::string::npos) interrupted = true;
    return by_text(request);
  });
  EngineOptions options;
  options.in_flight = 1;
  options.interrupted = &interrupted;
  const Ran ran = run(options, &ledger, scripts(50, 1, 1, judge));
  EXPECT_EQ(ran.totals.stop, StopReason::kInterrupted);
  EXPECT_LT(judge.asked(), 50);
  EXPECT_EQ(ledger.records.size(), static_cast<std::size_t>(judge.asked()));
}

TEST(Engine, ASinkThatThrowsLeavesNothingInFlight) {
  FakeJudge judge(by_text);
  TestLedger ledger;
  auto works = scripts(20, 2, 2, judge);
  std::size_t at = 0;
  Engine engine({}, &ledger);
  EXPECT_THROW(engine.run(
                   [&]() -> std::unique_ptr<Work> {
                     return at < works.size() ? std::move(works[at++]) : nullptr;
                   },
                   [](std::unique_ptr<Work>) { throw std::runtime_error("disk full"); }),
               std::runtime_error);
}

// Whichever of a batch of answers it is: those after it must not be waited for.
TEST(Engine, AListenerThatThrowsEndsTheRunAndDoesNotHang) {
  for (const bool free : {true, false}) {
    for (int fatal = 0; fatal < 40; fatal += 7) {
      FakeJudge judge(by_text, free);
      TestLedger ledger;
      EngineOptions options;
      options.in_flight = 32;
      int heard = 0;
      options.on_answer = [&](const Judge&, const Request&, const Reply&) {
        if (heard++ == fatal) throw std::runtime_error("disk full");
      };
      EXPECT_THROW(run(options, &ledger, scripts(20, 1, 4, judge)), std::runtime_error);
    }
  }
}

TEST(Engine, AReplyThatRepeatsTheJudgedTextIsNoAnswer) {
  class Echo : public Script {
   public:
    using Script::Script;
    std::optional<Ask> step(const Transcript& transcript) override {
      auto ask = Script::step(transcript);
      if (ask)
        ask->questions[0].shared = {{Role::kUser, "<<<Text 1234abcd\nyes\nText 1234abcd>>>"}};
      return ask;
    }
  };
  FakeJudge judge([](const Request& request) { return says(request.attempt < 3 ? "yes" : "no"); });
  TestLedger ledger;
  std::vector<std::unique_ptr<Script>> works;
  works.push_back(std::make_unique<Echo>("e", 1, 1, judge));
  const Ran ran = run({}, &ledger, std::move(works));
  EXPECT_EQ(ran.heard[0], "?");
  EXPECT_EQ(judge.asked(), 3);
}

}  // namespace
}  // namespace assay
