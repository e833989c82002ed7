// Hand-worked BLEU.

#include "metrics/bleu.h"

#include <gtest/gtest.h>

#include <cmath>

namespace assay {
namespace {

BleuOptions options(std::size_t order, Smooth smooth, double value = 0.1) {
  BleuOptions o;
  o.order = order;
  o.smooth = smooth;
  o.smooth_value = value;
  return o;
}

double joint(const BleuOptions& o, const std::string& output,
             const std::vector<std::string>& references) {
  return make_bleu(o)->joint(output, references).value.value();
}

// Papineni's example: seven times "the" against two references: clipped to 2 of 7.
TEST(Bleu, ClipsByTheLargestCountInAReference) {
  const std::vector<std::string> references{"The cat is on the mat", "There is a cat on the mat"};
  EXPECT_DOUBLE_EQ(joint(options(1, Smooth::kNone), "the the the the the the the", references),
                   1.0 / 7);
  const std::vector<std::string> lower{"the cat is on the mat", "there is a cat on the mat"};
  EXPECT_DOUBLE_EQ(joint(options(1, Smooth::kNone), "the the the the the the the", lower), 2.0 / 7);
}

// a b c d e x against a b c d e f g h: 5/6, 4/5, 3/4, 2/3; brevity exp(1 - 8/6).
TEST(Bleu, GeometricMeanAndBrevity) {
  const double want = std::exp(1 - 8.0 / 6) * std::pow(5.0 / 6 * 4 / 5 * 3 / 4 * 2 / 3, 0.25);
  EXPECT_NEAR(joint(options(4, Smooth::kNone), "a b c d e x", {"a b c d e f g h"}), want, 1e-15);
}

// Nearest length 5 of {3, 5, 9} to an output of 4: ties go to the shorter, 3.
TEST(Bleu, TakesTheNearestReferenceLength) {
  EXPECT_DOUBLE_EQ(
      joint(options(1, Smooth::kNone), "a b c d", {"a b c d e", "a b c", "a b c d e f g h i"}), 1);
  EXPECT_DOUBLE_EQ(joint(options(1, Smooth::kNone), "a b c d", {"a b c d e", "a b"}),
                   std::exp(1 - 5.0 / 4));
}

// a b x c against a b y c: unigrams 3/4, pairs 1/3, triples 0/2, fours 0/1.
TEST(Bleu, Smoothing) {
  const char* output = "a b x c";
  const std::vector<std::string> reference{"a b y c"};
  EXPECT_EQ(joint(options(4, Smooth::kNone), output, reference), 0);
  EXPECT_NEAR(joint(options(4, Smooth::kExp), output, reference),
              std::pow(3.0 / 4 / 3 * (0.5 / 2) * (0.25 / 1), 0.25), 1e-15);
  EXPECT_NEAR(joint(options(4, Smooth::kFloor, 0.1), output, reference),
              std::pow(3.0 / 4 / 3 * (0.1 / 2) * (0.1 / 1), 0.25), 1e-15);
  EXPECT_NEAR(joint(options(4, Smooth::kAddK, 1), output, reference),
              std::pow(3.0 / 4 * 2 / 4 * 1 / 3 * 1 / 2, 0.25), 1e-15);
  EXPECT_EQ(joint(options(4, Smooth::kExp), "q r", reference),
            0);  // nothing shared is not smoothed
}

TEST(Bleu, ShortTextsUseTheOrdersTheyHave) {
  EXPECT_DOUBLE_EQ(joint(options(4, Smooth::kExp), "a b", {"a b"}), 1);
  EXPECT_EQ(joint(options(4, Smooth::kExp), "", {"a b"}), 0);
  EXPECT_EQ(joint(options(4, Smooth::kExp), "a b", {""}), 0);
}

TEST(Bleu, CorpusAddsCountsUp) {
  // Rows: 4/4 3/3 2/2 1/1 of 4 words, and 1/4 0/3 0/2 0/1 of 4 words: 5/8 3/6 2/4 1/2.
  const auto corpus = make_corpus_bleu(options(4, Smooth::kNone));
  const auto other = make_corpus_bleu(options(4, Smooth::kNone));
  corpus->add(0, "a b c d", std::vector<std::string>{"a b c d"});
  other->add(0, "a x y z", std::vector<std::string>{"q q q a"});
  corpus->merge(*other);
  EXPECT_NEAR(corpus->score(0).value.value(), std::pow(5.0 / 8 * 3 / 6 * 2 / 4 * 1 / 2, 0.25),
              1e-15);
  EXPECT_EQ(corpus->score(0).note, "matches 5/8 3/6 2/4 1/2, words 8 against 8");
}

TEST(Bleu, CorpusWithoutLongGramsIsZero) {
  const auto corpus = make_corpus_bleu(options(4, Smooth::kExp));
  corpus->add(0, "a b", std::vector<std::string>{"a b"});
  EXPECT_EQ(corpus->score(0).value.value(), 0);
}

// Unigrams 1/2, pairs 0/1, ratio 2/4.
TEST(Bleu, NlgEvalFormula) {
  BleuOptions o;
  o.order = 2;
  o.nlg_eval = true;
  const double product = (1 + 1e-15) / (2 + 1e-9) * (1e-15 / (1 + 1e-9));
  const double ratio = (2 + 1e-15) / (4 + 1e-9);
  EXPECT_NEAR(joint(o, "a x", {"a b c d"}), std::sqrt(product) * std::exp(1 - 1 / ratio), 1e-22);
  o.order = 1;
  EXPECT_NEAR(joint(o, "Hello, you", {"Hello , you"}),
              (1 + 1e-15) / (2 + 1e-9) * std::exp(1 - 3.0 / 2), 1e-9);
}

}  // namespace
}  // namespace assay
