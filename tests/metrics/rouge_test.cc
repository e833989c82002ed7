// Hand-worked ROUGE in its three conventions.

#include "metrics/rouge.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

double one(Scorer& scorer, const std::string& output, const std::string& reference) {
  const std::vector<std::string> references{reference};
  return scorer.each(output, references)[0].value.value();
}

TEST(Rouge155, CountsSharedStems) {
  const auto r1 = make_rouge155(RougeKind::k1, Measure::kF);
  // police kill the gunman / police killed the gunman: killed -> kill, all four shared.
  EXPECT_EQ(one(*r1, "police kill the gunman", "Police killed the gunman ."), 1);
  // the cat / the cat sat: P 2/2, R 2/3, F 0.8.
  EXPECT_EQ(one(*r1, "the cat", "the cat sat"), 0.8);
  // P 1/3 (the is clipped to one), R 1/2, F 0.4.
  EXPECT_EQ(one(*r1, "the the the", "the dog"), 0.4);
  const auto r2 = make_rouge155(RougeKind::k2, Measure::kRecall);
  // Pairs of the reference: the-cat cat-sat sat-down; shared the-cat: 1/3 to five decimals.
  EXPECT_EQ(one(*r2, "the cat slept", "the cat sat down"), 0.33333);
}

// Lin's own example (2004, section 3.2): reference w1..w5; output sentences w1 w2 w6 w7 w8 and
// w1 w3 w8 w9 w5. The subsequences are w1 w2 and w1 w3 w5, their union w1 w2 w3 w5: recall 4/5.
TEST(Rouge155, LTakesTheUnionOverSentences) {
  const auto recall = make_rouge155(RougeKind::kL, Measure::kRecall);
  EXPECT_EQ(one(*recall, "w1 w2 w6 w7 w8 . w1 w3 w8 w9 w5 .", "w1 w2 w3 w4 w5 ."), 0.8);
  const auto precision = make_rouge155(RougeKind::kL, Measure::kPrecision);
  EXPECT_EQ(one(*precision, "w1 w2 w6 w7 w8 . w1 w3 w8 w9 w5 .", "w1 w2 w3 w4 w5 ."), 0.4);
}

// "the" is marked in both reference sentences but the output has it once: 1 + b and c.
TEST(Rouge155, LClipsByTheOutput) {
  const auto recall = make_rouge155(RougeKind::kL, Measure::kRecall);
  EXPECT_EQ(one(*recall, "the b c", "the b . the c"), 0.75);
}

TEST(Rouge155, MeansTieExactly) {
  // (0.1 + 0.2 + 0.3) in any order, in hundred-thousandths.
  const std::int64_t up[] = {10000, 20000, 30000};
  const std::int64_t down[] = {30000, 20000, 10000};
  EXPECT_EQ(rouge155_mean(up), 0.2);
  EXPECT_EQ(rouge155_mean(down), 0.2);
  const std::int64_t third[] = {1, 0, 0};
  EXPECT_EQ(rouge155_mean(third), 0.000003333);
  const std::int64_t none[] = {0, 0};
  EXPECT_EQ(rouge155_mean(none), 0);
}

TEST(RougePorter, ComparesWholeTexts) {
  const auto rl = make_rouge_porter(RougeKind::kL, Measure::kF);
  // Sentences do not matter: "the cat sat" of 3 and 6 words; P 1, R 1/2, F 2/3.
  EXPECT_DOUBLE_EQ(one(*rl, "The cat sat.", "the cat. it sat on mats"), 2.0 / 3);
  EXPECT_EQ(one(*rl, "...", "the cat"), 0);
  EXPECT_EQ(one(*rl, "the cat", "..."), 0);
  const auto r2 = make_rouge_porter(RougeKind::k2, Measure::kPrecision);
  EXPECT_DOUBLE_EQ(one(*r2, "a b c", "b c a b"), 1.0);
}

// P 2/3, R 2/4: F = 2.44 * (1/3) / (1/2 + 1.44 * 2/3).
TEST(RougeNlgEval, WeighsRecallByBeta) {
  const auto rl = make_rouge_nlg_eval(Measure::kF);
  EXPECT_DOUBLE_EQ(one(*rl, "a b x", "a y b z"), 2.44 / 3 / (0.5 + 1.44 * 2 / 3));
  EXPECT_EQ(one(*rl, "Running", "running"), 0);  // no stemming, case kept
}

TEST(RougeNlgEval, JointTakesBestPrecisionAndBestRecall) {
  const auto rl = make_rouge_nlg_eval(Measure::kF);
  // against "a b": P 2/4 R 1; against "a b c d e f": P 1 R 4/6. Joint: P 1, R 1.
  EXPECT_DOUBLE_EQ(
      rl->joint("a b c d", std::vector<std::string>{"a b", "a b c d e f"}).value.value(), 1);
}

TEST(Rouge, TheReferenceCacheChangesNothing) {
  const auto kept = make_rouge155(RougeKind::kL, Measure::kF);
  for (const char* output : {"one two three", "three two one . one two", "two two . three"}) {
    const auto fresh = make_rouge155(RougeKind::kL, Measure::kF);
    EXPECT_EQ(one(*kept, output, "one two . two three"),
              one(*fresh, output, "one two . two three"));
  }
}

}  // namespace
}  // namespace assay
