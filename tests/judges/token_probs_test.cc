#include "judges/token_probs.h"

#include <gtest/gtest.h>

#include <random>

namespace assay {
namespace {

using Tokens = std::vector<TokenChoice>;
using Probs = std::vector<OptionProb>;

struct Case {
  const char* what;
  AnswerSpec spec;
  Tokens reply;
  Probs expected;
};

TEST(OptionProbs, AreReadAtTheAnswersFirstToken) {
  const Number scale{1, 5, 1};
  const std::vector<Case> cases = {
      {"spellings are summed, not normalised",
       YesNo{},
       {{"Yes", {{"Yes", 0.5}, {" yes", 0.25}, {"YES", 0.125}, {"No", 0.0625}, {"Maybe", 0.03}}}},
       {{"yes", 0.875}, {"no", 0.0625}}},
      {"own words, in another script",
       YesNo{"да", "нет"},
       {{"да", {{"да", 0.75}, {" нет", 0.25}}}},
       {{"да", 0.75}, {"нет", 0.25}}},
      {"a digit of a scale",
       scale,
       {{" 4", {{" 4", 0.5}, {"3", 0.25}, {"9", 0.1}}}, {".", {}}},
       {{"1", 0}, {"2", 0}, {"3", 0.25}, {"4", 0.5}, {"5", 0}}},
      {"inside a JSON object",
       YesNo{},
       {{"{\"", {}},
        {"answer", {{"answer", 1}}},
        {"\":", {}},
        {" \"", {}},
        {"no", {{"no", 0.75}, {"yes", 0.25}}},
        {"\"}", {}}},
       {{"yes", 0.25}, {"no", 0.75}}},
      {"the quote belongs to the token",
       YesNo{},
       {{"{\"answer\":", {}}, {" \"no", {{" \"no", 0.75}, {"\"yes", 0.25}}}},
       {{"yes", 0.25}, {"no", 0.75}}},
      {"a token that begins one option alone",
       Choice{{"Agree", "Disagree"}},
       {{"Dis", {{"Dis", 0.5}, {"Ag", 0.25}, {"d", 0.125}}}, {"agree", {}}},
       {{"Agree", 0.25}, {"Disagree", 0.625}}},
      {"a token that begins two options counts for neither",
       Choice{{"better", "best"}},
       {{"be", {{"be", 0.5}, {"best", 0.25}}}},
       {{"better", 0}, {"best", 0.25}}},
      {"keyed: P(yes) under each id",
       Keyed{{"S1", "S2"}},
       {{"{\"S1\":\"", {}},
        {"yes", {{"yes", 0.75}, {"no", 0.25}}},
        {"\",\"S2\":\"", {}},
        {"no", {{"no", 0.5}, {"yes", 0.375}}},
        {"\"}", {}}},
       {{"S1", 0.75}, {"S2", 0.375}}},
      {"no options, no probabilities", Text{}, {{"yes", {{"yes", 1}}}}, {}},
      {"nothing came", YesNo{}, {}, {}},
      {"only punctuation", YesNo{}, {{"...", {{"yes", 1}}}}, {}},
  };
  for (const Case& c : cases) EXPECT_EQ(option_probs(c.spec, c.reply), c.expected) << c.what;
}

TEST(OptionProbs, AnyTokensAreTaken) {
  std::mt19937 random(11);
  const std::string bytes = "yesno{}\":, \n\xff\xc3-19";
  const std::vector<AnswerSpec> specs = {YesNo{}, Number{1, 10, 0.5}, Keyed{{"a", "b"}},
                                         Number{1, 5, 0}};
  for (int i = 0; i < 20000; ++i) {
    Tokens reply(random() % 5);
    for (TokenChoice& place : reply) {
      for (int n = static_cast<int>(random() % 6); n > 0; --n)
        place.token += bytes[random() % bytes.size()];
      place.top.push_back({place.token, 0.5});
    }
    for (const OptionProb& prob : option_probs(specs[random() % specs.size()], reply)) {
      EXPECT_LE(prob.p, 0.5);
    }
  }
}

}  // namespace
}  // namespace assay
