#include "answer/parse.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "answer/schema.h"
#include "text/fence.h"

namespace assay {
namespace {

// A value as text, so that a case is one line.
std::string show(const Value& value) {
  struct Show {
    std::string operator()(std::monostate) const { return "-"; }
    std::string operator()(bool b) const { return b ? "yes" : "no"; }
    std::string operator()(double d) const { return nlohmann::json(d).dump(); }
    std::string operator()(const std::string& s) const { return s; }
    std::string operator()(const Named<bool>& all) const {
      std::string out;
      for (const auto& [id, v] : all) out += id + "=" + (*this)(v) + " ";
      return out;
    }
    std::string operator()(const Named<double>& all) const {
      std::string out;
      for (const auto& [id, v] : all) out += id + "=" + (*this)(v) + " ";
      return out;
    }
    std::string operator()(const Named<std::vector<std::string>>& all) const {
      std::string out;
      for (const auto& [id, list] : all) {
        out += id + "=[";
        for (const std::string& item : list) out += item + ",";
        out += "] ";
      }
      return out;
    }
    std::string operator()(const Named<Value>& all) const {
      std::string out;
      for (const auto& [id, v] : all) out += id + ":{" + std::visit(*this, v.data) + "} ";
      return out;
    }
  };
  return std::visit(Show{}, value.data);
}

const Record kVerdictsAndWeights{
    {{"verdicts", Keyed{{"a", "b"}}}, {"weights", Weights{{"a", "b"}}}}};

struct Case {
  AnswerSpec spec;
  const char* reply;
  const char* value;  // "!" and part of the problem, where it must not be read
};

const Case kCases[] = {
    {YesNo{}, "yes", "yes"},
    {YesNo{}, " No.\n", "no"},
    {YesNo{}, R"({"answer": "yes"})", "yes"},
    {YesNo{}, "```json\n{\"answer\": \"no\"}\n```", "no"},
    {YesNo{}, "yes and no", "!not just"},
    {YesNo{}, "Q1: yes", "!not just"},
    {YesNo{}, "I know", "!not just"},
    {YesNo{}, "", "!empty"},
    {YesNo{}, R"({"answer": "maybe"})", "!expected"},
    {YesNo{}, R"({"answer": "yes", "answer": "no"})", "!twice"},
    {YesNo{"ja", "nein"}, "Ja", "yes"},
    {YesNo{"ja", "nein"}, "yes", "!not just"},
    {Keyed{{"s1", "s2"}}, R"({"s1":"yes","s2":"no"})", "s1=yes s2=no "},
    {Keyed{{"s1", "s2"}}, R"({"s2":"No","s1":"YES"})", "s1=yes s2=no "},
    {Keyed{{"s1", "s2"}}, R"({"s1":"yes"})", "!\"s2\" is missing (1 of 2"},
    {Keyed{{"s1", "s2"}}, R"({"s1":"yes","s2":"no","s3":"yes"})", "!\"s3\" was not asked"},
    {Keyed{{"s1", "s2"}}, R"({"s1":"yes","s2":1})", "!\"s2\" must be"},
    {Keyed{{"s1", "s2", "s3"}}, "1,0", "!not a JSON object"},
    {Keyed{{"s1"}}, "<html><body>502 Bad Gateway</body></html>", "!not a JSON object"},
    {Keyed{{"s1", "s2"}}, R"({"s1":"yes","s2":)", "!not a JSON object"},
    {Keyed{{"s1"}}, R"({"s1":"yes","s1":"no"})", "!twice"},
    {Keyed{{"s1"}}, R"(The answer is {"s1":"yes"})", "!not a JSON object"},
    {Weights{{"a", "b"}}, R"({"a":0.25,"b":0.75})", "a=0.25 b=0.75 "},
    {Weights{{"a", "b"}}, R"({"a":1,"b":3})", "a=0.25 b=0.75 "},
    {Weights{{"a", "b"}}, R"({"a":0,"b":0})", "!sum to 1"},
    {Weights{{"a", "b"}}, R"({"a":-1,"b":2})", "!negative"},
    {Weights{{"a", "b"}}, R"({"a":1})", "!missing"},
    {Weights{{"a"}}, R"({"a":"1"})", "!number"},
    {Weights{{"a"}}, R"({"a":1e999})", "!"},
    {Number{1, 5, 1}, "4", "4.0"},
    {Number{1, 5, 1}, R"({"score": 4})", "4.0"},
    {Number{1, 5, 1}, "4.5", "!steps"},
    {Number{1, 5, 0.5}, "4.5", "4.5"},
    {Number{1, 5, 1}, "6", "!between"},
    {Number{1, 5, 1}, "nan", "!"},
    {Number{1, 5, 1}, "4 out of 5", "!"},
    {Choice{{"A", "B"}}, "A", "A"},
    {Choice{{"A", "B"}}, R"({"choice":"B"})", "B"},
    {Choice{{"A", "B"}}, "C", "!"},
    {Lists{{"facts"}}, R"({"facts":[" one ","two"]})", "facts=[one,two,] "},
    {Lists{{"facts"}}, R"({"facts":[]})", "facts=[] "},
    {Lists{{"facts"}}, R"({"facts":"one"})", "!list"},
    {Lists{{"facts"}}, R"({"facts":[1]})", "!strings"},
    {Links{{"s1", "s2"}, {"c1", "c2"}}, R"({"s1":["c2","c2"],"s2":[]})", "s1=[c2,] s2=[] "},
    {Links{{"s1"}, {"c1"}}, R"({"s1":["c9"]})", "!c9"},
    {Rated{"Rating", 1, 5, 1}, "Good. Rating: 4", "4.0"},
    {Rated{"Rating", 1, 5, 1}, "Rating: 2\nOn reflection:\n**Rating:** [3]", "3.0"},
    {Rated{"Rating", 1, 5, 1}, "rating is 5.", "5.0"},
    {Rated{"Rating", 1, 5, 1}, "Rating: 1-5", "!no \"Rating"},
    {Rated{"Rating", 1, 5, 1}, "Rating: 9", "!between"},
    {Rated{"Rating", 1, 5, 1}, "Rating: 80%", "!no \"Rating"},
    {Rated{"Rating", 1, 5, 1}, "operating: 4", "!no \"Rating"},
    {Rated{"Final score", 1, 5, 1}, "Final score: **4**", "4.0"},
    {Lines{{"Q1", "Q2"}}, "Q1: yes\nQ2: No.", "Q1=yes Q2=no "},
    {Lines{{"Q1", "Q2"}}, "Q1: no\n- **Q1**: Yes\nQ3: no", "Q1=yes "},
    {Lines{{"Q1"}}, "Q1: not sure\nI know: no", "!no line"},
    {Lines{{"Q1"}}, "Q1: yes and no", "!no line"},
    {Text{}, " anything ", "anything"},
    {Text{}, "  ", "!empty"},
    {kVerdictsAndWeights, R"({"verdicts":{"a":"yes","b":"no"},"weights":{"a":0.5,"b":0.5}})",
     "verdicts:{a=yes b=no } weights:{a=0.5 b=0.5 } "},
    {kVerdictsAndWeights, R"({"verdicts":{"a":"yes","b":"no"}})", "!\"weights\" is missing"},
    {kVerdictsAndWeights, R"({"verdicts":{"a":"yes"},"weights":{"a":0.5,"b":0.5}})",
     "!verdicts: \"b\" is missing"},
};

TEST(ParseAnswer, Table) {
  for (const Case& c : kCases) {
    const Parsed parsed = parse_answer(c.spec, c.reply);
    const std::string expected = c.value;
    if (expected.starts_with('!')) {
      EXPECT_FALSE(parsed.ok) << c.reply << " read as " << show(parsed.value);
      EXPECT_NE(parsed.problem.find(expected.substr(1)), std::string::npos)
          << c.reply << ": " << parsed.problem;
    } else {
      EXPECT_TRUE(parsed.ok) << c.reply << ": " << parsed.problem;
      EXPECT_EQ(show(parsed.value), expected) << c.reply;
    }
  }
}

TEST(ParseAnswer, ARecordKeepsThePartsThatCouldBeRead) {
  const Parsed parsed = parse_answer(
      kVerdictsAndWeights, R"({"verdicts":{"a":"yes","b":"no"},"weights":{"a":-1,"b":2}})");
  EXPECT_FALSE(parsed.ok);
  EXPECT_EQ(show(parsed.value), "verdicts:{a=yes b=no } ");
}

TEST(ParseAnswer, SaysWhatItMended) {
  EXPECT_NE(parse_answer(Weights{{"a", "b"}}, R"({"a":0.5,"b":0.4})").problem.find("0.9"),
            std::string::npos);
  EXPECT_EQ(parse_answer(Weights{{"a", "b"}}, R"({"a":0.3,"b":0.7})").problem, "");
}

// Any value built to satisfy a schema is accepted by the parser of the same shape: schema and
// parser are a pair.
nlohmann::json made_for(const nlohmann::json& schema, std::mt19937& random) {
  if (schema.contains("enum")) return schema["enum"][random() % schema["enum"].size()];
  const std::string type = schema["type"];
  if (type == "object") {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& item : schema["properties"].items())
      object[item.key()] = made_for(item.value(), random);
    return object;
  }
  if (type == "array") {
    nlohmann::json list = nlohmann::json::array();
    for (unsigned i = 0; i < random() % 4; ++i) list.push_back(made_for(schema["items"], random));
    return list;
  }
  if (type == "string") return "text " + std::to_string(random() % 100);
  const double lo = schema.value("minimum", 0.0);
  const double hi = schema.value("maximum", lo + 10);
  if (type == "integer")
    return static_cast<int>(lo) + static_cast<int>(random() % static_cast<unsigned>(hi - lo + 1));
  return lo + 0.5 * (1 + static_cast<double>(random() % 3));
}

TEST(Schema, EverythingASchemaAdmitsIsRead) {
  std::mt19937 random(11);
  const AnswerSpec specs[] = {
      Keyed{{"s1", "s2"}},
      Weights{{"a", "b"}},
      Number{1, 5, 1},
      Number{1, 5, 0.5},
      Choice{{"A", "B"}},
      Lists{{"x", "y"}},
      Links{{"s1"}, {"c1", "c2"}},
      kVerdictsAndWeights,
      Record{{{"u1", Number{1, 3, 1}}, {"why", Text{}}, {"good", YesNo{}}}}};
  for (const AnswerSpec& spec : specs) {
    const nlohmann::json schema = nlohmann::json::parse(answer_schema(spec));
    for (int i = 0; i < 200; ++i) {
      const std::string reply = made_for(schema, random).dump();
      const Parsed parsed = parse_answer(spec, reply);
      EXPECT_TRUE(parsed.ok) << shape_name(spec) << " " << reply << ": " << parsed.problem;
    }
  }
}

TEST(ParseAnswer, RandomBytesNeverCrashAndNeverGiveAVerdict) {
  std::mt19937 random(5);
  const std::string alphabet = R"({}[]",:s12yesno 0.5-e)";
  for (int round = 0; round < 20000; ++round) {
    std::string reply = round % 2 == 0 ? "" : R"({"s1":"yes","s2":"no"})";
    if (round % 2 == 1) reply[random() % reply.size()] = static_cast<char>(random() % 256);
    for (unsigned i = 0; round % 2 == 0 && i < random() % 40; ++i)
      reply += alphabet[random() % alphabet.size()];
    const Parsed parsed = parse_answer(Keyed{{"s1", "s2"}}, reply);
    if (parsed.ok) {
      EXPECT_EQ(parsed.value.as<Named<bool>>()->size(), 2U);
    } else {
      EXPECT_FALSE(parsed.problem.empty());
    }
  }
}

TEST(RepeatsJudgedText, FindsCopiesAndNothingElse) {
  const std::vector<Message> messages = {
      {Role::kSystem, "rules"},
      {Role::kUser, fence("Reply", R"(well {"s1":"yes"} it is)") + "\n" + fence("Text", "yes") +
                        "\nAnswer {\"s2\":\"yes\"}"}};
  EXPECT_TRUE(repeats_judged_text(R"({"s1":"yes"})", messages));
  EXPECT_TRUE(repeats_judged_text("```json\n{\"s1\":\"yes\"}\n```", messages));
  EXPECT_TRUE(repeats_judged_text(" yes ", messages));
  EXPECT_FALSE(repeats_judged_text(R"({"s2":"yes"})", messages));
  EXPECT_FALSE(repeats_judged_text(R"({"answer":"yes"})", messages));
  EXPECT_FALSE(repeats_judged_text("no", messages));
}

}  // namespace
}  // namespace assay
