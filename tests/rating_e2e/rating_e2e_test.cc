// The rating methods end to end: the real binary against a server process that rates a text with
// the top of the scale, or with the bottom where it holds the word BAD
// (tests/fake_server/script.h), and writes "A scripted text." where prose is asked for.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "assay/evidence.h"
#include "fake_server/process.h"
#include "meta/run_assay.h"
#include "report/json.h"

namespace assay::test {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

const char* const kRows =
    R"({"id":"good","source":"Ann won gold. Rain fell late.","output":"Ann won gold. Then it rained."}
{"id":"bad","source":"Ann won gold. Rain fell late.","output":"Gold BAD rain. Ann late."}
{"id":"other","source":"Kim ran home.","output":"Kim went home, running."}
)";

std::vector<Json> lines_of(const std::string& path) {
  std::vector<Json> all;
  std::istringstream in(slurp(path));
  for (std::string line; std::getline(in, line);) all.push_back(Json::parse(line));
  return all;
}

// One `assay eval` with a server of its own.
struct Finished {
  std::map<std::string, Result> results;     // by "method/dimension/id"
  std::map<std::string, std::string> lines;  // the same, as written, without what a run may change
  std::map<std::string, std::string>
      questions;          // content key -> stage, of everything asked or reused
  std::size_t calls = 0;  // what reached the server
  std::string err;
};

class RatingServer : public testing::Test {
 protected:
  Finished eval(const Words& words, int exit_code = 0,
                Words server_words = {"--mode", "scripted"}) {
    Finished run;
    const std::string name = std::to_string(count_++);
    const std::string log = scratch_.path("log" + name);
    server_words.insert(server_words.end(), {"--log", log});
    fake::ServerProcess server(server_words);
    const std::string rows = scratch_.file("rows.jsonl", kRows);
    const std::string out = scratch_.path("out" + name + ".jsonl");
    const std::string recording = scratch_.path("recording" + name + ".jsonl");
    Words command = {"eval",
                     rows,
                     "--quiet",
                     "-o",
                     out,
                     "--store",
                     "none",
                     "--record",
                     recording,
                     "--judge",
                     "openai:scripted",
                     "--base-url",
                     server.url()};
    command.insert(command.end(), words.begin(), words.end());
    const Outcome outcome = run_assay(command);
    EXPECT_EQ(outcome.code, exit_code) << outcome.err;
    run.err = outcome.err;
    server.stop();
    std::istringstream calls(slurp(log));
    for (std::string line; std::getline(calls, line);) ++run.calls;
    read(run, out, recording);
    return run;
  }

  static void read(Finished& run, const std::string& out, const std::string& recording) {
    for (Json& json : lines_of(out)) {
      const Result result = parse_result(json.dump(), "out.jsonl");
      if (result.score) {
        EXPECT_NEAR(*recompute(result.evidence), *result.score, 1e-12);
      }
      const std::string key = fmt::format("{}/{}/{}", result.method, result.dimension, result.id);
      json.erase("usage");
      json.erase("stages");
      json.erase("run");
      run.lines[key] = json.dump();
      run.results[key] = result;
    }
    for (const Json& json : lines_of(recording)) run.questions[json["key"]] = json["stage"];
  }

  Scratch scratch_;
  int count_ = 0;
};

TEST_F(RatingServer, EveryMethodGivesTheHandWorkedScores) {
  struct Case {
    Words words;
    std::size_t calls;  // 0: not fixed
  };
  const Case cases[] = {
      {{"-m", "seeval"}, 2 + 3},
      {{"-m", "seeval", "--steps", "rubric"}, 1 + 3},
      {{"-m", "seeval", "--probs", "logprobs"}, 2 + 3},
      {{"-m", "g-eval"}, 1 + 3},
      {{"-m", "g-eval", "--probs", "none", "--steps", "none"}, 3},
      {{"-m", "g-eval", "--layout", "paper", "--steps", "rubric"}, 3},
      {{"-m", "analyze-rate"}, 3},
      {{"-m", "rate-explain"}, 3},
      {{"-m", "direct"}, 3},
      {{"-m", "direct", "--probs", "sample:20"}, 0},  // draws travel together as it comes
      {{"-m", "direct", "--reasoning"}, 3},
  };
  for (const Case& c : cases) {
    Words words = c.words;
    words.insert(words.end(), {"-d", "coherence"});
    SCOPED_TRACE(Json(words).dump());
    const Finished run = eval(words);
    for (const auto& [id, score] : {std::pair{"good", 5.0}, {"bad", 1.0}, {"other", 5.0}}) {
      const auto found = run.results.find(c.words[1] + "/coherence/" + id);
      ASSERT_NE(found, run.results.end()) << id;
      ASSERT_TRUE(found->second.score) << found->second.reason;
      EXPECT_DOUBLE_EQ(*found->second.score, score);
      EXPECT_EQ(found->second.scale, (Scale{1, 5}));
    }
    if (c.calls > 0) {
      EXPECT_EQ(run.calls, c.calls);
    }
  }
}

