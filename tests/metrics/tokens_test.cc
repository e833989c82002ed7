#include "metrics/tokens.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

std::string joined(const std::vector<std::string_view>& words) {
  return fmt::format("{}", fmt::join(words, "|"));
}

TEST(Tokens, AlnumWordsAreLowerCaseAscii) {
  std::string buffer;
  EXPECT_EQ(joined(alnum_words("It's 3.5% of Café-goers, U.S.", buffer)),
            "it|s|3|5|of|caf|goers|u|s");
  EXPECT_TRUE(alnum_words("", buffer).empty());
  EXPECT_TRUE(alnum_words(" -- !", buffer).empty());
}

TEST(Tokens, SpaceWordsKnowUnicodeSpaces) {
  EXPECT_EQ(joined(space_words("  a\tb\u00a0c\u2003d\u3000e\x1c"
                               "f ")),
            "a|b|c|d|e|f");
  EXPECT_EQ(joined(space_words("caf\u00e9 \u2019s\u200b")),
            "caf\u00e9|\u2019s\u200b");  // zero width is none
  EXPECT_TRUE(space_words(" \n").empty());
}

// Worked from the rules of 13a: punctuation apart; . and , apart unless between digits; - apart
// after a digit.
TEST(Tokens, Tokenize13a) {
  const std::pair<const char*, const char*> cases[] = {
      {"Hello, world!", "Hello|,|world|!"},
      {"It costs $3,500.25 (net).", "It|costs|$|3,500.25|(|net|)|."},
      {"don't well-known 1990-95 a/b", "don't|well-known|1990|-|95|a|/|b"},
      {"&quot;x&quot; &amp;lt; &lt;y&gt;", "\"|x|\"|<|<|y|>"},
      {"end.", "end|."},
      {"a.b 5.b b.5", "a|.|b|5|.|b|b|.|5"},
      {"wait...", "wait|.|.|."},
      {"hyphen-\nated two\nlines", "hyphenated|two|lines"},
      {"<skipped>", ""},
      {"", ""},
  };
  for (const auto& [text, want] : cases) {
    const std::string spaced = tokenize_13a(text);
    EXPECT_EQ(joined(space_words(spaced)), want) << text;
  }
}

TEST(Tokens, VocabularyNumbersInOrder) {
  Vocabulary v;
  EXPECT_EQ(v.id("a"), 0u);
  EXPECT_EQ(v.id("b"), 1u);
  EXPECT_EQ(v.id("a"), 0u);
}

TEST(Tokens, StemVocabularyStemsOnlyLongWords) {
  StemVocabulary v(Porter::kCommon);
  EXPECT_EQ(v.id("running"), v.id("runs"));  // run
  EXPECT_EQ(v.id("runs"), v.id("run"));
  EXPECT_NE(v.id("ads"), v.id("ad"));  // three letters stay
  v.clear();
  EXPECT_EQ(v.id("x"), 0u);
}

}  // namespace
}  // namespace assay
