#include "evidence/nearest.h"

#include <gtest/gtest.h>

#include <random>

#include "texts.h"

namespace assay {
namespace {

constexpr std::string_view kSource =
    "A van was robbed in Glasgow. Three armed men took the money. Two guards were left shaken. "
    "The van was found later.";

TEST(NearestSentences, SharesMostStemsThenComesFirst) {
  Texts texts("The guards were shaken by armed men.", kSource);
  const auto near = nearest_sentences(texts.in.unit, *texts.in.source, 3);
  EXPECT_EQ(near, (std::vector<std::uint32_t>{1, 2}));
  Texts van("van", kSource);
  EXPECT_EQ(nearest_sentences(van.in.unit, *van.in.source, 1), std::vector<std::uint32_t>{0});
  Texts none("Bananas ripen.", kSource);
  EXPECT_TRUE(nearest_sentences(none.in.unit, *none.in.source, 3).empty());
}

TEST(LcsShare, CountsWordsInOrder) {
  struct Case {
    const char* a;
    const char* b;
    double want;
  };
  const Case cases[] = {
      {"the cat sat down", "the cat sat down", 1},
      {"the cat sat down", "down sat cat the", 0.25},
      {"the cat sat down", "the old cat lay down", 0.75},
      {"cat", "dog", 0},
  };
  for (const auto& c : cases) {
    Texts texts(c.a, c.b);
    EXPECT_DOUBLE_EQ(lcs_share(texts.in.unit, whole(*texts.in.source)), c.want) << c.a;
  }
}

// The table and the bits give the same length, on both sides of 64 words.
TEST(LcsShare, BitsAgreeWithTheTextbook) {
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    Analysis a;
    Analysis b;
    for (auto* text : {&a, &b}) {
      const std::size_t n = 1 + random() % 90;
      for (std::size_t k = 0; k < n; ++k) {
        Word word;
        word.stem = 1 + random() % 12 * 128;  // all in one slot of the table
        text->words.push_back(word);
      }
    }
    std::vector<std::vector<int>> table(a.words.size() + 1, std::vector<int>(b.words.size() + 1));
    for (std::size_t x = 1; x <= a.words.size(); ++x) {
      for (std::size_t y = 1; y <= b.words.size(); ++y) {
        table[x][y] = a.words[x - 1].stem == b.words[y - 1].stem
                          ? table[x - 1][y - 1] + 1
                          : std::max(table[x - 1][y], table[x][y - 1]);
      }
    }
    const double want =
        static_cast<double>(table.back().back()) / static_cast<double>(a.words.size());
    ASSERT_DOUBLE_EQ(lcs_share(whole(a), whole(b)), want);
  }
}

TEST(BigramCoverage, CountsAdjacentPairs) {
  Texts texts("three armed men ran", kSource);
  EXPECT_DOUBLE_EQ(bigram_coverage(texts.in.unit, *texts.in.source), 2.0 / 3);
  Texts one("money", kSource);
  EXPECT_DOUBLE_EQ(bigram_coverage(one.in.unit, *one.in.source), 1);
}

TEST(BestCarrier, NamesTheSentence) {
  Texts texts("Three men took the money.", kSource);
  const Carried carried = best_carrier(texts.in.unit, *texts.in.source);
  EXPECT_EQ(carried.sentence, 1u);
  EXPECT_DOUBLE_EQ(carried.share, 1);
}

}  // namespace
}  // namespace assay
