// A server that fails in every way one can: every row ends scored, with the score it would have
// had, or unscored with its reason; nothing hangs. And a ledger that cannot be used: one clear
// line, nothing lost.

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <fstream>
#include <map>

#include "fake_server/process.h"
#include "runs.h"

namespace assay::test {
namespace {

TEST(Faults, AtThirtyPercentNoRowIsScoredWronglyAndNothingHangs) {
  const Scratch scratch;
  const std::string rows = scratch.file("rows.jsonl", made_rows(250));
  const auto eval = [&](const fake::ServerProcess& server, const std::string& out) {
    return run_assay({"eval", rows, "-d", "fluency,coherence", "--judge", "openai:m", "--base-url",
                      server.url(), "--store", "none", "-j", "64", "--timeout", "2", "--quiet",
                      "-o", out});
  };
  const std::string good = scratch.path("good.jsonl");
  {
    fake::ServerProcess server({"--mode", "scripted"});
    ASSERT_EQ(eval(server, good).code, 0);
  }
  std::map<std::string, nlohmann::json> expected;
  for (const auto& line : json_lines(slurp(good)))
    expected[line["id"].get<std::string>() + line["dimension"].get<std::string>()] = line["score"];
  for (const char* seed : {"1", "2"}) {
    fake::ServerProcess server({"--mode", "scripted", "--faults", "0.3", "--seed", seed});
    const std::string out = scratch.path("bad.jsonl");
    const Outcome outcome = eval(server, out);
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 3) << outcome.code << outcome.err;
    const auto lines = json_lines(slurp(out));
    ASSERT_EQ(lines.size(), 500U);
    int scored = 0;
    for (const auto& line : lines) {
      if (line["score"].is_null()) {
        EXPECT_FALSE(line["reason"].get<std::string>().empty());
      } else {
        EXPECT_EQ(line["score"],
                  expected[line["id"].get<std::string>() + line["dimension"].get<std::string>()])
            << line.dump();
        ++scored;
      }
    }
    EXPECT_GT(scored, 250);
  }
}

TEST(Faults, RateLimitsAreRetriedAndNeverScored) {
  const Scratch scratch;
  fake::ServerProcess server(
      {"--mode", "scripted", "--faults", "0.2", "--fault-kinds", "429,503", "--seed", "3"});
  const std::string out = scratch.path("out.jsonl");
  const Outcome outcome = run_assay({"eval", scratch.file("rows.jsonl", made_rows(200)), "-d",
                                     "fluency", "--judge", "openai:m", "--base-url", server.url(),
                                     "--store", "none", "-j", "32", "--quiet", "-o", out});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const auto& line : json_lines(slurp(out)))
    EXPECT_FALSE(line["score"].is_null()) << line["reason"];
}

TEST(Progress, JsonLinesAreWholeAndSayHowItGoes) {
  Bench bench({"--latency-ms", "25", "--faults", "0.3", "--fault-kinds", "500"});
  const std::string rows = bench.scratch.file("rows.jsonl", made_rows(80));
  std::vector<std::string> command =
      bench.command(rows, bench.scratch.path("l.db"), bench.scratch.path("out.jsonl"), "4");
  command.emplace_back("--json-progress");
  const Outcome outcome = run_assay(command);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::vector<nlohmann::json> shown;
  std::istringstream lines(outcome.err);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('{')) shown.push_back(nlohmann::json::parse(line));
  }
  ASSERT_FALSE(shown.empty()) << outcome.err;
  for (const nlohmann::json& line : shown) {
    EXPECT_EQ(line["of"], 80);
    EXPECT_LE(line["done"], 80);
    EXPECT_LE(line["in_flight"], 4);
  }
  EXPECT_GT(shown.back()["retries"], 0);
  EXPECT_GT(shown.front()["seconds_left"], 0);
  EXPECT_EQ(shown.back()["done"], 80) << "the last line says how it ended";
}

TEST(Faults, ADiskThatIsFullLosesNothing) {
  const Scratch scratch;
  const std::string log = scratch.path("server.log");
  fake::ServerProcess server({"--mode", "scripted", "--log", log});
  const std::string rows = scratch.file("rows.jsonl", made_rows(600));
  const std::string store = scratch.path("l.db");
  const std::string out = scratch.path("out.jsonl");
  const std::string command = quoted(ASSAY_BINARY) + " eval " + quoted(rows) +
                              " -d fluency --judge openai:m --base-url " + server.url() +
                              " --store " + quoted(store) + " -j 4 --quiet -o " + quoted(out) +
                              " 2>" + quoted(scratch.path("err"));
  // No file may grow beyond 300 blocks of 512 bytes: the ledger fills up in the middle.
  const int status = std::system(("ulimit -f 300; " + command).c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  const std::string err = slurp(scratch.path("err"));
  EXPECT_NE(err.find("l.db"), std::string::npos) << err;
  EXPECT_FALSE(std::filesystem::exists(out));
  const std::size_t sent = lines_in(log);
  EXPECT_LT(sent, 600U);
  // With room again the run goes on: at most what had not reached the disk is sent again.
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 0) << slurp(scratch.path("err"));
  EXPECT_EQ(lines_in(out), 600U);
  EXPECT_LE(lines_in(log), 600U + 64U);
}

