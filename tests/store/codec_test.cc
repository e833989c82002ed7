#include "store/codec.h"

#include <gtest/gtest.h>

#include <random>

#include "support.h"

namespace assay {
namespace {

TEST(Codec, GivesListsBack) {
  const std::vector<OptionProb> probs{
      {"yes", 0.1 + 0.2}, {"", 0}, {"\"\\\n\x01ü", 5e-324}, {"4", 1}};
  EXPECT_EQ(encode_probs({}), "");
  EXPECT_EQ(encode_probs({{"yes", 0.5}, {"no", 1}}), R"([["yes",0.5],["no",1.0]])");
  EXPECT_EQ(decode_probs(encode_probs(probs)), probs);
  EXPECT_EQ(decode_probs(""), std::vector<OptionProb>{});
  const Named<std::string> notes{{"u1", "why"}, {"u1", ""}, {"", "\"\xf0\x9f\x98\x80"}};
  EXPECT_EQ(decode_notes(encode_notes(notes)), notes);
  EXPECT_EQ(decode_notes(encode_notes({{"a", "bad \xff byte"}})),
            (Named<std::string>{{"a", "bad \xef\xbf\xbd byte"}}));
}

TEST(Codec, IsStrict) {
  for (const char* bad :
       {"[]", "{}", "null", "1", "[1]", "[[]]", R"([["a"]])", R"([["a",1,2]])", R"([[1,1]])",
        R"([["a",null]])", R"([["a","b"]])", R"([["a",1e999]])", R"([["a",1]]x)", R"([["a",1])",
        "[[\"\xff\",1]]", " ", R"([["a",true]])"}) {
    EXPECT_FALSE(decode_probs(bad)) << bad;
  }
  for (const char* bad : {"[]", R"([["a",1]])", R"([["a",null]])", R"({"a":"b"})",
                          R"([["a","b"],[]])", "[[\"a\",\"\xc0\"]]", R"([["a","b"]] [])"}) {
    EXPECT_FALSE(decode_notes(bad)) << bad;
  }
}

TEST(Codec, Keys) {
  EXPECT_EQ(key_bytes("00ff10"), std::string("\x00\xff\x10", 3));
  EXPECT_EQ(key_hex(std::string("\x00\xff\x10", 3)), "00ff10");
  EXPECT_TRUE(key_bytes(std::string(128, 'a')));
  for (const std::string bad : {"", "a", "ag", "AB", " a", "0x", "ab\n"})
    EXPECT_FALSE(key_bytes(bad)) << bad;
  EXPECT_FALSE(key_bytes(std::string(130, 'a')));
}

TEST(Codec, Statuses) {
  EXPECT_EQ(decode_status(0), Status::kOk);
  EXPECT_EQ(decode_status(3), Status::kTransport);
  EXPECT_FALSE(decode_status(4));
  EXPECT_FALSE(decode_status(-1));
}

// Anything that decodes must encode to something that decodes to the same.
TEST(Codec, SurvivesMutatedText) {
  std::mt19937_64 random(11);
  const std::string seeds[] = {encode_probs({{"yes", 0.25}, {"no", 0.75}, {"ü", 1e-9}}),
                               encode_notes({{"u1", "a \"b\" c"}, {"u2", "\n\xf0\x9f\x98\x80"}}),
                               std::string(2000, '['), R"([["a",-0.0]])"};
  for (int round = 0; round < 5000; ++round) {
    std::string text = seeds[random() % std::size(seeds)];
    for (std::uint64_t edits = 1 + random() % 4; edits > 0; --edits) {
      const std::size_t at = text.empty() ? 0 : random() % text.size();
      switch (random() % 3) {
        case 0:
          text.insert(at, 1, static_cast<char>(random()));
          break;
        case 1:
          text.erase(at, 1 + random() % 5);
          break;
        default:
          if (!text.empty()) text[at] = R"([]",0123456789eE.-+\ntu)"[random() % 23];
      }
    }
    if (const auto probs = decode_probs(text)) {
      EXPECT_EQ(decode_probs(encode_probs(*probs)), probs) << text;
    }
    if (const auto notes = decode_notes(text)) {
      EXPECT_EQ(decode_notes(encode_notes(*notes)), notes) << text;
    }
  }
}

}  // namespace
}  // namespace assay
