#include "evidence/analysis.h"

#include <gtest/gtest.h>

#include "evidence/cache.h"
#include "evidence/evidence.h"
#include "texts.h"

namespace assay {
namespace {

// Names as "word!", numbers as "word#", function words as "(word)".
std::string marked(std::string_view text) {
  const WordList list;
  const Analysis analysis = Analyzer(list).analyse(text);
  std::string out;
  for (const Word& word : analysis.words) {
    if (!out.empty()) out += ' ';
    const std::string shown(analysis.word_text(word));
    if (word.kind == WordKind::kFunction) {
      out += "(" + shown + ")";
    } else {
      out += shown + (word.kind == WordKind::kNumber ? "#" : word.name ? "!" : "");
    }
  }
  return out;
}

TEST(Analyzer, TellsNamesNumbersAndFunctionWords) {
  EXPECT_EQ(marked("Police met Paul in Berlin."), "Police met Paul! (in) Berlin!");
  EXPECT_EQ(marked("police met paul in berlin ."), "police met paul! (in) berlin!");
  EXPECT_EQ(marked("Berlin has 800 , 000 dogs."), "Berlin! (has) 800 , 000# dogs");
  EXPECT_EQ(marked("twenty-one men, two dogs"), "twenty-one# men two# dogs");
  EXPECT_EQ(marked("It was one of them."), "(It) (was) (one) (of) (them)");
}

TEST(Analyzer, GivesEqualNumbersAndInflectionsOneStem) {
  Texts texts("He saw 21 robberies and two dogs.");
  const Analysis* other = texts.of("twenty-one robbery 2 dog");
  EXPECT_EQ(shared(texts.in.output->content, other->content), 4u);
}

TEST(Analyzer, KeepsNothingBetweenTexts) {
  const WordList list;
  Analyzer used(list);
  used.analyse("It ended on twenty");
  const Analysis a = used.analyse("one dog. Two cats.");
  const Analysis b = Analyzer(list).analyse("one dog. Two cats.");
  ASSERT_EQ(a.words.size(), b.words.size());
  EXPECT_EQ(a.stems, b.stems);
  EXPECT_EQ(a.bigrams, b.bigrams);
}

TEST(Analyzer, SentencesWithoutWordsAreLeftOut) {
  Texts texts("Go. !!! Stop");
  ASSERT_EQ(texts.in.output->sentences.size(), 2u);
  EXPECT_TRUE(texts.in.output->sentences[0].closed);
  EXPECT_FALSE(texts.in.output->sentences[1].closed);
  EXPECT_TRUE(texts.of("")->words.empty());
}

TEST(AnalysisCache, IsBoundedAndForgetsTheLeastRecentlyUsed) {
  const WordList list;
  Analyzer analyzer(list);
  AnalysisCache cache(16 * 4000);  // about ten of these texts a part
  const auto text = [](int i) { return "text number " + std::to_string(i) + " of the cache"; };
  for (int i = 0; i < 2000; ++i) cache.put(analyzer.analyse(text(i)));
  int kept = 0;
  for (int i = 0; i < 2000; ++i) kept += cache.find(text(i)) != nullptr;
  EXPECT_GT(kept, 16);
  EXPECT_LT(kept, 400);
  EXPECT_NE(cache.find(text(1999)), nullptr);
  EXPECT_EQ(cache.find(text(0)), nullptr);
  EXPECT_EQ(cache.find(text(1999))->text, text(1999));
}

TEST(AnalysisCache, GivesBackWhatIsTooLargeToKeep) {
  const WordList list;
  AnalysisCache cache(16);
  EXPECT_EQ(cache.put(Analyzer(list).analyse("some text"))->words.size(), 2u);
  EXPECT_EQ(cache.find("some text"), nullptr);
}

}  // namespace
}  // namespace assay
