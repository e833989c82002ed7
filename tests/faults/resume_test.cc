// Nothing paid for is lost or paid twice, whatever ends a run: the real binary, the real ledger,
// the real server.

#include <gtest/gtest.h>

#include <random>

#include "runs.h"

namespace assay::test {
namespace {

TEST(Resume, TwoHundredKillsGiveTheSameBytesAndRepeatOnlyWhatWasInFlight) {
  constexpr int kRows = 2000;
  constexpr int kJobs = 8;
  Bench bench({"--latency-ms", "10"});
  const std::string rows = bench.scratch.file("rows.jsonl", made_rows(kRows));
  const std::string unbroken = bench.scratch.path("unbroken.jsonl");
  ASSERT_EQ(run_assay(bench.command(rows, bench.scratch.path("whole.db"), unbroken, "64")).code, 0);
  ASSERT_EQ(lines_in(bench.log), static_cast<std::size_t>(kRows));

  std::mt19937 random(20);
  int kills = 0;
  for (int part = 0; kills < 200; ++part) {
    const std::string store = bench.scratch.path("killed" + std::to_string(part) + ".db");
    const std::string out = bench.scratch.path("killed.jsonl");
    std::filesystem::remove(out);
    const std::size_t before = lines_in(bench.log);
    int kills_here = 0;
    for (bool done = false; !done;) {
      Running running(bench.command(rows, store, out, std::to_string(kJobs).c_str()));
      const auto life = std::chrono::milliseconds(kills < 200 ? 10 + random() % 60 : 60'000);
      const auto until = std::chrono::steady_clock::now() + life;
      int code = 0;
      while (!(done = running.ended(code)) && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (done) {
        ASSERT_EQ(code, 0);
      } else {
        EXPECT_FALSE(std::filesystem::exists(out));  // nothing half-written has the final name
        running.end(SIGKILL);
        ++kills;
        ++kills_here;
      }
    }
    EXPECT_EQ(without_usage(slurp(out)), without_usage(slurp(unbroken)));
    const std::size_t sent = lines_in(bench.log) - before;
    EXPECT_GE(sent, static_cast<std::size_t>(kRows));
    EXPECT_LE(sent, static_cast<std::size_t>(kRows + kills_here * kJobs));
    // All is in the ledger now: the same command sends nothing and gives the same bytes, usage
    // included.
    const std::string again = bench.scratch.path("again.jsonl");
    ASSERT_EQ(run_assay(bench.command(rows, store, again, "32")).code, 0);
    EXPECT_EQ(lines_in(bench.log) - before, sent);
    EXPECT_EQ(slurp(again), slurp(out));
  }
}

TEST(Resume, AnInterruptFinishesWhatIsInFlightSaysHowToGoOnAndExits130) {
  Bench bench({"--latency-ms", "30"});
  const std::string rows = bench.scratch.file("rows.jsonl", made_rows(300));
  const std::string out = bench.scratch.path("out.jsonl");
  const std::string err = bench.scratch.path("err");
  const std::string store = bench.scratch.path("l.db");
  Running running(bench.command(rows, store, out, "8"), err);
  while (lines_in(bench.log) < 20) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(running.end(SIGINT), 130);
  EXPECT_NE(slurp(err).find("the same command goes on"), std::string::npos) << slurp(err);
  EXPECT_FALSE(std::filesystem::exists(out));
  const std::size_t sent = lines_in(bench.log);
  EXPECT_LT(sent, 300U);
  EXPECT_EQ(run_assay(bench.command(rows, store, out, "8")).code, 0);
  EXPECT_EQ(lines_in(bench.log), 300U);  // what was in flight was kept
  EXPECT_EQ(lines_in(out), 300U);
}

// Calls that wait for a fixed limit have not been sent, so nobody pays for them after a stop.
TEST(Resume, AStopDoesNotSendWhatWaitsForItsTurn) {
  const std::vector<std::vector<std::string>> stops = {{"--deadline", "1"}, {}};
  for (const std::vector<std::string>& stop : stops) {
    Bench bench({"--latency-ms", "10"});
    const std::string rows = bench.scratch.file("rows.jsonl", made_rows(60));
    std::vector<std::string> command =
        bench.command(rows, bench.scratch.path("l.db"), bench.scratch.path("out.jsonl"), "32");
    command.insert(command.end(), {"--rpm", "60"});
    command.insert(command.end(), stop.begin(), stop.end());
    Running running(command);
    while (lines_in(bench.log) < 1) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(stop.empty() ? running.end(SIGINT) : running.wait(), stop.empty() ? 130 : 4);
    EXPECT_LE(lines_in(bench.log), 8U);
  }
}

TEST(Outputs, TwoRunsNeverWriteOneFile) {
  Bench bench({"--latency-ms", "100"});
  const std::string rows = bench.scratch.file("rows.jsonl", made_rows(60));
  const std::string out = bench.scratch.path("out.jsonl");
  const auto command = bench.command(rows, bench.scratch.path("l.db"), out, "2");
  Running first(command);
  while (lines_in(bench.log) < 1) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const Outcome second = run_assay(command);
  EXPECT_EQ(second.code, 2);
  EXPECT_NE(second.err.find("another assay is writing it"), std::string::npos) << second.err;
  EXPECT_EQ(first.wait(), 0);
  EXPECT_EQ(json_lines(slurp(out)).size(), 60U);
  EXPECT_EQ(run_assay(command).code, 0) << "and afterwards it can be written again";
}

// As one request for each row, however few may be in flight. (A machine under load may part a few.)
TEST(Draws, TravelTogetherWhateverTheJobs) {
  for (const char* jobs : {"1", "2", "16"}) {
    Bench bench({"--latency-ms", "5"});
    const std::string rows = bench.scratch.file("rows.jsonl", made_rows(6));
    std::vector<std::string> command =
        bench.command(rows, bench.scratch.path("l.db"), bench.scratch.path("out.jsonl"), jobs);
    command.insert(command.end(), {"--method", "direct", "--probs", "sample:20"});
    const Outcome outcome = run_assay(command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_GE(lines_in(bench.log), 6U) << jobs;
    EXPECT_LE(lines_in(bench.log), 12U) << jobs << ": one by one they would be 120";
  }
}

// A server that hangs must not hold a user who has had enough.
TEST(Resume, ASecondInterruptEndsAtOnce) {
  Bench bench({"--faults", "1", "--fault-kinds", "timeout"});
  const std::string rows = bench.scratch.file("rows.jsonl", made_rows(20));
  const std::string err = bench.scratch.path("err");
  Running running(
      bench.command(rows, bench.scratch.path("l.db"), bench.scratch.path("out.jsonl"), "8"), err);
  while (lines_in(bench.log) < 8) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  running.send(SIGINT);
  while (slurp(err).find("once more ends at once") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(running.end(SIGINT), -SIGINT);
}

TEST(Resume, TwoProcessesShareALedger) {
  Bench bench({"--latency-ms", "5"});
  const std::string rows = bench.scratch.file("rows.jsonl", made_rows(400));
  const std::string store = bench.scratch.path("l.db");
  const std::string out_a = bench.scratch.path("a.jsonl");
  const std::string out_b = bench.scratch.path("b.jsonl");
  Running a(bench.command(rows, store, out_a, "8"));
  Running b(bench.command(rows, store, out_b, "8"));
  EXPECT_EQ(a.wait(), 0);
  EXPECT_EQ(b.wait(), 0);
  EXPECT_EQ(without_usage(slurp(out_a)), without_usage(slurp(out_b)));
  EXPECT_LE(lines_in(bench.log), 800U);
}

TEST(Limits, MaxCallsStopsWithExit4AndGoesOn) {
  Bench bench({});
  const std::string rows = bench.scratch.file("rows.jsonl", made_rows(100));
  const std::string out = bench.scratch.path("out.jsonl");
  auto command = bench.command(rows, bench.scratch.path("l.db"), out, "16");
  command.insert(command.end(), {"--max-calls", "40"});
  for (const std::size_t sent : {40U, 80U}) {
    EXPECT_EQ(run_assay(command).code, 4);
    EXPECT_EQ(lines_in(bench.log), sent);
    EXPECT_FALSE(std::filesystem::exists(out));
  }
  EXPECT_EQ(run_assay(command).code, 0);
  EXPECT_EQ(lines_in(out), 100U);
}

TEST(Limits, TheBudgetStopsBeforeItIsCrossed) {
  Bench bench({});
  const std::string rows = bench.scratch.file("rows.jsonl", made_rows(100));
  const std::string prices = bench.scratch.file(
      "prices.yaml", "prices:\n  - {model: \"openai:m\", input: 100, output: 200}\n");
  const std::string record = bench.scratch.path("record.jsonl");
  auto command =
      bench.command(rows, bench.scratch.path("l.db"), bench.scratch.path("out.jsonl"), "4");
  command.insert(command.end(), {"--budget", "1", "--prices", prices, "--record", record});
  EXPECT_EQ(run_assay(command).code, 4);
  double usd = 0;
  for (const auto& line : json_lines(slurp(record)))
    usd += line["reply"]["usage"]["usd"].get<double>();
  EXPECT_GT(usd, 0.3);
  EXPECT_LE(usd, 1.0);
  const Outcome unknown = run_assay({"eval", rows, "--judge", "openai:other", "--base-url",
                                     bench.server.url(), "--store", "none", "--budget", "1"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("--prices"), std::string::npos) << unknown.err;
}

TEST(Limits, TheDeadlineStopsWithExit4) {
  Bench bench({"--latency-ms", "50"});
  const std::string rows = bench.scratch.file("rows.jsonl", made_rows(500));
  auto command =
      bench.command(rows, bench.scratch.path("l.db"), bench.scratch.path("out.jsonl"), "2");
  command.insert(command.end(), {"--deadline", "0.4"});
  EXPECT_EQ(run_assay(command).code, 4);
}

}  // namespace
}  // namespace assay::test
