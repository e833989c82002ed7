// `assay meta` as a user types it: files in every shape it reads, every convention, and every way
// to go wrong.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "meta/run_assay.h"
#include "stats/random.h"

namespace assay {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// Two groups of four, one dimension; the second group's ratings run the other way.
std::string ratings() {
  std::string text;
  const double human[2][4] = {{1, 2, 3, 4}, {4, 3, 2, 1}};
  for (int g = 0; g < 2; ++g) {
    for (int s = 0; s < 4; ++s) {
      text += fmt::format(
          R"({{"id":"{0}{1}","group":"g{0}","system":"s{1}","source":"x","human":{{"fluency":{2}}},"human_raw":{{"fluency":[{2},{2},1]}}}})"
          "\n",
          g, s, human[g][s]);
    }
  }
  return text;
}

std::string results(const std::string& method = "m", const std::string& judge = "j") {
  std::string text;
  for (int g = 0; g < 2; ++g) {
    for (int s = 0; s < 4; ++s) {
      text += fmt::format(
          R"({{"id":"{}{}","dimension":"fluency","method":"{}","judge":"{}","score":{}}})"
          "\n",
          g, s, method, judge, s + 0.5 * g);
    }
  }
  return text;
}

class Meta : public testing::Test {
 protected:
  test::Outcome meta(std::vector<std::string> words) {
    words.insert(words.begin(), "meta");
    return test::run_assay(words);
  }
  json rows(std::vector<std::string> words) {
    words.insert(words.end(), {"--format", "json"});
    const test::Outcome outcome = meta(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(outcome.out, nullptr, false);
  }
  test::Scratch scratch;
  std::string human = scratch.file("rows.jsonl", ratings());
  std::string scores = scratch.file("results.jsonl", results());
};

TEST_F(Meta, LevelsAndKeys) {
  const json grouped = rows({scores, "--human", human, "--level", "grouped"})["rows"][0];
  EXPECT_EQ(grouped["spearman"], 0.0);
  EXPECT_EQ(grouped["groups"], 2);
  EXPECT_EQ(grouped["n"], 8);
  EXPECT_EQ(grouped["ci"]["spearman"], json::array({-1.0, 1.0}));
  for (const char* key : {"method", "judge", "dimension", "level", "constant", "n", "groups",
                          "dropped", "pearson", "spearman", "kendall_b", "kendall_c", "ci"}) {
    EXPECT_TRUE(grouped.contains(key)) << key;
  }
  const json system = rows({scores, "--human", human, "--level", "system"})["rows"][0];
  EXPECT_TRUE(system["pearson"].is_null());  // every system's mean rating is 2.5
  const json pooled = rows({scores, "--human", human, "--level", "pooled"})["rows"][0];
  EXPECT_NEAR(pooled["pearson"], 0, 0.3);
}

TEST_F(Meta, SameBytesOnAnyNumberOfThreads) {
  const std::vector<std::string> words = {scores, "--human",   human,     "--format",
                                          "json", "--ceiling", "--split", "2"};
  const std::string first = meta(words).out;
  for (const char* jobs : {"1", "7"}) {
    std::vector<std::string> more = words;
    more.insert(more.end(), {"-j", jobs});
    EXPECT_EQ(meta(more).out, first);
  }
}

TEST_F(Meta, EveryShapeOfFileGivesTheSame) {
  std::string csv = "id,dimension,method,judge,score\r\n";
  std::string map, wide;
  for (int g = 0; g < 2; ++g) {
    for (int s = 0; s < 4; ++s) {
      const double score = s + 0.5 * g;
      csv += fmt::format("{}{},fluency,m,j,{}\r\n", g, s, score);
      map += fmt::format(R"({{"id":"{}{}","method":"m","judge":"j","scores":{{"fluency":{}}}}})"
                         "\n",
                         g, s, score);
      wide += fmt::format(R"({{"id":"{}{}","judge":"j","m":{}}})"
                          "\n",
                          g, s, score);
    }
  }
  const json expected = rows({scores, "--human", human});
  EXPECT_EQ(rows({scratch.file("a.csv", csv), "--human", human}), expected);
  EXPECT_EQ(rows({scratch.file("b.jsonl", "\xEF\xBB\xBF" + map), "--human", human}), expected);
  EXPECT_EQ(rows({scratch.file("c.jsonl", wide), "--score", "m", "--human", human}), expected);
  std::string rated = "id,group,system,human.fluency\n";
  for (const std::string line : {"00,g0,s0,1", "01,g0,s1,2", "02,g0,s2,3", "03,g0,s3,4",
                                 "10,g1,s0,4", "11,g1,s1,3", "12,g1,s2,2", "13,g1,s3,1"}) {
    rated += line + "\n";
  }
  EXPECT_EQ(rows({scores, "--human", scratch.file("rows.csv", rated)}), expected);
}

TEST_F(Meta, RepliesBecomeScores) {
  std::string replies;
  for (int s = 0; s < 4; ++s) {
    replies += fmt::format(
        R"({{"id":"0{0}","dimension":"fluency","responses":["Scale 1-3.\nRating: {0}","no idea"]}})"
        "\n",
        s);
  }
  const std::string file = scratch.file("replies.jsonl", replies);
  EXPECT_EQ(rows({file, "--parser", "chiang-lee", "--human", human})["rows"][0]["pearson"], 1.0);
  const json strict = rows({file, "--parser", "strict", "--human", human})["rows"][0];
  EXPECT_EQ(strict["unscored"], 4);
  EXPECT_TRUE(strict["pearson"].is_null());
  const test::Outcome bare = meta({file, "--human", human});
  EXPECT_EQ(bare.code, 2);
  EXPECT_THAT(bare.err, HasSubstr("--parser"));
  const std::string written = scratch.path("scores.jsonl");
  meta({file, "--parser", "chiang-lee", "--human", human, "--write-scores", written});
  EXPECT_EQ(json::parse(test::slurp(written).substr(0, test::slurp(written).find('\n')))["score"],
            0.0);
}

TEST_F(Meta, UnscoredRowsAreCountedAndBounded) {
  std::string text = results();
  text.replace(text.find("\"score\":0}"), 10, "\"score\":null}");
  const test::Outcome outcome =
      meta({scratch.file("u.jsonl", text), "--human", human, "--format", "json"});
  const json row = json::parse(outcome.out)["rows"][0];
  EXPECT_EQ(row["unscored"], 1);
  EXPECT_EQ(row["n"], 7);
  EXPECT_LE(row["bounds"]["worst"]["spearman"], row["spearman"]);
  EXPECT_GE(row["bounds"]["best"]["spearman"], row["spearman"]);
  EXPECT_THAT(outcome.err, HasSubstr("1 rows unscored"));
}

TEST_F(Meta, ExcludesSplitsAndFolds) {
  const test::Outcome outcome =
      meta({scores, "--human", human, "--exclude", "system=s0", "--format", "json"});
  EXPECT_EQ(json::parse(outcome.out)["rows"][0]["n"], 6);
  EXPECT_THAT(outcome.err, HasSubstr("2 rows left out: system=s0"));
  const json split = rows({scores, "--human", human, "--split", "2.5"})["rows"];
  ASSERT_EQ(split.size(), 3u);
  EXPECT_EQ(split[1]["part"], "high");
  EXPECT_EQ(split[1]["n"], 4);
  const std::string second = scratch.file("second.jsonl", results());
  const json repeats = rows({scores, second, "--repeats", "--human", human})["rows"];
  ASSERT_EQ(repeats.size(), 1u);
  EXPECT_EQ(repeats[0]["repeats"], 2);
  EXPECT_EQ(repeats[0]["std"]["pearson"], 0.0);
  const json judges = rows({scores, scratch.file("k.jsonl", results("m", "k")), "--human", human});
  EXPECT_EQ(judges["judges"][0]["judges"], 2);
}

TEST_F(Meta, TestsBetweenMethods) {
  const json report =
      rows({scores, scratch.file("n.jsonl", results("n")), "--human", human, "--tests"});
  ASSERT_EQ(report["tests"].size(), 1u);
  EXPECT_EQ(report["tests"][0]["difference"]["pearson"], 0.0);
  EXPECT_EQ(report["tests"][0]["permutation_p"]["pearson"], 1.0);
}

TEST_F(Meta, OptionsMayComeFirst) {
  const json expected = rows({scores, "--human", human});
  EXPECT_EQ(rows({"--method", "m", "--dimension", "fluency", "--exclude", "system=none", scores,
                  "--human", human})["rows"],
            expected["rows"]);
}

TEST_F(Meta, TablesInEveryForm) {
  const std::string table = meta({scores, "--human", human}).out;
  EXPECT_THAT(table, Not(HasSubstr("\x1b")));
  EXPECT_THAT(meta({scores, "--human", human, "--format", "markdown"}).out, HasSubstr("|---|"));
  EXPECT_THAT(meta({scores, "--human", human, "--format", "latex"}).out,
              HasSubstr("\\begin{tabular}"));
  EXPECT_THAT(meta({scores, "--human", human, "--format", "csv"}).out, HasSubstr("kendall_b_lo"));
  EXPECT_THAT(meta({scores, "--human", human, "--wide", "spearman,kendall_b"}).out,
              HasSubstr("average"));
  const std::string file = scratch.path("table.md");
  EXPECT_EQ(meta({scores, "--human", human, "-o", file}).code, 0);
  EXPECT_THAT(test::slurp(file), HasSubstr("|---|"));
}

struct Bad {
  const char* name;
  std::string results;
  std::string human;
  std::vector<std::string> more;
  std::string says;
};

class BadInput : public testing::TestWithParam<Bad> {};

TEST_P(BadInput, IsOneClearLine) {
  const test::Scratch scratch;
  const Bad& bad = GetParam();
  std::vector<std::string> words = {
      "meta", scratch.file("r.jsonl", bad.results.empty() ? results() : bad.results), "--human",
      scratch.file("h.jsonl", bad.human.empty() ? ratings() : bad.human)};
  words.insert(words.end(), bad.more.begin(), bad.more.end());
  const test::Outcome outcome = test::run_assay(words);
  EXPECT_EQ(outcome.code, 2) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr(bad.says));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

const std::string kLine = R"({"id":"00","dimension":"fluency","method":"m","judge":"j","score":1})"
                          "\n";

INSTANTIATE_TEST_SUITE_P(
    Meta, BadInput,
    testing::Values(
        Bad{"empty", "\n", "", {}, "r.jsonl: empty"},
        Bad{"not_json", "nonsense\n", "", {}, "r.jsonl:1: not JSON"},
        Bad{"nan",
            R"({"id":"00","dimension":"fluency","score":NaN})"
            "\n",
            "",
            {},
            "written null"},
        Bad{"array", "[1,2]\n", "", {}, "JSON array"},
        Bad{"cut_off",
            kLine + R"({"id":"01","dimension":"flu)",
            "",
            {},
            "r.jsonl:2: the last line is incomplete"},
        Bad{"no_id",
            R"({"dimension":"fluency","score":1})"
            "\n",
            "",
            {},
            "r.jsonl:1: field `id` is missing"},
        Bad{"no_score",
            R"({"id":"00","rouge":0.2})"
            "\n",
            "",
            {},
            "numbers in this row: rouge"},
        Bad{"text_score",
            R"({"id":"00","dimension":"fluency","score":"good"})"
            "\n",
            "",
            {},
            "field `score` is not a number"},
        Bad{"off_scale",
            R"({"id":"00","dimension":"fluency","score":2,"scale":[0,1]})"
            "\n",
            "",
            {},
            "outside its scale"},
        Bad{"twice", kLine + kLine, "", {}, "r.jsonl:2: id `00`"},
        Bad{"strangers",
            R"({"id":"zz","dimension":"fluency","score":1})"
            "\n",
            "",
            {},
            "no id of"},
        Bad{"no_dimension",
            R"({"id":"00","dimension":"style","score":1})"
            "\n",
            "",
            {},
            "rates fluency"},
        Bad{"rating_off_scale",
            "",
            "",
            {"--human-scale", "1,3"},
            "h.jsonl:4: rating 4 of `fluency` is outside"},
        Bad{"rated_twice",
            "",
            ratings() + ratings(),
            {},
            "h.jsonl:9: id `00` was already rated on line 1"},
        Bad{"no_ratings",
            "",
            R"({"id":"00"})"
            "\n",
            {},
            "no row has ratings"},
        Bad{"no_groups",
            "",
            R"({"id":"00","human":{"fluency":1}})"
            "\n",
            {"--level", "grouped"},
            "`group`"},
        Bad{"bad_level", "", "", {"--level", "sample"}, "expected pooled, grouped or system"},
        Bad{"bad_constant", "", "", {"--constant", "drop"}, "skip, zero or human-one"},
        Bad{"bad_format", "", "", {"--format", "xml"}, "expected table"},
        Bad{"bad_exclude", "", "", {"--exclude", "system"}, "FIELD=VALUE"},
        Bad{"unknown_exclude", "", "", {"--exclude", "sytem=s0"}, "no row has a field `sytem`"},
        Bad{"bad_parser", "", "", {"--parser", "lenient"}, "strict, chiang-lee or geval"}),
    [](const auto& info) { return info.param.name; });

TEST_F(Meta, MissingAndUnmatchedIdsAreCounted) {
  const std::string file = scratch.file(
      "part.jsonl", kLine +
                        R"({"id":"01","dimension":"fluency","method":"m","judge":"j","score":2})"
                        "\n" +
                        R"({"id":"02","dimension":"fluency","method":"m","judge":"j","score":3})"
                        "\n" +
                        R"({"id":"zz","dimension":"fluency","method":"m","judge":"j","score":3})"
                        "\n" +
                        R"({"id":"00","dimension":"style","method":"m","judge":"j","score":3})"
                        "\n");
  const test::Outcome outcome = meta({file, "--human", human});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("5 of 8 rated rows have no result (the first: `03`)"));
  EXPECT_THAT(outcome.err, HasSubstr("1 ids of the results are not in"));
  EXPECT_THAT(outcome.err, HasSubstr("dimension `style` has no ratings"));
}

