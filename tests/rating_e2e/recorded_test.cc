// The averaging of sampled ratings against replies that were really given: Chiang and Lee's
// recorded ones. The tables made from them are checked by `assay meta`
// (tests/meta/expected_test.cc); here the method itself reads the same replies and must give the
// same numbers, to the bit.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "answer/released_parsers.h"
#include "methods/analyze_rate.h"
#include "rubric/library.h"

namespace assay {
namespace {

constexpr const char* kRecorded =
    ASSAY_ROOT "/../shared/bench/recorded/chiang_lee_topical_chat.jsonl";

TEST(RecordedReplies, TheMethodsMeanIsTheOneTheTablesAreMadeFrom) {
  std::ifstream in(kRecorded);
  if (!in)
    GTEST_SKIP() << "no recorded replies at " << kRecorded
                 << ": the averaging is not checked against them";
  RateOptions options;
  options.probs = ProbSource::parse("sample:20");
  options.parser = "chiang-lee";
  options.rule = [](std::string_view reply) { return rating_in(reply, ReplyRule::kChiangLee); };
  const RubricLibrary library = RubricLibrary::load("");
  const RatingMethod method(
      RatingSetup(analyze_rate_kind(), library.get("dialogue", "engagingness"), options, {}),
      [&](const std::string& id) -> const Prompt& { return library.prompt(id); }, std::nullopt);
  Sample sample;
  sample.id = "r";
  sample.fields.output = "x";
  int rows = 0;
  int unread = 0;
  int line_number = 0;
  for (std::string line; std::getline(in, line);) {
    if (line_number++ % 20 != 0) continue;  // every method and dimension, in a moment
    const auto replies = nlohmann::json::parse(line)["responses"].get<std::vector<std::string>>();
    if (replies.empty()) continue;
    Round round;
    for (const std::string& reply : replies) {
      Verdict verdict;
      verdict.value = {reply};
      verdict.raw = reply;
      round.push_back(std::move(verdict));
    }
    const Step step = method.next(sample, {round});
    const Score& score = std::get<Score>(step);
    EXPECT_EQ(score.score, score_of_replies(replies, ReplyRule::kChiangLee)) << line_number;
    EXPECT_EQ(recompute(score.evidence), score.score);
    ++rows;
    unread += score.evidence.note.find("left out") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(rows, 400);
  EXPECT_GT(unread, 0);  // some replies hold no number: the convention is put to the test
}

}  // namespace
}  // namespace assay
