// `assay rubric draft` and `--judge anthropic:` end to end: the real binary against a server
// process that speaks the chat-completions and the Messages protocol, with answers given by what
// stands in the prompt.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "fake_server/process.h"
#include "meta/run_assay.h"

namespace assay::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

constexpr const char* kDimensions =
    "Propose the properties\t{\"introduction\":[\"A release note is "
    "judged.\"],\"dimensions\":[\"Clarity: A user "
    "understands it.\",\"Accuracy: It says what was changed.\"]}\n";
constexpr const char* kRest =
    "\"anchors\":[\"Useless.\",\"Weak.\",\"Fair.\",\"Good.\",\"Very "
    "good.\"],\"steps\":[\"Read.\",\"Compare.\",\"Score.\"]}\n";

// needle<TAB>reply, first match wins.
std::string answers(const std::string& second_try) {
  const std::string good = std::string(
                               "{\"units\":[\"sentences\"],\"sub_dimensions\":[\"Plain words: Is "
                               "it clear to a user?\"],") +
                           kRest;
  const std::string bad =
      std::string(
          "{\"units\":[\"whole\"],\"sub_dimensions\":[\"Errors: Does it contain errors?\"],") +
      kRest;
  const std::string mended =
      std::string(
          "{\"units\":[\"whole\"],\"sub_dimensions\":[\"Errors: Is it free of errors?\"],") +
      kRest;
  return kDimensions + ("What is wrong with it\t" + (second_try == "mends" ? mended : bad)) +
         "- Accuracy: It says\t" + good +  // the other one: this is clarity's question
         "- Clarity: A user\t" + bad;
}

class Draft : public testing::Test {
 protected:
  Outcome draft(const std::string& second_try, std::vector<std::string> more) {
    const std::string file = scratch_.file("answers.tsv", answers(second_try));
    const fake::ServerProcess server({"--answers", file});
    std::vector<std::string> words = {"rubric",
                                      "draft",
                                      "--task",
                                      "release-notes",
                                      "--description",
                                      "Notes for users.",
                                      "--base-url",
                                      server.url(),
                                      "--store",
                                      "none",
                                      "-o",
                                      folder()};
    words.insert(words.end(), more.begin(), more.end());
    return run_assay(words);
  }
  std::string folder() const { return scratch_.path("drafts"); }
  Scratch scratch_;
};

TEST_F(Draft, WritesRubricsThatPassTheCheck) {
  for (const char* judge : {"openai:fake", "anthropic:fake"}) {
    const Outcome outcome = draft("mends", {"--judge", judge, "--force"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("release-notes/clarity"), HasSubstr("release-notes/accuracy")));
    const Outcome check = run_assay({"rubric", "check", folder()});
    EXPECT_EQ(check.code, 0) << check.out;
    EXPECT_THAT(slurp(folder() + "/accuracy.yaml"),
                AllOf(HasSubstr("draft: true"), HasSubstr("Is it free of errors?")));
  }
  const std::string rows =
      scratch_.file("rows.jsonl", "{\"id\":\"1\",\"source\":\"s\",\"output\":\"It is fixed.\"}\n");
  const fake::ServerProcess server;
  const Outcome eval =
      run_assay({"eval", rows, "-t", "release-notes", "--rubrics", folder(), "--judge",
                 "openai:fake", "--base-url", server.url(), "--store", "none"});
  EXPECT_EQ(eval.code, 0) << eval.err;
}

TEST_F(Draft, WhatIsNotMendedIsNotARubric) {
  const Outcome outcome = draft("does not", {"--judge", "openai:fake"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("accuracy.yaml.problems"),
                                 HasSubstr("a yes to this question looks bad")));
  EXPECT_TRUE(fs::exists(folder() + "/clarity.yaml"));
  EXPECT_FALSE(fs::exists(folder() + "/accuracy.yaml"));
  EXPECT_THAT(slurp(folder() + "/accuracy.yaml.problems"),
              AllOf(HasSubstr("# Not a rubric yet"), HasSubstr("Does it contain errors?")));
  EXPECT_EQ(run_assay({"rubric", "check", folder()}).code, 0) << "what is there is well";
}

