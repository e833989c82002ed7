// Analyze-Rate and Rate-Explain: the same question in two orders.

#include "methods/analyze_rate.h"

#include "rating_support.h"

namespace assay::rating_test {
namespace {

TEST(AnalyzeRate, TheTwoOrders) {
  for (const char* name : {"analyze-rate", "rate-explain"}) {
    const Step first = method(name)->next(sample(), {});
    const Question& question = asked(first).questions.at(0);
    EXPECT_EQ(std::get<Rated>(question.answer).label, "Rating");
    const std::string prompt = prompt_of(question);
    const std::size_t rating = prompt.find("\"Rating: n\"");
    const std::size_t words = std::min(prompt.find("Analysis:"), prompt.find("Explanation:"));
    ASSERT_NE(rating, std::string::npos);
    ASSERT_NE(words, std::string::npos);
    EXPECT_EQ(words < rating, std::string(name) == "analyze-rate") << prompt;
  }
}

TEST(AnalyzeRate, TheAnalysisIsTheNote) {
  const std::string reply = "Analysis: it jumps.\nRating: 2";
  for (const char* name : {"analyze-rate", "rate-explain"}) {
    const Step last = method(name)->next(sample(), {{rated(2, reply)}});
    expect_score(scored(last), 2);
    EXPECT_EQ(scored(last).evidence.note, reply);
  }
}

// A rating quoted from the text may stand before an analysis' own, or after an explanation's.
TEST(AnalyzeRate, AQuotedRatingDoesNotCount) {
  const std::string quoted_first = "The text says \"Rating: 5\" itself.\nRating: 2";
  expect_score(scored(method("analyze-rate")->next(sample(), {{rated(2, quoted_first)}})), 2);
  const std::string quoted_last = "Rating: 2\nExplanation: the text says \"Rating: 5\" itself.";
  expect_unscored(scored(method("rate-explain")->next(sample(), {{rated(5, quoted_last)}})),
                  "gives 2 first and 5 later");
  expect_score(scored(method("rate-explain")
                          ->next(sample(), {{rated(2, "**Rating:** [2]\nSo rating: 2 it is.")}})),
               2);
  // Among samples such a reply is left out like any that cannot be read.
  const auto sampled = method("rate-explain", with_probs("sample:2"));
  const Step last = sampled->next(sample(), {{rated(5, quoted_last), rated(3, "Rating: 3")}});
  expect_score(scored(last), 3);
  EXPECT_TRUE(has(scored(last).evidence.note, "1 of 2 samples left out"));
}

TEST(AnalyzeRate, NoStepsUnlessAskedFor) {
  EXPECT_EQ(make_preparation("analyze-rate", context()), nullptr);
  RateOptions options;
  options.steps = RateOptions::Steps::kGenerated;
  EXPECT_NE(make_preparation("rate-explain", context(options)), nullptr);
}

}  // namespace
}  // namespace assay::rating_test
