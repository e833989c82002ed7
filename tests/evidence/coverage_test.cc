#include <gtest/gtest.h>

#include <cmath>

#include "texts.h"

namespace assay {
namespace {

TEST(LeadCoverage, CountsTheBeginningMore) {
  const std::string_view source = "Dogs chase cats. Birds sing songs.";
  Texts lead("Dogs chase cats.", source);
  Texts tail("Birds sing songs.", source);
  const auto weight = [](int from, int to) {
    double sum = 0;
    for (int i = from; i < to; ++i) sum += 1 / std::sqrt(1.0 + i);
    return sum;
  };
  EXPECT_NEAR(lead_coverage(lead.in)->value, ramp(weight(0, 3) / weight(0, 6), 0.20, 0.62), 1e-12);
  EXPECT_NEAR(lead_coverage(tail.in)->value, ramp(weight(3, 6) / weight(0, 6), 0.20, 0.62), 1e-12);
  Texts off("Bananas ripen.", source);
  EXPECT_DOUBLE_EQ(lead_coverage(off.in)->value, 0);
  EXPECT_EQ(lead_coverage(off.in)->note, "takes up 0% of what the source opens with");
  Texts none("Bananas ripen.");
  EXPECT_FALSE(lead_coverage(none.in));
}

TEST(ReferenceUnigrams, IsTheMeanF) {
  Texts texts("the dog ran");
  EXPECT_FALSE(reference_unigrams(texts.in));
  texts.in.references = {texts.of("the dog ran")};
  EXPECT_DOUBLE_EQ(reference_unigrams(texts.in)->value, 1);
  texts.in.references.push_back(texts.of("a cat slept now yes"));
  texts.in.references.push_back(texts.of("the the fish swam on"));  // "the" matches once: F = 2*1/8
  EXPECT_NEAR(reference_unigrams(texts.in)->value, ramp((1 + 0 + 0.25) / 3, 0.23, 0.43), 1e-12);
}

TEST(ReferencePyramid, RecallsWhatReferencesAgreeOn) {
  Texts texts("dogs bark");
  texts.in.references = {texts.of("The dog barks.")};
  EXPECT_FALSE(reference_pyramid(texts.in));
  texts.in.references.push_back(texts.of("A dog barked at cats."));
  texts.in.references.push_back(texts.of("Cats saw dogs."));
  // dog, bark and cat are in two or more; two of three are said.
  EXPECT_NEAR(reference_pyramid(texts.in)->value, ramp(2.0 / 3, 0.23, 0.76), 1e-12);
  texts.in.references = {texts.of("one"), texts.of("two")};
  EXPECT_FALSE(reference_pyramid(texts.in));  // they agree on nothing
}

}  // namespace
}  // namespace assay
