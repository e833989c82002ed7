#include "report/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <clocale>
#include <cmath>
#include <limits>
#include <locale>
#include <nlohmann/json.hpp>
#include <random>

#include "assay/error.h"
#include "report/fixtures.h"

namespace assay {
namespace {

using testing::bridge_result;
using ::testing::HasSubstr;

TEST(ResultJson, IsExactlyTheDocumentedLine) {
  EXPECT_EQ(
      result_json(bridge_result()),
      R"({"id":"news-07","group":"news","system":"lead-3","dimension":"coherence","method":"seal",)"
      R"("judge":"builtin","judge_kind":"lexical baseline, not an LLM","layout":"shared","score":0.5,"scale":[0,1],)"
      R"("status":"scored","reason":"","evidence":{"label":"coherence","op":"mean","value":0.5,"weight":1,"note":"",)"
      R"("span":null,"links":[],"children":[{"label":"units/1","op":"weighted","value":1,"weight":1,"note":"",)"
      R"("span":{"field":"output","begin":0,"end":54},"links":[],"children":[{"label":"units/1/logical-continuity",)"
      R"("op":"leaf","value":1,"weight":1,"note":"","span":null,"links":[],"children":[]}]},{"label":"units/2",)"
      R"("op":"weighted","value":0,"weight":1,"note":"","span":{"field":"output","begin":29,"end":85},"links":[],)"
      R"("children":[{"label":"units/2/logical-continuity","op":"leaf","value":0,"weight":1,)"
      R"("note":"the sentences share no name and no word","span":null,"links":[],"children":[]}]}]},)"
      R"("usage":{"calls":3,"prompt_tokens":100,"cached_tokens":20,"completion_tokens":7,"usd":0.25,"ms":1.5,)"
      R"("stages":{"verdicts":{"calls":3,"prompt_tokens":100,"cached_tokens":20,"completion_tokens":7,"usd":0.25,)"
      R"("ms":1.5}}},"run":"abc"})");
}

TEST(ResultJson, UnscoredIsNullAndKeepsItsReason) {
  Result result = bridge_result();
  result.score.reset();
  result.scale.reset();
  result.reason = "the reply was <html>";
  result.evidence.value.reset();
  const std::string line = result_json(result);
  EXPECT_THAT(
      line,
      HasSubstr(
          R"("score":null,"scale":null,"status":"unscored","reason":"the reply was <html>")"));
  const Result back = parse_result(line, "x");
  EXPECT_FALSE(back.score);
  EXPECT_FALSE(back.scale);
  EXPECT_EQ(back.reason, result.reason);
}

TEST(ResultJson, NothingThatIsNoNumberIsEverWritten) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Result result = bridge_result();
    result.score = bad;
    result.deviation = bad;
    result.evidence.value = bad;
    const std::string line = result_json(result);
    EXPECT_TRUE(nlohmann::json::accept(line)) << line;
    EXPECT_THAT(
        line,
        HasSubstr(
            R"("score":null,"scale":[0,1],"status":"unscored","reason":"the score was not a)"));
    EXPECT_EQ(line.find("nan"), std::string::npos);
    EXPECT_EQ(line.find("inf"), std::string::npos);
  }
}

TEST(ResultJson, EveryStringIsValidJson) {
  Result result = bridge_result();
  using namespace std::string_literals;
  result.reason = "\x00\x01\x1f \" \\ \n\r\t\x7f é 漢 😀 \xff\xc0\x80\xed\xa0\x80\xf5"s;
  const auto json = nlohmann::json::parse(result_json(result));
  EXPECT_THAT(json["reason"].get<std::string>(), HasSubstr("é 漢"));
  EXPECT_THAT(json["reason"].get<std::string>(), HasSubstr("\xef\xbf\xbd"));
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    result.id.assign(random() % 20, '\0');
    for (char& c : result.id) c = static_cast<char>(random());
    ASSERT_TRUE(nlohmann::json::accept(result_json(result)));
  }
}

class Comma : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(ResultJson, NumbersDoNotFollowTheLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed
  Result result = bridge_result();
  result.score = 0.1 + 0.2;
  result.usage.prompt_tokens = 1234567;
  result.usage.usd = 1234.5;
  const std::string line = result_json(result);
  const Result back = parse_result(line, "x");
  std::setlocale(LC_ALL, "C");
  std::locale::global(before);
  EXPECT_THAT(line, HasSubstr("\"score\":0.30000000000000004,"));
  EXPECT_THAT(line, HasSubstr("\"prompt_tokens\":1234567,"));
  EXPECT_THAT(line, HasSubstr("\"usd\":1234.5,"));
  EXPECT_EQ(*back.score, 0.1 + 0.2);
}

std::string random_text(std::mt19937_64& random) {
  static constexpr const char* kPieces[] = {"a",  "\"", "\\", "\n", "é",
                                            "漢", "😀",  " ",  "/",  "\x01"};
  std::string text;
  for (std::size_t n = random() % 8; n > 0; --n) text += kPieces[random() % std::size(kPieces)];
  return text;
}

double random_double(std::mt19937_64& random) {
  for (;;) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) return value;
  }
}

