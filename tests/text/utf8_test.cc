#include "text/utf8.h"

#include <gtest/gtest.h>

#include <random>

namespace assay {
namespace {

using std::string;
using std::string_literals::operator""s;

TEST(FindBadUtf8, NamesTheFirstBadByte) {
  struct Case {
    string text;
    std::optional<std::size_t> want;
  };
  const Case cases[] = {
      {"", {}},
      {"plain ascii that is longer than one block", {}},
      {"Grüße, 世界, 🎉", {}},
      {"nul\0byte"s, {}},                    // well-formed; ingest decides about NUL
      {"ok\xff", 2},                         // never a byte of UTF-8
      {"12345678\x80", 8},                   // continuation without a lead
      {"\xc0\xaf", 0},                       // overlong
      {"\xe0\x80\xaf", 0},                   // overlong
      {"a\xed\xa0\x80", 1},                  // surrogate
      {"\xf4\x90\x80\x80", 0},               // above U+10FFFF
      {"cut \xe4\xb8", 4},                   // ends within a code point
      {"\xe4\xb8\x96\xe7\x95\x8c\xe4!", 6},  // cut by an ASCII character
  };
  for (const auto& c : cases) EXPECT_EQ(find_bad_utf8(c.text), c.want) << c.text;
}

TEST(Ellipsize, CutsAtCodePoints) {
  EXPECT_EQ(ellipsize("short", 10), "short");
  EXPECT_EQ(ellipsize("exact", 5), "exact");
  EXPECT_EQ(ellipsize("longer", 5), "long…");
  EXPECT_EQ(ellipsize("世界世界", 4), "世界世界");
  EXPECT_EQ(ellipsize("世界世界", 3), "世界…");
  EXPECT_EQ(ellipsize("ab", 1), "…");
  EXPECT_EQ(ellipsize("ab", 0), "");
  EXPECT_EQ(ellipsize("", 0), "");
}

TEST(Ellipsize, NeverMakesGoodTextBad) {
  std::mt19937 random(7);
  const string pieces[] = {"a", "ü", "世", "🎉", " "};
  for (int i = 0; i < 500; ++i) {
    string text;
    for (int n = static_cast<int>(random() % 20); n > 0; --n) text += pieces[random() % 5];
    const string cut = ellipsize(text, random() % 12);
    EXPECT_FALSE(find_bad_utf8(cut)) << text;
  }
}

}  // namespace
}  // namespace assay
