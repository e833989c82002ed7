// `assay agree` and `assay compare` through the binary.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "meta/run_assay.h"

namespace assay {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// One row per score: id i, group i/2.
std::string rows_of(const std::string& judge, const std::vector<double>& scores,
                    const std::string& verdicts = "") {
  std::string text;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    text += fmt::format(
        R"({{"id":"{}","group":"g{}","dimension":"fluency","method":"m","judge":"{}","score":{},"scale":[1,5],"evidence":{{"label":"root","op":"mean","value":1,"children":[{}]}}}})"
        "\n",
        i, i / 2, judge, scores[i], verdicts);
  }
  return text;
}

json run_json(std::vector<std::string> words) {
  words.insert(words.end(), {"--format", "json"});
  const test::Outcome outcome = test::run_assay(words);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return json::parse(outcome.out, nullptr, false);
}

TEST(Agree, JudgesPeopleAndBinary) {
  const test::Scratch scratch;
  const std::string a = scratch.file("a.jsonl", rows_of("a", {1, 2, 3, 5}));
  const std::string b = scratch.file("b.jsonl", rows_of("b", {1, 2, 3, 5}));
  const std::string c = scratch.file("c.jsonl", rows_of("c", {5, 3, 2, 1}));
  const json row = run_json({"agree", a, b})["rows"][0];
  EXPECT_EQ(row["alpha"], 1.0);
  EXPECT_EQ(row["percent"], 1.0);
  EXPECT_EQ(row["raters"], json::array({"m (a)", "m (b)"}));
  EXPECT_LT(run_json({"agree", a, c, "--metric", "ordinal"})["rows"][0]["alpha"].get<double>(), 0);
  const json grouped = run_json({"agree", a, b, c, "--group", "same=a,b"})["rows"];
  ASSERT_EQ(grouped.size(), 2u);
  EXPECT_EQ(grouped[1]["group"], "same");
  EXPECT_EQ(grouped[1]["alpha"], 1.0);
  const json binary =
      run_json({"agree", a, c, "--binarise", "both", "--metric", "nominal"})["rows"];
  ASSERT_EQ(binary.size(), 3u);
  // The middle 3: a is 0 0 0 1 or 0 0 1 1; c is 1 0 0 0 or 1 1 0 0.
  EXPECT_EQ(binary[1]["percent"], 0.5);
  EXPECT_EQ(binary[2]["percent"], 0.0);
  std::string rated;
  for (int i = 0; i < 4; ++i)
    rated += fmt::format(R"({{"id":"{}","human":{{"fluency":{}}}}})"
                         "\n",
                         i, i + 1);
  const std::string human = scratch.file("h.jsonl", rated);
  const json top = run_json({"agree", c, a, b, "--human", human, "--top", "2"})["rows"];
  EXPECT_EQ(top[1]["raters"], json::array({"m (a)", "m (b)"}));
  EXPECT_EQ(top[0]["raters"].size(), 4u);
}

TEST(Agree, RepeatsAreRaters) {
  const test::Scratch scratch;
  const std::string a = scratch.file("a.jsonl", rows_of("j", {1, 2, 3}));
  const std::string b = scratch.file("b.jsonl", rows_of("j", {1, 2, 4}));
  EXPECT_EQ(run_json({"agree", a, b})["rows"][0]["raters"], json::array({"m (j) #1", "m (j) #2"}));
}

