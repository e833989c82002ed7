// What a run will ask, before it asks: calls, and tokens with and without shared beginnings.
#include "engine/plan.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "engine/seen_hashes.h"
#include "fake_judge.h"

namespace assay {
namespace {

// One round of yes/no questions, each a list of paragraphs to share and a tail.
struct Prompt {
  std::vector<std::string> paragraphs;
  std::string tail;
};

class OneRound : public Work {
 public:
  OneRound(std::vector<Prompt> prompts, Judge& judge)
      : prompts_(std::move(prompts)), judge_(judge) {}
  std::optional<Ask> step(const Transcript& transcript) override {
    if (!transcript.empty()) return std::nullopt;
    Ask ask;
    for (const Prompt& prompt : prompts_) {
      std::string text;
      for (const std::string& paragraph : prompt.paragraphs) text += paragraph + "\n\n";
      Question question;
      question.shared = {{Role::kSystem, "s"}, {Role::kUser, text}};
      question.tail = prompt.tail;
      question.answer = YesNo{};
      question.stage = "ask";
      ask.questions.push_back(question);
    }
    return ask;
  }
  Judge& judge(const std::string&) override { return judge_; }
  int repeat() const override { return 0; }

 private:
  std::vector<Prompt> prompts_;
  Judge& judge_;
};

StagePlan plan_of(const std::vector<std::vector<Prompt>>& works) {
  FakeJudge judge([](const Request&) { return says("yes"); });
  Planner planner(nullptr);
  for (const auto& prompts : works)
    planner.add([&] { return std::make_unique<OneRound>(prompts, judge); });
  const Plan plan = planner.plan();
  EXPECT_EQ(plan.works, static_cast<std::int64_t>(works.size()));
  EXPECT_EQ(plan.stages.size(), 1U);
  return plan.stages.front();
}

// A system message is 1 + 4 tokens; the user message 4 more than its words.
constexpr std::int64_t kAround = 9;

struct Case {
  const char* name;
  std::vector<std::vector<Prompt>> works;
  std::int64_t calls;
  std::int64_t words;  // of all prompts in full, what stands around them aside
  std::int64_t fresh;  // of what no earlier prompt began with, and around the first of them
};

class PlanOf : public testing::TestWithParam<Case> {};

TEST_P(PlanOf, CountsPromptsAndWhatTheyShare) {
  const Case& c = GetParam();
  const StagePlan stage = plan_of(c.works);
  EXPECT_TRUE(stage.calls.exact());
  EXPECT_EQ(stage.calls.least, c.calls);
  EXPECT_EQ(stage.prompt_tokens.least, c.calls * kAround + c.words);
  EXPECT_EQ(stage.shared_tokens.least, c.fresh);
}

const Prompt kArticleOne{{"an article", "unit one"}, "is it good"};
const Prompt kArticleTwo{{"an article", "unit two"}, "is it good"};
const Prompt kArticleAsk{{"an article", "unit one"}, "is it true"};
const Prompt kOther{{"a story", "unit one"}, "is it good"};

INSTANTIATE_TEST_SUITE_P(
    Cases, PlanOf,
    testing::Values(
        Case{"one", {{kArticleOne}}, 1, 7, kAround + 7},
        Case{"the same question twice is asked once",
             {{kArticleOne, kArticleOne}},
             1,
             7,
             kAround + 7},
        Case{"only the tail differs", {{kArticleOne, kArticleAsk}}, 2, 14, kAround + 7 + 3},
        Case{"the article is shared, the unit is not",
             {{kArticleOne, kArticleTwo}},
             2,
             14,
             kAround + 7 + 2 + 3},
        Case{"also between rows", {{kArticleOne}, {kArticleTwo}}, 2, 14, kAround + 7 + 2 + 3},
        // The user message's 4 come anew; the system message is shared.
        Case{"the same unit after another article is not shared",
             {{kArticleOne, kOther}},
             2,
             14,
             kAround + 7 + 4 + 7}),
    [](const auto& tested) {
      std::string name = tested.param.name;
      for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
      return name;
    });

TEST(SeenHashes, RemembersEveryHashOnceWhateverItsValue) {
  SeenHashes seen;
  std::set<std::uint64_t> expected;
  std::mt19937_64 random(7);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t hash = (random() % 50'000 + 1) * 0x9e3779b97f4a7c15ULL;
    EXPECT_EQ(seen.insert(hash), expected.insert(hash).second);
  }
  EXPECT_TRUE(seen.insert(0));
  EXPECT_FALSE(seen.insert(0));
}

}  // namespace
}  // namespace assay
