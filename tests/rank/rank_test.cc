// `assay rank` end to end: the real binary against a server process with a rule of its own. Asked
// for one word, A or B, it says B where the text marked B holds the word BAD, and A otherwise
// (tests/fake_server/script.cc); its log-probabilities give nothing to the other letter. So a
// group's only BAD row beats every other, and the rest follows from which row is shown first.

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "assay/evidence.h"
#include "fake_server/process.h"
#include "meta/run_assay.h"
#include "methods/pairs_sort.h"
#include "report/json.h"

namespace assay::test {
namespace {

using Json = nlohmann::ordered_json;

class RankServer : public testing::Test {
 protected:
  std::vector<Result> rank(const std::string& rows, std::vector<std::string> words,
                           int exit_code = 0) {
    const std::string file = scratch_.file("rows.jsonl", rows);
    const std::string out = scratch_.path("out.jsonl");
    std::filesystem::remove(out);
    std::vector<std::string> command = {"rank", file, "-d",      "coherence", "--quiet",
                                        "-o",   out,  "--store", "none"};
    const auto given = [&](const char* option) {
      return std::find(words.begin(), words.end(), option) != words.end();
    };
    if (!given("--judge")) command.insert(command.end(), {"--judge", "openai:scripted"});
    if (!given("--base-url")) command.insert(command.end(), {"--base-url", server().url()});
    command.insert(command.end(), words.begin(), words.end());
    const Outcome outcome = run_assay(command);
    EXPECT_EQ(outcome.code, exit_code) << outcome.err;
    err_ = outcome.err;
    bytes_ = slurp(out);
    std::vector<Result> results;
    std::istringstream lines(bytes_);
    for (std::string line; std::getline(lines, line);) {
      results.push_back(parse_result(line, "out.jsonl"));
      if (results.back().score) {
        EXPECT_DOUBLE_EQ(*recompute(results.back().evidence), *results.back().score);
      }
    }
    return results;
  }

  static fake::ServerProcess& server() {
    static fake::ServerProcess process({"--mode", "scripted", "--shuffle"});
    return process;
  }

  Scratch scratch_;
  std::string bytes_;
  std::string err_;
};

// Rows "g0/0", "g0/1", ...; in group g the row number g is the BAD one. Groups are interleaved.
std::string rows(int groups, int each) {
  std::string text;
  for (int i = 0; i < each; ++i) {
    for (int g = 0; g < groups; ++g) {
      const std::string name = "g" + std::to_string(g);
      text += Json{{"id", name + "/" + std::to_string(i)},
                   {"group", name},
                   {"system", "s" + std::to_string(i)},
                   {"source", "Source of " + name + "."},
                   {"output",
                    std::string(i == g ? "BAD" : "Good") + " text " + std::to_string(i) + "."}}
                  .dump() +
              "\n";
    }
  }
  return text;
}

// The same rule, asked without a server.
std::vector<std::size_t> worst_first(std::size_t n, std::size_t bad, PairSort::Options options) {
  PairSort sort(n, options);
  while (!sort.pending().empty()) {
    std::vector<double> p;
    for (const PairSort::Pair& pair : sort.pending()) p.push_back(pair.b == bad ? 0 : 1);
    sort.tell(p);
  }
  return sort.order();
}

TEST_F(RankServer, RanksEveryGroupBestFirst) {
  const std::vector<Result> results = rank(rows(3, 5), {});
  ASSERT_EQ(results.size(), 15U);
  for (std::size_t g = 0; g < 3; ++g) {
    const auto order = worst_first(5, g, {});
    for (std::size_t place = 0; place < 5; ++place) {
      const Result& result = results[g * 5 + place];
      EXPECT_EQ(result.id, "g" + std::to_string(g) + "/" + std::to_string(order[4 - place]));
      EXPECT_EQ(result.method, "pairs");
      EXPECT_EQ(result.dimension, "coherence");
      EXPECT_DOUBLE_EQ(*result.score, static_cast<double>(4 - place) / 4);
      EXPECT_EQ(result.usage.calls > 0, place == 0);  // the group's, once
    }
    EXPECT_EQ(results[g * 5].id, "g" + std::to_string(g) + "/" + std::to_string(g));  // the BAD one
  }
}

TEST_F(RankServer, SameBytesAtAnyNumberOfJobsAndFromAReplay) {
  const std::string recording = scratch_.path("answers.jsonl");
  rank(rows(4, 6), {"-j", "1", "--record", recording, "--both-orders"});
  const std::string one = bytes_;
  for (const char* jobs : {"1", "64"}) {
    rank(rows(4, 6), {"-j", jobs, "--both-orders", "--judge", "replay:" + recording});
    EXPECT_EQ(bytes_, one) << jobs;
  }
}

TEST_F(RankServer, OptionsReachTheSort) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const std::vector<Result> results =
        rank(rows(1, 6), {"--seed", std::to_string(seed), "--beam", "100", "--prob-gap", "0.15"});
    const auto order = worst_first(6, 0, {100, 0.15, seed});
    for (std::size_t place = 0; place < 6; ++place)
      EXPECT_EQ(results[place].id, "g0/" + std::to_string(order[5 - place]));
  }
}