TEST_F(Draft, BadInputIsOneLineBeforeAnythingIsAsked) {
  const std::string full = scratch_.path("full");
  fs::create_directories(full);
  scratch_.file("full/x.txt", "x");
  struct Case {
    std::vector<std::string> words;
    const char* problem;
  };
  const Case cases[] = {
      {{"--judge", "builtin"}, "rubric draft needs a judge that writes text; builtin does not"},
      {{"--judge", "openai:x", "-o", full}, "the folder is not empty"},
      {{"--judge", "openai:x", "--description", "@/nowhere"}, "/nowhere"},
      {{"--judge", "openai:x", "--description", "  "}, "--description is empty"},
      {{"--judge", "openai:x", "--task", "My Task"}, "--task My Task: use small letters"},
      {{"--judge", "openai:x", "--input", "source"}, "write FIELD=NAME"},
      {{"--judge", "openai:x", "--input", "source=A"}, "must name the output"},
      {{"--judge", "openai:x", "--most", "0"}, "from 1 to 12"},
      {{"--judge", "openai:x", "--examples", "/nowhere.jsonl"}, "/nowhere.jsonl"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> words = {"rubric",  "draft", "--base-url", "http://127.0.0.1:9/v1",
                                      "--store", "none"};
    const auto add = [&](const char* name, const std::string& value) {
      if (std::find(c.words.begin(), c.words.end(), name) == c.words.end())
        words.insert(words.end(), {name, value});
    };
    add("--task", "t");
    add("--description", "d");
    add("-o", folder());
    words.insert(words.end(), c.words.begin(), c.words.end());
    const Outcome outcome = run_assay(words);
    EXPECT_EQ(outcome.code, 2) << c.problem;
    EXPECT_THAT(outcome.err, HasSubstr(c.problem));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  EXPECT_FALSE(fs::exists(folder()));
}

// A key is never printed, whatever the server says; and SEAL runs over the Messages protocol.
TEST(AnthropicJudge, RunsSealAndHidesItsKey) {
  const Scratch scratch;
  setenv("ANTHROPIC_API_KEY", "sk-ant-secret-0123456789", 1);
  const std::string rows =
      scratch.file("rows.jsonl",
                   "{\"id\":\"1\",\"source\":\"Ann won. It rained.\",\"output\":\"Ann won. It "
                   "rained. All BAD here. She left.\"}\n");
  const std::string out = scratch.path("out.jsonl");
  {
    const fake::ServerProcess server({"--require-key", "sk-ant-secret-0123456789"});
    const Outcome outcome = run_assay({"eval", rows, "-d", "fluency", "--judge", "anthropic:fake",
                                       "--base-url", server.url(), "--store", "none", "-o", out});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(slurp(out), AllOf(HasSubstr("\"score\":0.75"), HasSubstr("anthropic:fake")));
  }
  const fake::ServerProcess server({"--faults", "1", "--fault-kinds", "401"});
  const Outcome refused = run_assay({"eval", rows, "-d", "fluency", "--judge", "anthropic:fake",
                                     "--base-url", server.url(), "--store", "none", "-o", out});
  EXPECT_THAT(refused.out + refused.err + slurp(out), Not(HasSubstr("secret")));
  setenv("ANTHROPIC_BASE_URL", server.url().c_str(), 1);
  const Outcome doctor = run_assay({"doctor", "--store", scratch.path("none.db")});
  EXPECT_THAT(doctor.out, AllOf(HasSubstr("anthropic:"), HasSubstr("answers; a key is set"),
                                Not(HasSubstr("secret"))));
  unsetenv("ANTHROPIC_API_KEY");
  unsetenv("ANTHROPIC_BASE_URL");
  const Outcome keyless =
      run_assay({"eval", rows, "-d", "fluency", "--judge", "anthropic:fake", "--store", "none"});
  EXPECT_EQ(keyless.code, 2);
  EXPECT_THAT(keyless.err, HasSubstr("anthropic:fake: no key; set ANTHROPIC_API_KEY"));
}

// Pairs of one summary share the article: the first question puts it into the server's cache, the
// others read it there.
TEST(AnthropicJudge, SiblingQuestionsReadTheSourceFromTheCache) {
  const Scratch scratch;
  std::string source;
  for (int i = 0; i < 1500; ++i) source += "word ";
  const std::string rows =
      scratch.file("rows.jsonl", "{\"id\":\"1\",\"source\":\"" + source +
                                     ".\",\"output\":\"One. Two. Three. Four.\"}\n");
  const std::string out = scratch.path("out.jsonl");
  const fake::ServerProcess server;
  const Outcome outcome =
      run_assay({"eval", rows, "-d", "coherence", "--ask", "atomic", "--judge", "anthropic:fake",
                 "--base-url", server.url(), "--store", "none", "-o", out});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string text = slurp(out);
  const std::size_t at = text.find("\"cached_tokens\":");
  ASSERT_NE(at, std::string::npos) << text;
  const int cached = std::atoi(text.c_str() + at + 16);
  EXPECT_GT(cached, 2 * 1500) << "two of three questions";
  EXPECT_LT(cached, 3 * 2500) << "the first cannot";
}

TEST(AnthropicJudge, SoftScoresAreRefusedUpFront) {
  const Scratch scratch;
  const std::string rows =
      scratch.file("rows.jsonl", "{\"id\":\"1\",\"source\":\"s\",\"output\":\"o\"}\n");
  const Outcome outcome =
      run_assay({"eval", rows, "-d", "fluency", "--judge", "anthropic:fake", "--base-url",
                 "http://127.0.0.1:9", "--ask", "atomic", "--soft", "--store", "none"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("this judge does not give"));
}

}  // namespace
}  // namespace assay::test
