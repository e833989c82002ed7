// Direct and few-shot scoring, and which labelled rows become examples.

#include "methods/direct.h"

#include <algorithm>
#include <set>

#include "rating_support.h"

namespace assay::rating_test {
namespace {

TEST(Direct, WithAndWithoutReasons) {
  const Step plain = method("direct")->next(sample(), {});
  EXPECT_TRUE(std::holds_alternative<Number>(asked(plain).questions[0].answer));
  RateOptions options;
  options.reasoning = true;
  const Step reasoned = method("direct", options)->next(sample(), {});
  EXPECT_EQ(std::get<Rated>(asked(reasoned).questions[0].answer).label, "Score");
  EXPECT_TRUE(has(prompt_of(asked(reasoned).questions[0]), "\"Score: n\""));
  const Step last = method("direct", options)->next(sample(), {{rated(3, "Because.\nScore: 3")}});
  expect_score(scored(last), 3);
  EXPECT_EQ(scored(last).evidence.note, "Because.\nScore: 3");
}

// With the same steps it is G-Eval's question: one call serves both.
TEST(Direct, WithStepsIsGEvalsQuestion) {
  RateOptions options = with_probs("none");
  options.steps = RateOptions::Steps::kGenerated;
  const Step direct = method("direct", options, {"1. Read."})->next(sample(), {});
  const Step geval = method("g-eval", options, {"1. Read."})->next(sample(), {});
  EXPECT_EQ(messages_of(asked(direct).questions[0]), messages_of(asked(geval).questions[0]));
  EXPECT_EQ(asked(direct).questions[0].sampling, asked(geval).questions[0].sampling);
  EXPECT_EQ(asked(direct).questions[0].answer.index(), asked(geval).questions[0].answer.index());
}

RateOptions showing(int shots, long seed = 7) {
  RateOptions options;
  options.shots = shots;
  options.shots_seed = seed;
  return options;
}

std::set<std::string> chosen(const std::vector<Row>& rows, const RateOptions& options) {
  std::set<std::string> ids;
  for (const RatingExample& example : choose_examples(coherence(), rows, options))
    ids.insert(example.id);
  return ids;
}

TEST(FewShot, ExamplesAreSpreadOverTheLabels) {
  const std::vector<Row> rows = {labelled("a", 1), labelled("b", 2), labelled("c", 2.3),
                                 labelled("d", 5), labelled("e", 1.1)};
  EXPECT_EQ(chosen(rows, showing(3)), (std::set<std::string>{"a", "c", "d"}));
  EXPECT_EQ(chosen(rows, showing(2)), (std::set<std::string>{"a", "d"}));
  EXPECT_EQ(chosen(rows, showing(1)), (std::set<std::string>{"c"}));
  EXPECT_EQ(chosen(rows, showing(5)).size(), 5U);
  const auto examples = choose_examples(coherence(), rows, showing(5));
  for (const RatingExample& example : examples) {
    if (example.id != "c") continue;
    EXPECT_EQ(example.score, 2);  // 2.3, as the scale has it
  }
}

TEST(FewShot, TheChoiceFollowsTheSeedNotTheOrderOfTheFile) {
  std::vector<Row> rows;
  for (int i = 0; i < 30; ++i) rows.push_back(labelled("r" + std::to_string(i), 1 + i % 5));
  const std::set<std::string> first = chosen(rows, showing(3));
  std::reverse(rows.begin(), rows.end());
  EXPECT_EQ(chosen(rows, showing(3)), first);
  std::set<std::set<std::string>> seen;
  for (long seed = 0; seed < 10; ++seed) seen.insert(chosen(rows, showing(3, seed)));
  EXPECT_GT(seen.size(), 5U);
  // At random the same labels may come twice; still by seed and ids alone.
  RateOptions random = showing(3);
  random.shots_random = true;
  const std::set<std::string> drawn_ids = chosen(rows, random);
  EXPECT_EQ(drawn_ids.size(), 3U);
  std::reverse(rows.begin(), rows.end());
  EXPECT_EQ(chosen(rows, random), drawn_ids);
}

TEST(FewShot, ShowsLabelledRowsButNeverTheRowsOwnLabel) {
  const std::vector<Row> rows = {labelled("a", 1), labelled("b", 3), labelled("c", 5)};
  const auto made = method("few-shot", {}, {}, rows);
  const std::string prompt = prompt_of(asked(made->next(sample(), {})).questions[0]);
  for (const char* part : {"Text of a.", "Text of b.", "Text of c.",
                           "Score of example 1:", "Score of example 3:", "Ann won. She cried."}) {
    EXPECT_TRUE(has(prompt, part)) << part;
  }
  EXPECT_GT(prompt.find("Ann won. She cried."), prompt.find("Text of c."));
  expect_score(scored(made->next(sample(), {{rated(4)}})), 4);

  // By its id, or by its texts under another id.
  Sample same_id = sample("Something else.");
  same_id.id = "b";
  Sample same_texts = rows[1].sample;
  same_texts.id = "x";
  for (const Sample& own : {same_id, same_texts}) {
    const std::string without = prompt_of(asked(made->next(own, {})).questions[0]);
    EXPECT_FALSE(has(without, "Score of example 3"));
    EXPECT_TRUE(has(without, "Text of a.") && has(without, "Text of c."));
    const Step last = made->next(own, {{rated(4)}});
    EXPECT_TRUE(has(scored(last).evidence.note, "judged without itself"));
  }
}

TEST(FewShot, TheArtefactNamesTheRowsItSaw) {
  const auto preparation = make_preparation("few-shot", context());
  const PrepareStep step = preparation->next(
      {"summarization", "coherence", {labelled("a", 1), labelled("b", 3), labelled("c", 5)}, {}},
      {});
  EXPECT_EQ(std::get<Artefact>(step).seen.size(), 3U);
}

TEST(FewShot, LabelledRowsThatDoNotServeAreRefusedBeforeAnythingIsAsked) {
  Row unlabelled = labelled("u", 1);
  unlabelled.human.clear();
  Row empty = labelled("e", 2);
  empty.sample.fields.output.clear();
  empty.line = 4;
  struct Case {
    std::vector<Row> rows;
    const char* says;
  };
  const Case cases[] = {
      {{}, "0 rows with a label for coherence"},
      {{labelled("a", 1), labelled("b", 3), unlabelled},
       "2 rows with a label for coherence, and --shots 3"},
      {{labelled("a", 3), labelled("b", 3), labelled("c", 3)}, "every row has the label 3"},
      {{labelled("a", 1), labelled("b", 3), labelled("c", 6)},
       "labelled row c (line 0): the label 6 is outside the scale 1 to 5"},
      {{labelled("a", 1), empty, labelled("c", 5)},
       "labelled row e (line 4): field \"output\" is missing"},
  };
  RateOptions options;
  options.steps =
      RateOptions::Steps::kGenerated;  // there is a question to be asked: not before this
  for (const Case& c : cases) {
    const auto preparation = make_preparation("few-shot", context(options));
    const std::string said = refusal([&] {
      preparation->next({"summarization", "coherence", c.rows, {}}, {});
    });
    EXPECT_TRUE(has(said, c.says)) << said;
  }
}

}  // namespace
}  // namespace assay::rating_test
