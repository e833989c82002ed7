#include "text/words.h"

#include <gtest/gtest.h>

#include <random>

#include "text/numbers.h"
#include "text/stem.h"
#include "text/word_list.h"

namespace assay {
namespace {

std::string joined(std::string_view text) {
  std::string out;
  for (const auto& range : split_words(text)) {
    if (!out.empty()) out += '|';
    out += text.substr(range.begin, range.end - range.begin);
  }
  return out;
}

TEST(SplitWords, RawAndTokenisedTextGiveTheSameWords) {
  struct Case {
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"", ""},
      {" ... !", ""},
      {"The cat sat.", "The|cat|sat"},
      {"don't stop", "do|n't|stop"},
      {"do n't stop", "do|n't|stop"},
      {"the team's win", "the|team|'s|win"},
      {"the team 's win", "the|team|'s|win"},
      {"they’ll", "they|’ll"},
      {"I'm O'Brien", "I|'m|O'Brien"},
      {"'quoted' words", "quoted|words"},
      {"a five-figure sum", "a|five|figure|sum"},
      {"800,000 people", "800,000|people"},
      {"800 , 000 people", "800 , 000|people"},
      {"in 1999 , 200 came", "in|1999|200|came"},  // four digits are no group of thousands
      {"it cost $3.50.", "it|cost|3.50"},
      {"the 83rd minute, 5m", "the|83rd|minute|5m"},
      {"the U.S. Senate", "the|U.S|Senate"},
      {"see example.com now", "see|example|com|now"},
      {"Müller à Zürich", "Müller|à|Zürich"},
      {"世界", "世界"},
  };
  for (const auto& c : cases) EXPECT_EQ(joined(c.text), c.want) << c.text;
}

TEST(SplitWords, StaysWithinAnyBytes) {
  std::mt19937 random(7);
  const std::string pieces[] = {"a", "n",   "'",   "t", "'s", ".",    ",",   " ",
                                "1", "000", " , ", "ü", "’",  "\xff", "\xe2"};
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (int n = static_cast<int>(random() % 30); n > 0; --n) text += pieces[random() % 15];
    std::size_t at = 0;
    for (const auto& range : split_words(text)) {
      ASSERT_LE(at, range.begin);
      ASSERT_LT(range.begin, range.end);
      ASSERT_LE(range.end, text.size());
      at = range.end;
    }
  }
}

TEST(LowerWord, FollowsUnicode) {
  std::string out;
  lower_word("ÄRGER", out);
  EXPECT_EQ(out, "ärger");
  lower_word("They’LL", out);
  EXPECT_EQ(out, "they'll");
}

TEST(NormalNumber, HasOneSpellingForEqualNumbers) {
  struct Case {
    const char* text;
    std::optional<std::string> want;
  };
  const Case cases[] = {
      {"800,000", "800000"},
      {"800 , 000", "800000"},
      {"800000", "800000"},
      {"2.50", "2.5"},
      {"2.0", "2"},
      {"83rd", "83"},
      {"21st", "21"},
      {"5m", "5m"},
      {"two", "2"},
      {"twenty", "20"},
      {"one", {}},
      {"table", {}},
      {"", {}},
      {"1.2.3", "1.2.3"},
      {"0.0", "0"},
      {"007", "007"},
  };
  for (const auto& c : cases) EXPECT_EQ(normal_number(c.text), c.want) << c.text;
}

TEST(FunctionWords, AreGrammarNotContent) {
  for (const char* word : {"the", "of", "n't", "'s", "themselves", "would"}) {
    EXPECT_TRUE(is_function_word(word)) << word;
  }
  for (const char* word : {"police", "run", "", "berlin"})
    EXPECT_FALSE(is_function_word(word)) << word;
  EXPECT_TRUE(leaves_open("the"));
  EXPECT_FALSE(leaves_open("him"));
  EXPECT_TRUE(is_small_talk("great"));
  EXPECT_FALSE(is_small_talk("guitar"));
}

TEST(Stemmer, JoinsInflections) {
  Stemmer stemmer;
  EXPECT_EQ(std::string(stemmer.stem("robberies")), std::string(stemmer.stem("robbery")));
  EXPECT_EQ(stemmer.stem("running"), "run");
  EXPECT_EQ(stemmer.stem(""), "");
}

TEST(WordList, TellsWordsFromNames) {
  const WordList list;
  for (const char* spelling : {"colors", "colours", "center", "centre"})
    EXPECT_TRUE(list.contains(spelling)) << spelling;
  for (const char* word : {"a", "table", "walks", "zygotes", "said"})
    EXPECT_TRUE(list.contains(word)) << word;
  for (const char* word : {"berlin", "paul", "tabl", "tablee", "", "\n", "a\naardvark"}) {
    EXPECT_FALSE(list.contains(word)) << word;
  }
}

TEST(WordList, HoldsEveryEmbeddedWordInOrder) {
  const WordList list;
  std::string_view before;
  std::size_t n = 0;
  for (std::string_view rest = embedded_words(); !rest.empty(); ++n) {
    const std::string_view word = rest.substr(0, rest.find('\n'));
    ASSERT_LT(before, word);
    ASSERT_TRUE(list.contains(word)) << word;
    before = word;
    rest.remove_prefix(word.size() + 1);
  }
  EXPECT_GT(n, 50000u);
}

}  // namespace
}  // namespace assay
