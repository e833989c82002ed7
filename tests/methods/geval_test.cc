// G-Eval: generated steps, the score alone, its expected value.

#include "methods/geval.h"

#include "rating_support.h"

namespace assay::rating_test {
namespace {

TEST(Geval, TheExpectedScoreIsTheDefault) {
  const auto made = method("g-eval", {}, {"1. Read.\n2. Score."});
  const Step first = made->next(sample(), {});
  const Question& question = asked(first).questions.at(0);
  EXPECT_TRUE(std::holds_alternative<Number>(question.answer));
  EXPECT_TRUE(question.sampling.probabilities);
  EXPECT_EQ(question.sampling.temperature, 0);
  EXPECT_TRUE(has(prompt_of(question), "1. Read.\n2. Score."));
  Verdict verdict = rated(4, "4");
  verdict.probs = {{"1", 0.0}, {"2", 0.125}, {"3", 0.125}, {"4", 0.5}, {"5", 0.25}};
  expect_score(scored(made->next(sample(), {{verdict}})),
               (2 * 0.125 + 3 * 0.125 + 4 * 0.5 + 5 * 0.25) / 1.0);
}

TEST(Geval, TwentySamplesInPlaceOfProbabilities) {
  const auto made = method("g-eval", with_probs("sample:20"), {"1. Read."});
  EXPECT_EQ(asked(made->next(sample(), {})).questions.size(), 20U);
  Round round(15, rated(5));
  round.resize(20, rated(1));
  expect_score(scored(made->next(sample(), {round})), 4);
}

TEST(Geval, StepsAreAskedForWithoutAnyRow) {
  const auto preparation = make_preparation("g-eval", context());
  const PrepareStep first =
      preparation->next({"summarization", "coherence", {labelled("a", 1)}, {}}, {});
  const Question& question = std::get<Ask>(first).questions.at(0);
  EXPECT_FALSE(has(prompt_of(question), "Text of a"));
  EXPECT_TRUE(has(prompt_of(question), "Article, Summary"));
  const PrepareStep last =
      preparation->next({"summarization", "coherence", {}, {}}, {{text("1. Read.\n2. Score.")}});
  EXPECT_EQ(std::get<Artefact>(last).body,
            "artefact: rating\ntask: summarization\ndimension: coherence\nsteps: |-\n  1. Read.\n  "
            "2. Score.\n");
  EXPECT_TRUE(std::get<Artefact>(last).seen.empty());
}

TEST(Geval, WithoutStepsOrWithTheRubricsNothingIsPrepared) {
  RateOptions options;
  for (const auto steps : {RateOptions::Steps::kNone, RateOptions::Steps::kRubric}) {
    options.steps = steps;
    EXPECT_EQ(make_preparation("g-eval", context(options)), nullptr);
    EXPECT_EQ(has(prompt_of(asked(method("g-eval", options)->next(sample(), {})).questions[0]),
                  "in these steps"),
              steps == RateOptions::Steps::kRubric);
  }
}

// The long texts first, or the paper's order: task, steps, texts, form.
TEST(Geval, BothLayouts) {
  RateOptions options;
  const auto prompt = [&] {
    return prompt_of(
        asked(method("g-eval", options, {"1. Read."})->next(sample(), {})).questions[0]);
  };
  const std::string shared = prompt();
  options.layout = "paper";
  const std::string paper = prompt();
  EXPECT_LT(shared.find("Ann won. She"), shared.find("1. Read."));
  EXPECT_GT(paper.find("Ann won. She"), paper.find("1. Read."));
  EXPECT_LT(paper.find("Ann won. She"), paper.find("the score alone"));
}

}  // namespace
}  // namespace assay::rating_test
