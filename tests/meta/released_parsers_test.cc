#include "answer/released_parsers.h"

#include <gtest/gtest.h>

#include "stats/random.h"

namespace assay {
namespace {

using Score = std::optional<double>;

TEST(ReleasedParsers, OneReply) {
  struct Case {
    const char* reply;
    Score strict, chiang_lee, geval;
  };
  const Case cases[] = {
      {"3", 3, 3, 3},
      {" 2.5\n", 2.5, 2, 2.5},
      {"Rating: 2", {}, 2, {}},
      {"RATING:\n1", {}, 1, {}},
      {"Rating: 1. No: Rating: 3", {}, 3, {}},
      {"On a scale of 1-3, rating: 2", {}, 2, {}},
      {"Rating (1-3): good", {}, {}, {}},
      {"1-3", {}, {}, 1},
      {"10", 10, 1, 10},
      {"2 because", {}, 2, 2},
      {"  2", 2, 2, {}},  // the release allows one space only
      {"1.2.3", {}, 1, {}},
      {"none", {}, {}, {}},
      {"", {}, {}, {}},
      {"nan", {}, {}, {}},
      {"in the 1800s", {}, 1, {}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(rating_in(c.reply, ReplyRule::kStrict), c.strict) << c.reply;
    EXPECT_EQ(rating_in(c.reply, ReplyRule::kChiangLee), c.chiang_lee) << c.reply;
    EXPECT_EQ(rating_in(c.reply, ReplyRule::kGEval), c.geval) << c.reply;
  }
}

TEST(ReleasedParsers, ManyReplies) {
  const std::vector<std::string> replies = {"3", "1", "what?"};
  EXPECT_EQ(score_of_replies(replies, ReplyRule::kStrict), Score());
  EXPECT_EQ(score_of_replies(replies, ReplyRule::kStrict, Unparsed::kDrop), Score(2));
  EXPECT_EQ(score_of_replies(replies, ReplyRule::kChiangLee), Score(2));
  EXPECT_EQ(score_of_replies(replies, ReplyRule::kChiangLee, Unparsed::kZero), Score(4.0 / 3));
  EXPECT_EQ(score_of_replies(replies, ReplyRule::kGEval), Score(4.0 / 3));
  EXPECT_EQ(score_of_replies({}, ReplyRule::kGEval), Score());
  EXPECT_EQ(score_of_replies({"?"}, ReplyRule::kChiangLee), Score());
}

TEST(ReleasedParsers, AnyBytes) {
  for (int round = 0; round < 5000; ++round) {
    Random random(41, round);
    std::string reply;
    const char* pieces[] = {"rating:", "1-3", "1", ".", " ", "\n", "R", "-", "9"};
    for (std::uint32_t k = random.below(12); k > 0; --k) {
      reply += random.below(4) == 0 ? std::string(1, static_cast<char>(random.below(256)))
                                    : pieces[random.below(9)];
    }
    const Score score = rating_in(reply, ReplyRule::kChiangLee);
    if (score) {
      EXPECT_TRUE(*score >= 0 && *score <= 9);
    }
    rating_in(reply, ReplyRule::kGEval);
    rating_in(reply, ReplyRule::kStrict);
  }
}

}  // namespace
}  // namespace assay
