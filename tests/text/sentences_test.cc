#include "text/sentences.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace assay {
namespace {

std::string joined(std::string_view text) {
  std::string out;
  for (const auto& range : split_sentences(text)) {
    if (!out.empty()) out += '|';
    out += text.substr(range.begin, range.end - range.begin);
  }
  return out;
}

struct Case {
  const char* text;
  const char* want;
};

TEST(SplitSentences, PlainProse) {
  const Case cases[] = {
      {"", ""},
      {" \n\t ", ""},
      {"No stop at the end", "No stop at the end"},
      {"It ended. He left.", "It ended.|He left."},
      {"  It ended.   He left.  ", "It ended.|He left."},
      {"Really? Yes! Fine.", "Really?|Yes!|Fine."},
      {"What?! No.", "What?!|No."},
      {"Dr. Smith met Mr. Jones. They talked.", "Dr. Smith met Mr. Jones.|They talked."},
      {"J. K. Rowling wrote it. It sold.", "J. K. Rowling wrote it.|It sold."},
      {"He moved to the U.S. in May. She stayed.", "He moved to the U.S. in May.|She stayed."},
      {"He moved to the U.S. The rest stayed.", "He moved to the U.S.|The rest stayed."},
      {"The U.S. Senate voted.", "The U.S. Senate voted."},
      {"Acme Inc. Chairman Lee resigned.", "Acme Inc. Chairman Lee resigned."},
      {"It rose 3.5 percent. Then it fell.", "It rose 3.5 percent.|Then it fell."},
      {"That was 1999. Now it is over.", "That was 1999.|Now it is over."},
      {"1. Mix it. 2. Bake it.", "1. Mix it.|2. Bake it."},
      {"e.g. Paris is large.", "e.g. Paris is large."},
      {"Wait... what? Wait... Now.", "Wait... what?|Wait...|Now."},
      {"See assay.example.org for more.", "See assay.example.org for more."},
      {"it is fine. do you agree?", "it is fine.|do you agree?"},  // no capitals anywhere
      {"He lives at No. 5 Main St. in Rome.", "He lives at No. 5 Main St. in Rome."},
  };
  for (const auto& c : cases) EXPECT_EQ(joined(c.text), c.want) << c.text;
}

TEST(SplitSentences, QuotesAndBrackets) {
  const Case cases[] = {
      {"\"Stop!\" he said. She did.", "\"Stop!\" he said.|She did."},
      {"He said \"go.\" She went.", "He said \"go.\"|She went."},
      {"He left (at last.) She stayed.", "He left (at last.)|She stayed."},
      {"“Go.” “No.”", "“Go.”|“No.”"},
  };
  for (const auto& c : cases) EXPECT_EQ(joined(c.text), c.want) << c.text;
}

TEST(SplitSentences, TokenisedText) {
  const Case cases[] = {
      {"It ended . He left .", "It ended .|He left ."},
      {"it ended . he left .", "it ended .|he left ."},
      {"It ended . he left . Then", "It ended .|he left .|Then"},
      {"` eat well . ' She told us . ' A diet helps , ' she said .",
       "` eat well . '|She told us .|' A diet helps , ' she said ."},
      {"She said : `` go . '' He went .", "She said : `` go . ''|He went ."},
      {"a park in the u.s . city of rome . nice .", "a park in the u.s . city of rome .|nice ."},
      {"through aug . 26 . fine .", "through aug . 26 .|fine ."},
      {"well . . . maybe so . yes", "well . . . maybe so .|yes"},
      {"He 's here . It 's late .", "He 's here .|It 's late ."},
  };
  for (const auto& c : cases) EXPECT_EQ(joined(c.text), c.want) << c.text;
}

TEST(SplitSentences, Lines) {
  const Case cases[] = {
      {"A heading\n\nThe text.", "A heading|The text."},
      {"A heading\nThe text.", "A heading|The text."},
      {"items:\n- one\n- two", "items:|- one|- two"},
      {"a line that\nwas wrapped here.", "a line that\nwas wrapped here."},
      {"One.\r\nTwo.", "One.|Two."},
  };
  for (const auto& c : cases) EXPECT_EQ(joined(c.text), c.want) << c.text;
}

TEST(SplitSentences, OtherScripts) {
  EXPECT_EQ(joined("今日は雨です。明日は晴れ！"), "今日は雨です。|明日は晴れ！");
  EXPECT_EQ(joined("यह एक है। वह दो है।"), "यह एक है।|वह दो है।");
  EXPECT_EQ(joined("Это конец. Он ушёл."), "Это конец.|Он ушёл.");
}

// Whatever the bytes: pieces in order, apart, within the text, not empty, and nothing but blanks
// between them.
TEST(SplitSentences, CoversAnyBytes) {
  std::mt19937 random(7);
  const std::string pieces[] = {"a", "B", ".",  "!", " ",    "\n",   "\"",      "'",
                                "`", "1", "。", "…", "\xff", "\xe4", "\xc2\xa0"};
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (int n = static_cast<int>(random() % 40); n > 0; --n) text += pieces[random() % 15];
    std::size_t at = 0;
    for (const auto& range : split_sentences(text)) {
      ASSERT_LE(at, range.begin);
      ASSERT_LT(range.begin, range.end);
      ASSERT_LE(range.end, text.size());
      for (; at < range.begin; ++at) {
        ASSERT_TRUE(std::string(" \n\xc2\xa0").find(text[at]) != std::string::npos) << text;
      }
      at = range.end;
    }
  }
}

}  // namespace
}  // namespace assay
