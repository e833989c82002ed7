// Hand-worked chrF2.

#include "metrics/chrf.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

double chrf(const std::string& output, const std::string& reference) {
  return make_chrf()->each(output, std::vector<std::string>{reference})[0].value.value();
}

// "abcd" against "abce" (white space left out):
//   order 1: a b c shared, 3 of 4 and 4;  order 2: ab bc, 2 of 3;  order 3: abc, 1 of 2;  order 4:
//   0 of 1; orders 5 and 6: neither text is long enough, so they do not count.
// Precision = recall = (3/4 + 2/3 + 1/2 + 0) / 4 = 23/48, and so F = 23/48.
TEST(Chrf, MeanOverOrders) { EXPECT_NEAR(chrf("ab cd", "a bce"), 23.0 / 48, 1e-15); }

// "ab" against "abab": order 1: 2 shared, P 2/2, R 2/4; order 2: ab once, P 1/1, R 1/3; longer
// orders are left out, because the output has none. P = 1, R = (1/2 + 1/3)/2 = 5/12, F2 = 5 P R /
// (4 P + R) = (25/12) / (53/12) = 25/53.
TEST(Chrf, RecallCountsFourfold) { EXPECT_NEAR(chrf("ab", "abab"), 25.0 / 53, 1e-15); }

TEST(Chrf, Ends) {
  EXPECT_DOUBLE_EQ(chrf("The same text.", "The same text."), 1);
  EXPECT_EQ(chrf("abc", "xyz"), 0);
  EXPECT_EQ(chrf("", "xyz"), 0);
  EXPECT_EQ(chrf("xyz", ""), 0);
  EXPECT_LT(chrf("CASE", "case"), 0.01);  // case is kept
}

// Characters are code points: é is one, so orders 1 and 2 exist for two letters. "né" against "na":
// order 1: 1 of 2; order 2: 0 of 1. P = R = 1/4.
TEST(Chrf, CodePoints) { EXPECT_NEAR(chrf("n\u00e9", "na"), 0.25, 1e-15); }

TEST(Chrf, CorpusTakesTheBestReferenceOfEachRow) {
  const auto corpus = make_corpus_chrf();
  corpus->add(0, "abcd", std::vector<std::string>{"zzzz", "abce"});
  EXPECT_NEAR(corpus->score(0).value.value(), 23.0 / 48, 1e-15);
}

}  // namespace
}  // namespace assay