Evidence random_tree(std::mt19937_64& random, int depth) {
  Evidence node;
  node.label = random_text(random);
  node.op = static_cast<Op>(random() % 7);
  if (random() % 4 != 0) node.value = random_double(random);
  node.weight = random_double(random);
  node.note = random_text(random);
  if (random() % 2) node.span = Span{random_text(random), random() % 9, 9 + random() % 9};
  for (std::size_t n = random() % 3; n > 0; --n) node.links.push_back(random_text(random));
  for (std::size_t n = depth < 4 ? random() % 4 : 0; n > 0; --n) {
    node.children.push_back(random_tree(random, depth + 1));
  }
  return node;
}

TEST(ResultJson, RoundTripIsExact) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 500; ++i) {
    Result result = bridge_result();
    for (std::string* text :
         {&result.id, &result.group, &result.system, &result.judge_kind, &result.reason}) {
      *text = random_text(random);
    }
    if (random() % 3 == 0) result.score.reset();
    if (result.score) result.score = random_double(random);
    if (random() % 2) result.deviation = random_double(random);
    result.scale = Scale{random_double(random), random_double(random)};
    result.usage.usd = random_double(random);
    result.usage.calls = std::numeric_limits<std::int64_t>::max();
    result.evidence = random_tree(random, 0);
    const std::string line = result_json(result);
    const Result back = parse_result(line, "x");
    EXPECT_EQ(result_json(back), line);
    EXPECT_EQ(back.score, result.score);
    EXPECT_EQ(back.usage, result.usage);
    EXPECT_EQ(back.stages, result.stages);
    EXPECT_EQ(back.id, result.id);
  }
}

TEST(ParseResult, NamesWhatIsWrong) {
  const nlohmann::ordered_json good = nlohmann::ordered_json::parse(result_json(bridge_result()));
  struct Case {
    const char* pointer;
    const char* value;  // empty: the key is removed
    const char* problem;
  };
  const std::vector<Case> cases = {
      {"/id", "", "r.jsonl:3: a result without \"id\""},
      {"/id", "5", "r.jsonl:3: \"id\" must be a string"},
      {"/score", "\"0.5\"", "r.jsonl:3: \"score\" must be a number or null"},
      {"/score", "null", "r.jsonl:3: \"status\" is \"scored\", but \"score\" is null"},
      {"/status", "\"unscored\"",
       "r.jsonl:3: \"status\" is \"unscored\", but \"score\" is a number"},
      {"/status", "\"done\"", "r.jsonl:3: \"status\" must be \"scored\" or \"unscored\""},
      {"/scale", "[1]", "r.jsonl:3: \"scale\" must be [LOW,HIGH] or null"},
      {"/evidence/op", "\"median\"", "r.jsonl:3: \"op\" is \"median\", which is none"},
      {"/evidence/children", "{}", "r.jsonl:3: \"children\" must be a list"},
      {"/evidence/children/0/span/begin", "99", "r.jsonl:3: a \"span\" that ends before it begins"},
      {"/evidence/weight", "null", "r.jsonl:3: \"weight\" must be a number"},
      {"/usage/calls", "-1", "r.jsonl:3: \"calls\" must be a whole number from 0"},
      {"/usage/calls", "1.5", "r.jsonl:3: \"calls\" must be a whole number from 0"},
      {"/usage/stages/verdicts", "1", "r.jsonl:3: \"stages\" must be an object"},
  };
  for (const Case& c : cases) {
    auto json = good;
    const nlohmann::ordered_json::json_pointer pointer(c.pointer);
    if (*c.value == '\0') {
      json.erase(pointer.back());
    } else {
      json[pointer] = nlohmann::ordered_json::parse(c.value);
    }
    try {
      parse_result(json.dump(), "r.jsonl:3");
      ADD_FAILURE() << c.problem;
    } catch (const ConfigError& error) {
      EXPECT_STREQ(error.what(), c.problem);
    }
  }
}

TEST(ParseResult, PassesOverKeysItDoesNotKnow) {
  auto json = nlohmann::ordered_json::parse(result_json(bridge_result()));
  json["comment"] = "mine";
  EXPECT_EQ(parse_result(json.dump(), "x").id, "news-07");
}

TEST(ParseResult, MutatedLinesThrowNothingElse) {
  std::mt19937 random(6);
  const std::string good = result_json(bridge_result());
  for (int i = 0; i < 4000; ++i) {
    std::string line = good;
    for (std::size_t n = 1 + random() % 3; n > 0; --n)
      line[random() % line.size()] = static_cast<char>(random());
    if (i % 5 == 0) line.resize(random() % line.size());
    try {
      parse_result(line, "x");
    } catch (const ConfigError&) {
    }
  }
  EXPECT_THROW(parse_result(std::string(100000, '['), "x"), ConfigError);
  EXPECT_THROW(parse_result(R"({"id":1e999})", "x"), ConfigError);
  std::string deep = "{}";
  Result result = bridge_result();
  for (int i = 0; i < 300; ++i) {
    Evidence parent;
    parent.children.push_back(std::move(result.evidence));
    result.evidence = std::move(parent);
  }
  EXPECT_THROW(parse_result(result_json(result), "x"), ConfigError);
}

}  // namespace
}  // namespace assay