TEST_F(Meta, UndefinedIsSaidAndNull) {
  std::string constant = results();
  for (const char* score : {"0}", "1}", "2}", "3}", "0.5}", "1.5}", "2.5}", "3.5}"}) {
    const std::string key = std::string("\"score\":") + score;
    constant.replace(constant.find(key), key.size(), "\"score\":1}");
    constant.replace(constant.find("\"score\":1}"), 10, "\"score\": 1}");
  }
  for (const char* level : {"pooled", "grouped", "system"}) {
    const test::Outcome outcome = meta({scratch.file("const.jsonl", constant), "--human", human,
                                        "--level", level, "--format", "json"});
    const json row = json::parse(outcome.out)["rows"][0];
    for (const char* name : {"pearson", "spearman", "kendall_b", "kendall_c"})
      EXPECT_TRUE(row[name].is_null());
    EXPECT_THAT(outcome.err, HasSubstr("undefined"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("NaN")));
  }
}

TEST_F(Meta, SmallGroupsAreSaid) {
  const std::string two = R"({"id":"a","group":"g","human":{"fluency":1}})"
                          "\n"
                          R"({"id":"b","group":"g","human":{"fluency":2}})"
                          "\n";
  const std::string file = scratch.file("two.jsonl", R"({"id":"a","dimension":"fluency","score":1})"
                                                     "\n"
                                                     R"({"id":"b","dimension":"fluency","score":2})"
                                                     "\n");
  const std::string rated = scratch.file("two_rows.jsonl", two);
  const test::Outcome outcome =
      meta({file, "--human", rated, "--level", "grouped", "--format", "json"});
  EXPECT_TRUE(json::parse(outcome.out)["rows"][0]["pearson"].is_null());
  EXPECT_THAT(outcome.err, HasSubstr("fewer than 3 rows"));
  EXPECT_EQ(
      rows({file, "--human", rated, "--level", "grouped", "--min-rows", "2"})["rows"][0]["pearson"],
      1.0);
}

// Bytes changed at random in good files: an answer or one line, never a crash.
TEST_F(Meta, DamagedFilesNeverCrash) {
  for (int round = 0; round < 40; ++round) {
    Random random(3, round);
    std::string damaged = results();
    for (int k = 0; k < 3; ++k)
      damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
    if (round % 4 == 0) damaged.resize(random.below(damaged.size()));
    const test::Outcome outcome =
        meta({scratch.file("damaged.jsonl", damaged), "--human", human, "--bootstrap", "10"});
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 2) << outcome.code << "\n" << damaged;
  }
}

}  // namespace
}  // namespace assay
