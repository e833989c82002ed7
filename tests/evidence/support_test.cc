#include <gtest/gtest.h>

#include "texts.h"

namespace assay {
namespace {

constexpr std::string_view kSource =
    "A van was robbed outside a bank in Glasgow on Monday. Three armed men took 800,000 pounds. "
    "Two guards aged 47 "
    "and 49 were left shaken. The area around the bank was closed. Police found the car near a "
    "college.";

TEST(SourceSupport, IsFullForTheSourcesOwnSentence) {
  Texts texts("Three armed men took 800 , 000 pounds .", kSource);
  const auto result = source_support(texts.in);
  ASSERT_TRUE(result);
  EXPECT_DOUBLE_EQ(result->value, 1);
  EXPECT_EQ(result->note, "");
  EXPECT_EQ(result->nearest, 1u);
}

TEST(SourceSupport, FallsAndSaysWhy) {
  struct Case {
    const char* output;
    double below;
    const char* note;
  };
  const Case cases[] = {
      {"A van was robbed outside a bank in Berlin on Monday.", 0.55, "new name \"Berlin\""},
      {"Three armed men took 900,000 pounds.", 0.5, "number 900,000 is not in the source"},
      {"Four armed men took 800,000 pounds.", 0.6, "number Four is not in the source"},
      {"Thieves stole cash.", 0.1, "0 of 3 content words are in the source"},
      {"Police closed Monday the guards bank in pounds.", 0.4,
       "no single source sentence carries it (best 0.25)"},
  };
  for (const auto& c : cases) {
    Texts texts(c.output, kSource);
    const auto result = source_support(texts.in);
    ASSERT_TRUE(result);
    EXPECT_LT(result->value, c.below) << c.output;
    EXPECT_EQ(result->note, c.note) << c.output;
  }
}

TEST(SourceSupport, FollowsTheStatedFormula) {
  // Content words: van, robbed, Berlin (name, twice): 2 of 4; one new name; bigrams a-van, van-was,
  // was-robbed of five; the longest common subsequence a van was robbed in: 5 of 6.
  Texts texts("A van was robbed in Berlin.", kSource);
  const double want = 2.0 / 4 * 0.7 * ((3.0 / 5 + 5.0 / 6) / 2);
  EXPECT_NEAR(source_support(texts.in)->value, want, 1e-12);
}

TEST(SourceSupport, OfSeveralSentencesIsTheirMean) {
  Texts both("Three armed men took 800,000 pounds. Bananas ripen slowly.", kSource);
  EXPECT_DOUBLE_EQ(source_support(both.in)->value, 0.5);
  EXPECT_DOUBLE_EQ(source_support(both.unit(0, 0).in)->value, 1);
  EXPECT_DOUBLE_EQ(source_support(both.unit(1, 1).in)->value, 0);
}

TEST(SourceSupport, NeedsASource) {
  Texts texts("Anything.");
  EXPECT_FALSE(source_support(texts.in));
  EXPECT_FALSE(names_and_numbers(texts.in));
  EXPECT_FALSE(source_order(texts.in));
  EXPECT_FALSE(weakest_support(texts.in));
}

TEST(NamesAndNumbers, CountsEachNewOneOnce) {
  Texts good("Two thieves fled from Glasgow.", kSource);
  EXPECT_DOUBLE_EQ(names_and_numbers(good.in)->value, 1);
  Texts bad("It was Berlin, yes Berlin, in 1999.", kSource);
  EXPECT_DOUBLE_EQ(names_and_numbers(bad.in)->value, 0.7 * 0.7);
  EXPECT_EQ(names_and_numbers(bad.in)->note,
            "new name \"Berlin\"; number 1999 is not in the source");
}

TEST(SourceOrder, WantsOneToThreeSentencesOn) {
  struct Case {
    const char* output;
    double want;
    const char* note;
  };
  const Case cases[] = {
      {"A van was robbed in Glasgow. Three armed men took pounds.", 1, ""},
      {"A van was robbed in Glasgow. The area was closed.", 1, ""},
      {"Three armed men took pounds. A van was robbed in Glasgow.", 0,
       "steps back from source sentence 2 to 1"},
      {"A van was robbed in Glasgow. Police found the car.", 0,
       "jumps from source sentence 1 to 5"},
      {"A van was robbed in Glasgow. Bananas ripen.", 0, "one of the two is not from the source"},
  };
  for (const auto& c : cases) {
    Texts texts(c.output, kSource);
    const auto result = source_order(texts.in);
    ASSERT_TRUE(result);
    EXPECT_DOUBLE_EQ(result->value, c.want) << c.output;
    EXPECT_EQ(result->note, c.note) << c.output;
  }
  Texts one("A van was robbed.", kSource);
  EXPECT_FALSE(source_order(one.in));
}

TEST(WeakestSupport, IsTheWorstSentencesWhateverTheUnit) {
  Texts texts("Three armed men took 800,000 pounds. Bananas ripen slowly.", kSource);
  EXPECT_DOUBLE_EQ(weakest_support(texts.unit(0, 0).in)->value, 0);
  EXPECT_EQ(weakest_support(texts.in)->note, "sentence 2 follows no sentence of the source");
  Texts good("Three armed men took 800,000 pounds.", kSource);
  EXPECT_DOUBLE_EQ(weakest_support(good.in)->value, 1);
}

}  // namespace
}  // namespace assay
