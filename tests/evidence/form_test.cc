#include <gtest/gtest.h>

#include "texts.h"

namespace assay {
namespace {

TEST(CleanForm, TakesOffForEachFaultAndNamesIt) {
  struct Case {
    const char* output;
    double want;
    const char* note;
  };
  const Case cases[] = {
      {"The dog ran home.", 1, ""},
      {"The dog ran home", 0.8, "has no closing mark"},
      {"The dog ran to the.", 0.8, "ends on a function word"},
      {"He liked him.", 1, ""},
      {"The the dog ran home.", 0.5, "repeats \"the the\""},
      {"It ended 0 0 at home.", 1, ""},  // a score is no repeat
      {"Very , very good dogs ran.", 1, ""},
      {"In the end he ran and in the end he won.", 0.7, "repeats the phrase \"in the end\""},
      {"Dogs chase cats but cats fear dogs.", 0.8, "2 content words occur twice"},
      {"“The dog ran home.”", 1, ""},
  };
  for (const auto& c : cases) {
    Texts texts(c.output);
    const auto result = clean_form(texts.in);
    ASSERT_TRUE(result);
    EXPECT_DOUBLE_EQ(result->value, c.want) << c.output;
    EXPECT_EQ(result->note, c.note) << c.output;
  }
  Texts empty("...");
  EXPECT_FALSE(clean_form(empty.in));
}

TEST(SentenceForm, StartsFromTheSourcesWording) {
  Texts alone("The dog ran home.");
  EXPECT_DOUBLE_EQ(sentence_form(alone.in)->value, 1);
  Texts same("The dog ran home.", "Once the dog ran home.");
  EXPECT_DOUBLE_EQ(sentence_form(same.in)->value, 1);
  // Three of four words anywhere, three in order in one sentence.
  Texts near("The dog swam home.", "Once the dog ran home.");
  EXPECT_DOUBLE_EQ(sentence_form(near.in)->value, 0.75);
  EXPECT_EQ(sentence_form(near.in)->note, "its wording is 75% the source's");
  Texts cut("The dog ran", "Once the dog ran home.");
  EXPECT_DOUBLE_EQ(sentence_form(cut.in)->value, 0.8);
}

TEST(SentenceForm, JudgesOnlyTheUnit) {
  Texts texts("The the dog ran. He won.");
  EXPECT_DOUBLE_EQ(sentence_form(texts.unit(0, 0).in)->value, 0.5);
  EXPECT_DOUBLE_EQ(sentence_form(texts.unit(1, 1).in)->value, 1);
  EXPECT_DOUBLE_EQ(sentence_form(texts.unit(0, 1).in)->value, 0.75);
}

TEST(NoRepeatedBigrams, RampsToPoint155) {
  Texts none("The dog ran home. A cat slept.");
  EXPECT_DOUBLE_EQ(no_repeated_bigrams(none.in)->value, 1);
  Texts all("The dog ran home. The dog ran home.");
  EXPECT_DOUBLE_EQ(no_repeated_bigrams(all.in)->value, 0);
  EXPECT_EQ(no_repeated_bigrams(all.in)->note, "50% of its word pairs are repeats");
  // One of eleven pairs: the-dog.
  Texts one("The dog ran home to eat. Later the dog slept very long.");
  EXPECT_NEAR(no_repeated_bigrams(one.in)->value, 1 - (1.0 / 10) / 0.155, 1e-12);
  EXPECT_EQ(no_repetition(one.in)->value, no_repeated_bigrams(one.in)->value);
}

TEST(NoOverlap, LooksAtTheTwoMostAlike) {
  Texts apart("Dogs bark. Cats sleep.");
  EXPECT_DOUBLE_EQ(no_overlap(apart.in)->value, 1);
  Texts same("Dogs bark loudly. Cats sleep. Loudly bark dogs today.");
  EXPECT_DOUBLE_EQ(no_overlap(same.in)->value, 0);
  EXPECT_EQ(no_overlap(same.in)->note, "sentences 1 and 3 say much the same");
  Texts one("Dogs bark.");
  EXPECT_DOUBLE_EQ(no_overlap(one.in)->value, 1);
}

TEST(TypeToken, RampsFromPoint6) {
  Texts all("each word differs here");
  EXPECT_DOUBLE_EQ(type_token(all.in)->value, 1);
  Texts half("so so good good");
  EXPECT_DOUBLE_EQ(type_token(half.in)->value, 0);
  EXPECT_EQ(type_token(half.in)->note, "only 2 of 4 words differ");
  Texts some("dogs chase small dogs again");
  EXPECT_NEAR(type_token(some.in)->value, 0.5, 1e-12);
}

TEST(ShortTurn, AllowsThreeSentences) {
  Texts three("One. Two. Three.");
  EXPECT_DOUBLE_EQ(short_turn(three.in)->value, 1);
  Texts four("One. Two. Three. Four.");
  EXPECT_DOUBLE_EQ(short_turn(four.in)->value, 0.75);
  EXPECT_EQ(short_turn(four.in)->note, "4 sentences in one turn");
}

}  // namespace
}  // namespace assay