// Groups of 5: 1, 1 and 1 or 2 comparisons below, 2 to 4 above them: 5 to 8 a group.
TEST_F(RankServer, ADryRunAsksNothing) {
  const std::string file = scratch_.file("rows.jsonl", rows(3, 5));
  const Outcome outcome =
      run_assay({"rank", file, "-d", "coherence", "--judge", "openai:scripted", "--base-url",
                 "http://127.0.0.1:9/v1", "--both-orders", "--dry-run", "--store", "none"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find("3 groups: 15 to 24 comparisons in each dimension\n15 rows, 3 scores"),
            0U)
      << outcome.out;
  EXPECT_NE(outcome.out.find(" 30 – 48 "), std::string::npos) << outcome.out;
}

TEST_F(RankServer, RowsWithoutAGroup) {
  const std::string alone =
      "{\"id\":\"a\",\"source\":\"S.\",\"output\":\"Good.\"}\n{\"id\":\"b\",\"source\":\"S.\","
      "\"output\":\"BAD.\"}\n";
  EXPECT_TRUE(rank(alone, {}, 2).empty());
  EXPECT_NE(err_.find("no group has two rows"), std::string::npos) << err_;
  EXPECT_EQ(rank(alone, {"--one-group"})[0].id, "b");
  // A lone row beside a group stays unscored, and says why.
  const std::vector<Result> results = rank(rows(1, 3) + alone, {}, 3);
  ASSERT_EQ(results.size(), 5U);
  EXPECT_FALSE(results[3].score);
  EXPECT_NE(results[3].reason.find("only row"), std::string::npos);
}

TEST_F(RankServer, WithoutLogProbabilitiesOnlyWhenAsked) {
  fake::ServerProcess picky({"--mode", "scripted", "--reject", "logprobs"});
  const std::vector<Result> none = rank(rows(1, 3), {"--base-url", picky.url()}, 3);
  for (const Result& result : none) {
    EXPECT_FALSE(result.score);
    EXPECT_NE(result.reason.find("no probabilities"), std::string::npos) << result.reason;
  }
  const std::vector<Result> chosen =
      rank(rows(2, 4), {"--base-url", picky.url(), "--probs", "none"});
  EXPECT_EQ(chosen[0].id, "g0/0");
}

TEST_F(RankServer, AServerThatSaysNeitherGivesNoRanking) {
  fake::ServerProcess neither({"--mode", "fixed", "--reply", "Both are fine."});
  const std::vector<Result> none = rank(rows(1, 3), {"--base-url", neither.url()}, 3);
  for (const Result& result : none)
    EXPECT_NE(result.reason.find("Both are fine."), std::string::npos) << result.reason;
  const std::vector<Result> half =
      rank(rows(1, 3), {"--base-url", neither.url(), "--undecided", "half"});
  EXPECT_EQ(half.size(), 3U);
}

TEST_F(RankServer, WhatCannotBeRankedIsRefusedInOneLine) {
  const auto one_line = [&](const char* part) {
    EXPECT_NE(err_.find(part), std::string::npos) << err_;
    EXPECT_EQ(std::count(err_.begin(), err_.end(), '\n'), 1) << err_;
  };
  rank(rows(1, 3), {"--judge", "builtin"}, 2);
  one_line("pairs needs a judge that writes text");
  rank(rows(1, 3), {"--probs", "sample:0"}, 2);
  one_line("--probs sample:0");
  rank(rows(1, 3), {"-d", "beauty"}, 2);
  one_line("beauty");
  const std::string file = scratch_.file("rows.jsonl", rows(1, 3));
  const Outcome outcome = run_assay({"eval", file, "--method", "pairs", "--judge",
                                     "openai:scripted", "--base-url", server().url()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("assay rank"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace assay::test