TEST(Faults, ALedgerThatCannotBeUsedIsSaidInOneLine) {
  const Scratch scratch;
  fake::ServerProcess server({"--mode", "scripted"});
  const std::string rows = scratch.file("rows.jsonl", made_rows(3));
  std::filesystem::create_directory(scratch.path("folder.db"));
  for (const std::string& store :
       {scratch.file("text.db", "this is no ledger, but a text of some length\n"),
        scratch.path("folder.db"), std::string("/proc/nowhere/l.db")}) {
    const Outcome outcome = run_assay({"eval", rows, "-d", "fluency", "--judge", "openai:m",
                                       "--base-url", server.url(), "--store", store, "--quiet"});
    EXPECT_EQ(outcome.code, 2) << store;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  EXPECT_EQ(slurp(scratch.path("text.db")), "this is no ledger, but a text of some length\n");
}

struct StageCalls {
  std::int64_t calls = 0;
  std::int64_t prompt_tokens = 0;
};

// After a run without failures the calls by stage are the plan's, or inside its bounds; so are the
// prompt tokens, within 10 %.
TEST(Plan, HoldsAfterwards) {
  const Scratch scratch;
  fake::ServerProcess server({"--mode", "scripted"});
  const std::string rows = scratch.file("rows.jsonl", made_rows(40));
  const std::vector<std::vector<std::string>> setups = {
      {"-d", "fluency,coherence"},
      {"-d", "consistency"},
      {"-d", "consistency,relevance"},
      {"-d", "fluency", "--ask", "atomic"},
      {"-d", "consistency", "--ask", "atomic"},
      {"-d", "fluency", "--repeat", "3"},
      {"-d", "consistency", "--source-units", "sentences"}};
  for (const auto& setup : setups) {
    std::vector<std::string> command = {"eval",     rows,         "--judge",
                                        "openai:m", "--base-url", server.url(),
                                        "--store",  "none",       "--quiet"};
    command.insert(command.end(), setup.begin(), setup.end());
    auto dry = command;
    dry.insert(dry.end(), {"--dry-run", "--format", "json"});
    const Outcome planned = run_assay(dry);
    ASSERT_EQ(planned.code, 0) << planned.err;
    const auto plan = nlohmann::json::parse(planned.out);
    const std::string record = scratch.path("record.jsonl");
    command.insert(command.end(), {"--record", record, "-o", scratch.path("out.jsonl")});
    ASSERT_EQ(run_assay(command).code, 0);
    std::map<std::string, StageCalls> did;
    std::set<std::string> keys;
    for (const auto& line : json_lines(slurp(record))) {
      if (!keys.insert(line["key"]).second) continue;
      did[line["stage"]].calls += 1;
      did[line["stage"]].prompt_tokens +=
          line["reply"]["usage"]["prompt_tokens"].get<std::int64_t>();
    }
    std::string what;
    for (const std::string& word : setup) what += word + " ";
    std::set<std::string> foreseen;
    for (const auto& stage : plan["stages"]) foreseen.insert(stage["stage"]);
    for (const auto& [stage, calls] : did) EXPECT_TRUE(foreseen.contains(stage)) << what << stage;
    for (const auto& stage : plan["stages"]) {
      const StageCalls& real = did[stage["stage"]];
      EXPECT_GE(real.calls, stage["calls"][0].get<std::int64_t>()) << what << stage.dump();
      EXPECT_LE(real.calls, stage["calls"][1].get<std::int64_t>()) << what << stage.dump();
      EXPECT_EQ(stage["decided_by"].is_null(), stage["calls"][0] == stage["calls"][1])
          << stage.dump();
      EXPECT_GE(static_cast<double>(real.prompt_tokens),
                0.9 * stage["prompt_tokens"][0].get<double>())
          << what << stage.dump();
      EXPECT_LE(static_cast<double>(real.prompt_tokens),
                1.1 * stage["prompt_tokens"][1].get<double>())
          << what << stage.dump();
    }
    std::filesystem::remove(record);
  }
}

TEST(Plan, NeedsNoServerAndNoKey) {
  const Scratch scratch;
  unsetenv("OPENAI_API_KEY");
  const Outcome outcome =
      run_assay({"eval", scratch.file("rows.jsonl", made_rows(5)), "-d", "fluency", "--judge",
                 "openai:gpt-4o", "--store", "none", "--dry-run"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("$"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("nothing was sent"), std::string::npos);
}

}  // namespace
}  // namespace assay::test