TEST(Agree, VerdictsOnlyOnTheSameUnits) {
  const test::Scratch scratch;
  const std::string two =
      R"({"label":"q1","op":"leaf","value":1},{"label":"q2","op":"leaf","value":0})";
  const std::string other =
      R"({"label":"q1","op":"leaf","value":1},{"label":"q2","op":"leaf","value":0.9})";
  const std::string one = R"({"label":"q1","op":"leaf","value":1})";
  const std::string a = scratch.file("a.jsonl", rows_of("a", {1, 2, 3}, two));
  const std::string b = scratch.file("b.jsonl", rows_of("b", {1, 2, 3}, other));
  const std::string c = scratch.file("c.jsonl", rows_of("c", {1, 2, 3}, one));
  const json row = run_json({"agree", a, b, "--on", "verdicts"})["rows"][0];
  EXPECT_EQ(row["units"], 6);
  EXPECT_EQ(row["percent"], 0.5);
  EXPECT_EQ(row["metric"], "nominal");
  const test::Outcome refused = test::run_assay({"agree", a, c, "--on", "verdicts"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("the units of 3 of 3 rows differ"));
}

TEST(Agree, Refusals) {
  const test::Scratch scratch;
  const std::string a = scratch.file("a.jsonl", rows_of("a", {1, 2, 3}));
  const std::string bare =
      scratch.file("b.jsonl", R"({"id":"0","dimension":"fluency","judge":"b","score":1})"
                              "\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{a}, "two raters"},
      {{a, bare, "--binarise", "low"}, "--scale LOW,HIGH"},
      {{a, bare, "--metric", "cosine"}, "nominal, ordinal"},
      {{a, bare, "--top", "3"}, "--human"},
      {{a, bare, "--group", "x=nobody"}, "two are needed"},
      {{a, bare, "--on", "texts"}, "scores or verdicts"}};
  for (auto [words, says] : cases) {
    words.insert(words.begin(), "agree");
    const test::Outcome outcome = test::run_assay(words);
    EXPECT_EQ(outcome.code, 2) << says;
    EXPECT_THAT(outcome.err, HasSubstr(says));
  }
}

std::vector<double> ramp(int n, double shift, int wobble) {
  std::vector<double> scores;
  for (int i = 0; i < n; ++i) scores.push_back(2 + 0.01 * i + shift + 0.02 * ((i * 7) % wobble));
  return scores;
}

TEST(Compare, HigherTiedAndCorrected) {
  const test::Scratch scratch;
  const std::string a = scratch.file("a.jsonl", rows_of("a", ramp(60, 0, 3)));
  const std::string b = scratch.file("b.jsonl", rows_of("b", ramp(60, 0.5, 5)));
  const std::string c = scratch.file("c.jsonl", rows_of("c", ramp(60, 0, 3)));
  const json two = run_json({"compare", a, b})["comparisons"][0];
  EXPECT_EQ(two["verdict"], "b");
  EXPECT_EQ(two["n"], 60);
  EXPECT_LT(two["ci"][1], 0.0);
  EXPECT_EQ(two["rows"].size(), 5u);
  EXPECT_NEAR(two["difference"].get<double>(), -0.52, 0.01);
  const json three = run_json({"compare", a, b, c})["comparisons"];
  ASSERT_EQ(three.size(), 3u);
  EXPECT_EQ(three[1]["verdict"], "tied");
  EXPECT_EQ(three[1]["ties"], 60);
  EXPECT_EQ(three[1]["rows"].size(), 0u);
  EXPECT_GT(three[0]["p_holm"], three[0]["p"]);
  EXPECT_THAT(test::run_assay({"compare", a, c}).out, HasSubstr("tied"));
}

TEST(Compare, SystemsArePairedByGroup) {
  const test::Scratch scratch;
  std::string text;
  for (int g = 0; g < 20; ++g) {
    for (int s = 0; s < 2; ++s) {
      text += fmt::format(
          R"({{"id":"{0}-{1}","group":"g{0}","system":"s{1}","dimension":"fluency","score":{2}}})"
          "\n",
          g, s, 0.1 * (g % 4) + 0.2 * s);
    }
  }
  const json report = run_json({"compare", scratch.file("r.jsonl", text)});
  EXPECT_EQ(report["by"], "system");
  EXPECT_EQ(report["comparisons"][0]["n"], 20);
  EXPECT_EQ(report["comparisons"][0]["verdict"], "b");
}

TEST(Compare, WithPeople) {
  const test::Scratch scratch;
  std::string rated;
  for (int i = 0; i < 40; ++i)
    rated += fmt::format(R"({{"id":"{}","human":{{"fluency":{}}}}})"
                         "\n",
                         i, i / 8);
  std::vector<double> good, bad;
  for (int i = 0; i < 40; ++i)
    good.push_back(1 + 0.1 * i), bad.push_back(1 + 0.1 * ((i * 17) % 40));
  const json row = run_json({"compare", scratch.file("a.jsonl", rows_of("a", good)),
                             scratch.file("b.jsonl", rows_of("b", bad)), "--human",
                             scratch.file("h.jsonl", rated)})["comparisons"][0];
  EXPECT_GT(row["human"]["a"]["spearman"], row["human"]["b"]["spearman"]);
  EXPECT_LT(row["human"]["p"]["spearman"], 0.05);
}

TEST(Compare, UnscoredAndLonelyRowsAreCounted) {
  const test::Scratch scratch;
  std::string b = rows_of("b", {1, 2, 3, 4});
  b.replace(b.find("\"score\":2"), 9, "\"score\":null");
  const json row = run_json({"compare", scratch.file("a.jsonl", rows_of("a", {1, 2, 3, 4, 5})),
                             scratch.file("b.jsonl", b)})["comparisons"][0];
  EXPECT_EQ(row["n"], 3);
  EXPECT_EQ(row["unscored"], 1);
  EXPECT_EQ(row["alone"], 1);
}

TEST(Compare, Refusals) {
  const test::Scratch scratch;
  const std::string a = scratch.file("a.jsonl", rows_of("a", {1, 2, 3}));
  EXPECT_THAT(test::run_assay({"compare", a}).err, HasSubstr("nothing to compare"));
  EXPECT_EQ(test::run_assay({"compare", a}).code, 2);
  EXPECT_THAT(test::run_assay({"compare", a, "--by", "colour"}).err,
              HasSubstr("file, method, judge or system"));
  const std::string mixed = scratch.file(
      "m.jsonl", rows_of("a", {1, 2}) +
                     R"({"id":"0","dimension":"fluency","method":"n","judge":"z","score":1})"
                     "\n");
  EXPECT_THAT(test::run_assay({"compare", mixed}).err, HasSubstr("--by method|judge|system"));
}

}  // namespace
}  // namespace assay
