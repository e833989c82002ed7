#include "engine/jury.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

// A judge's result: two units with one yes/no each.
Result says_of_units(const char* name, double first, double second, double weight = 1) {
  Result result;
  result.id = "r";
  result.dimension = "d";
  result.judge = name;
  result.scale = Scale{};
  result.evidence = node("d", Op::kMean,
                         {node("s1", Op::kWeighted, {leaf("q", first, weight)}),
                          node("s2", Op::kWeighted, {leaf("q", second, weight)})});
  result.score = result.evidence.value;
  result.usage.calls = 1;
  return result;
}

Result silent(const char* name) {
  Result result = says_of_units(name, 1, 1);
  result.score.reset();
  result.reason = "no answer came";
  return result;
}

TEST(Jury, HandWorked) {
  const std::vector<Result> judges = {says_of_units("a", 1, 1), says_of_units("b", 1, 0),
                                      says_of_units("c", 1, 0)};
  struct Case {
    const char* rule;
    double score;
  };
  for (const Case& c : {Case{"mean", 2.0 / 3}, Case{"median", 0.5}, Case{"majority", 0.5}}) {
    const Result jury = jury_result(judges, parse_jury_rule(c.rule), false);
    EXPECT_NEAR(*jury.score, c.score, 1e-12) << c.rule;
    EXPECT_NEAR(*recompute(jury.evidence), *jury.score, 1e-12) << c.rule;
    EXPECT_NEAR(*jury.deviation, 0.28867513459481287, 1e-12) << c.rule;
    EXPECT_EQ(jury.judge, "jury(a, b, c)");
    EXPECT_EQ(jury.usage.calls, 3);
  }
}

TEST(Jury, AnEvenJurySplitsAndTheMedianIsTheMeanOfTheMiddle) {
  const std::vector<Result> judges = {says_of_units("a", 1, 1), says_of_units("b", 0, 0),
                                      says_of_units("c", 1, 0), says_of_units("d", 0, 1)};
  EXPECT_DOUBLE_EQ(*jury_result(judges, JuryRule::kMajority, false).score, 0.5);
  EXPECT_DOUBLE_EQ(*jury_result(judges, JuryRule::kMedian, false).score, 0.5);
}

TEST(Jury, AJudgeWithoutAScoreIsLeftOutAndNeverZero) {
  const std::vector<Result> judges = {says_of_units("a", 1, 1), silent("b")};
  for (const JuryRule rule : {JuryRule::kMean, JuryRule::kMedian, JuryRule::kMajority}) {
    const Result jury = jury_result(judges, rule, false);
    EXPECT_DOUBLE_EQ(*jury.score, 1);
    EXPECT_NE(jury.evidence.note.find("1 of 2"), std::string::npos);
  }
  const std::vector<Result> nobody = {silent("a"), silent("b")};
  EXPECT_FALSE(jury_result(nobody, JuryRule::kMean, false).score.has_value());
  EXPECT_FALSE(jury_result(nobody, JuryRule::kMean, false).reason.empty());
}

TEST(Jury, UnequalScalesAndUnequalUnitsAreNotMixedSilently) {
  std::vector<Result> judges = {says_of_units("a", 1, 1), says_of_units("b", 1, 1)};
  judges[1].evidence = leaf("d", 4);
  judges[1].score = 4;
  EXPECT_FALSE(jury_result(judges, JuryRule::kMajority, false).score.has_value());
  judges[1].scale = Scale{1, 5};
  EXPECT_FALSE(jury_result(judges, JuryRule::kMean, false).score.has_value());
  const Result jury = jury_result(judges, JuryRule::kMean, true);
  EXPECT_DOUBLE_EQ(*jury.score, (1 + 0.75) / 2);
  EXPECT_NEAR(*recompute(jury.evidence), *jury.score, 1e-12);
}

}  // namespace
}  // namespace assay
