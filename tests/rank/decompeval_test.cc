// DecompEval end to end: the real binary against a server process. Asked yes or no it says no where
// the text fenced last (here: the last sentence asked about) holds the word BAD; P of the word it
// says is 0.94, of the other 0.05 (tests/fake_server). A good text is worth 0.94 / 0.99, a bad one
// 0.05 / 0.99.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "assay/evidence.h"
#include "fake_server/process.h"
#include "meta/run_assay.h"
#include "report/json.h"

namespace assay::test {
namespace {

constexpr double kGood = 0.94 / 0.99;
constexpr double kBad = 0.05 / 0.99;

struct Ran {
  Result result;
  std::string err;
  int code = -1;
};

Ran eval(const std::string& url, const char* task, const char* dimension,
         std::vector<std::string> words = {}) {
  static const Scratch scratch;
  const nlohmann::ordered_json row = {{"id", "r"},
                                      {"source", "Ann won gold. Rain fell late."},
                                      {"history", "who won ?"},
                                      {"context", "Ann is from Oslo."},
                                      {"references", {"Ann won."}},
                                      {"output", "Ann won gold. BAD rain fell. It was late."}};
  const std::string file = scratch.file("row.jsonl", row.dump() + "\n");
  const std::string out = scratch.path("out.jsonl");
  std::filesystem::remove(out);
  std::vector<std::string> command = {"eval", file,      "--method", "decompeval", "-t",
                                      task,   "-d",      dimension,  "--quiet",    "-o",
                                      out,    "--store", "none",     "--base-url", url};
  if (std::find(words.begin(), words.end(), "--judge") == words.end())
    command.insert(command.end(), {"--judge", "openai:scripted"});
  command.insert(command.end(), words.begin(), words.end());
  const Outcome outcome = run_assay(command);
  Ran ran{{}, outcome.err, outcome.code};
  const std::string bytes = slurp(out);
  if (!bytes.empty()) ran.result = parse_result(bytes.substr(0, bytes.find('\n')), "out.jsonl");
  if (ran.result.score) {
    EXPECT_NEAR(*recompute(ran.result.evidence), *ran.result.score, 1e-12);
  }
  return ran;
}

TEST(DecompEvalServer, ScoresAreTheHandComputedOnes) {
  fake::ServerProcess server({"--mode", "scripted"});
  struct Case {
    const char* task;
    const char* dimension;
    std::vector<std::string> options;
    double score;
    int calls;
  };
  const Case cases[] = {
      {"summarization", "coherence", {}, kGood, 4},  // the last sentence is good
      {"summarization", "relevance", {}, kGood, 4},
      {"summarization", "fluency", {}, (2 * kGood + kBad) / 3, 6},
      {"summarization",
       "consistency",
       {"--no-subquestions"},
       kGood,
       3},  // the text fenced last is the document
      {"dialogue", "engagingness", {}, 2 * kGood + kBad, 6},
      {"dialogue", "naturalness", {"--no-subquestions"}, kBad, 1},
      {"dialogue", "naturalness", {"--question-first"}, kGood, 4},
      {"dialogue", "naturalness", {"--wording", "7"}, kGood, 4},
      {"dialogue", "naturalness", {"--layout", "paper"}, kGood, 4},
      {"dialogue", "naturalness", {"--probs", "sample:3", "--no-subquestions"}, 0, 3},
  };
  for (const Case& c : cases) {
    const Ran ran = eval(server.url(), c.task, c.dimension, c.options);
    EXPECT_EQ(ran.code, 0) << c.dimension << ran.err;
    ASSERT_TRUE(ran.result.score) << c.dimension << ": " << ran.result.reason;
    EXPECT_NEAR(*ran.result.score, c.score, 1e-12) << c.dimension;
    EXPECT_EQ(ran.result.usage.calls, c.calls) << c.dimension;
    EXPECT_EQ(ran.result.method, "decompeval");
  }
}

TEST(DecompEvalServer, ProbabilitiesAreNeverSwappedSilently) {
  fake::ServerProcess picky({"--mode", "scripted", "--reject", "logprobs"});
  const Ran ran = eval(picky.url(), "dialogue", "naturalness");
  EXPECT_EQ(ran.code, 3);
  EXPECT_FALSE(ran.result.score);
  EXPECT_NE(ran.result.reason.find("no probabilities"), std::string::npos) << ran.result.reason;
  EXPECT_EQ(eval(picky.url(), "dialogue", "naturalness", {"--probs", "sample:2"}).code, 0);
}

TEST(DecompEvalServer, RefusedUpFront) {
  fake::ServerProcess server({"--mode", "scripted"});
  for (const auto& [words, part] : {std::pair<std::vector<std::string>, const char*>{
                                        {"--judge", "builtin"}, "needs a judge that writes text"},
                                    {{"--wording", "8"}, "has 7 wordings"},
                                    {{"--probs", "none"}, "decompeval scores by P(yes)"}}) {
    const Ran ran = eval(server.url(), "dialogue", "naturalness", words);
    EXPECT_EQ(ran.code, 2) << part;
    EXPECT_NE(ran.err.find(part), std::string::npos) << ran.err;
  }
}

TEST(DecompEvalServer, AnEchoedTextIsNoAnswer) {
  fake::ServerProcess echo({"--mode", "echo"});
  const Ran ran = eval(echo.url(), "dialogue", "naturalness");
  EXPECT_EQ(ran.code, 3);
  EXPECT_FALSE(ran.result.score);
}

}  // namespace
}  // namespace assay::test