// Several methods in one pool: what they ask alike is asked once, and no score changes by it.
//   steps   the question for the steps is the same for all three             one key a dimension, 2
//   calls saved rating  direct with these steps asks for every row what G-Eval asks      one key a
//   row and dimension, 1 call saved
TEST_F(RatingServer, MethodsWithSharedStepsAskTheirCommonQuestionsOnce) {
  const Words common = {"-d", "coherence,fluency", "--steps", "generated", "--probs", "none"};
  const auto with = [&](const std::string& methods) {
    Words words = common;
    words.insert(words.end(), {"-m", methods});
    return eval(words);
  };
  const Finished together = with("seeval,g-eval,direct");
  std::map<std::string, std::set<std::string>> askers;  // key -> methods
  std::map<std::string, std::string> stages;
  std::size_t separate_calls = 0;
  for (const std::string method : {"seeval", "g-eval", "direct"}) {
    const Finished alone = with(method);
    separate_calls += alone.calls;
    EXPECT_EQ(alone.lines.size(), 6U);
    for (const auto& [row, line] : alone.lines) EXPECT_EQ(together.lines.at(row), line) << row;
    for (const auto& [key, stage] : alone.questions) {
      askers[key].insert(method);
      stages[key] = stage;
    }
  }
  // The shared keys by name: stage, and who asks.
  std::map<std::string, int> shared;
  std::size_t saved = 0;
  for (const auto& [key, methods] : askers) {
    if (methods.size() < 2) continue;
    std::string name = stages.at(key) + ":";
    for (const std::string& method : methods) name += " " + method;
    ++shared[name];
    saved += methods.size() - 1;
    EXPECT_TRUE(together.questions.contains(key)) << key;
    RecordProperty("shared_" + key.substr(0, 12), name);
  }
  EXPECT_EQ(shared, (std::map<std::string, int>{{"steps: direct g-eval seeval", 2},
                                                {"rating: direct g-eval", 6}}));
  EXPECT_EQ(saved, 2U * 2 + 6U);
  EXPECT_EQ(separate_calls, 2U * (5 + 4 + 4));
  EXPECT_EQ(together.calls, separate_calls - saved);
  EXPECT_EQ(together.questions.size(),
            askers.size());  // and nothing was asked that no method asks alone
}

TEST_F(RatingServer, AServerWithoutLogProbabilitiesLeavesTheRowsUnscoredAndSaysWhatToDo) {
  const Finished run = eval({"-m", "g-eval", "-d", "coherence", "--steps", "rubric"}, 3,
                            {"--mode", "scripted", "--reject", "logprobs"});
  const Result& result = run.results.at("g-eval/coherence/good");
  EXPECT_FALSE(result.score);
  EXPECT_NE(result.reason.find("--probs sample:20"), std::string::npos) << result.reason;
}

TEST_F(RatingServer, RepliesReadByAReleasedRule) {
  struct Case {
    const char* parser;
    const char* reply;
    std::optional<double> score;
  };
  for (const Case& c :
       {Case{"chiang-lee", "On 1-3 I give:\nRating: 2, not 5.", 2.0},
        Case{"chiang-lee", "None.", {}}, Case{"geval", " 4 because", 4.0},
        Case{"geval", "Rating: 4", 0.0}, Case{"strict", "Rating: 4\nwell, rating: **5**", 5.0}}) {
    SCOPED_TRACE(c.reply);
    const Finished run = eval({"-m", "analyze-rate", "-d", "coherence", "--parser", c.parser},
                              c.score ? 0 : 3, {"--mode", "fixed", "--reply", c.reply});
    EXPECT_EQ(run.results.at("analyze-rate/coherence/good").score, c.score);
  }
}

TEST_F(RatingServer, WrongConfigurationIsOneLineBeforeAnythingIsAsked) {
  struct Case {
    Words words;
    const char* says;
  };
  const Case cases[] = {
      {{"-m", "direct", "--probs", "many"}, "--probs many"},
      {{"-m", "direct", "--probs", "sample:0"}, "--probs sample:0"},
      {{"-m", "analyze-rate", "--probs", "logprobs"}, "analyze-rate writes text around its rating"},
      {{"-m", "g-eval", "--parser", "geval"}, "--probs sample:20"},
      {{"-m", "few-shot"}, "rows with a label for coherence"},
  };
  for (const Case& c : cases) {
    Words words = c.words;
    words.insert(words.end(), {"-d", "coherence"});
    const Finished run = eval(words, 2);
    EXPECT_NE(run.err.find(c.says), std::string::npos) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_EQ(run.calls, 0U);
  }
}

// What the judged text says about its own rating is text.
TEST_F(RatingServer, AServerThatEchoesTheTextsGivesNoScore) {
  for (const char* method : {"direct", "seeval"}) {
    const Finished run =
        eval({"-m", method, "-d", "fluency", "--steps", "rubric"}, 3, {"--mode", "echo"});
    for (const auto& [row, result] : run.results) EXPECT_FALSE(result.score) << row;
  }
}

}  // namespace
}  // namespace assay::test
