// What the rating methods share: scoring by one answer, by probabilities and by samples, released
// parsers, the artefact, and what is refused before anything is asked.

#include "methods/rating.h"

#include <random>

#include "rating_support.h"
#include "rubric/yaml.h"

namespace assay::rating_test {
namespace {

TEST(Rating, EveryMethodAsksOneQuestionAndScoresOnTheRubricsScale) {
  struct Case {
    const char* method;
    std::vector<std::string> said;
  };
  for (const Case& c : {Case{"seeval", {"1. Read.", "I see."}}, Case{"g-eval", {"1. Read."}},
                        Case{"analyze-rate", {}}, Case{"rate-explain", {}}, Case{"direct", {}},
                        Case{"few-shot", {}}}) {
    SCOPED_TRACE(c.method);
    const auto made = method(c.method, with_probs("none"), c.said,
                             {labelled("a", 1), labelled("b", 3), labelled("c", 5)});
    const Step first = made->next(sample(), {});
    ASSERT_EQ(asked(first).questions.size(), 1U);
    const Question& question = asked(first).questions[0];
    EXPECT_EQ(question.stage, "rating");
    EXPECT_EQ(question.sampling.temperature, 0);
    const std::string prompt = prompt_of(question);
    EXPECT_TRUE(has(prompt, "Ann won. She cried.")) << prompt;
    EXPECT_TRUE(has(prompt, "the scale 1 to 5")) << prompt;
    EXPECT_TRUE(has(prompt, "One well-ordered text")) << prompt;  // an anchor
    expect_score(scored(made->next(sample(), {{rated(4, "Rating: 4")}})), 4);
    for (const Status status : {Status::kUnparsable, Status::kRefused, Status::kTransport}) {
      const Step none = made->next(sample(), {{failed(status, "<html>")}});
      expect_unscored(scored(none), "told so");
      EXPECT_TRUE(has(scored(none).evidence.children[0].note, "<html>"));
    }
  }
}

TEST(Rating, SamplesAreDrawsAtTemperatureOneAndAveraged) {
  const auto made = method("direct", with_probs("sample:4"));
  const Step first = made->next(sample(), {});
  ASSERT_EQ(asked(first).questions.size(), 4U);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(asked(first).questions[static_cast<std::size_t>(i)].draw, i);
    EXPECT_EQ(asked(first).questions[static_cast<std::size_t>(i)].sampling.temperature, 1);
  }
  const Step last = made->next(sample(), {{rated(4), rated(5), rated(4), rated(2)}});
  expect_score(scored(last), 15.0 / 4);
  const Evidence& tree = scored(last).evidence;
  EXPECT_EQ(tree.op, Op::kExpected);
  ASSERT_EQ(tree.children.size(), 3U);  // 2, 4, 5
  EXPECT_EQ(tree.children[1].label, "4");
  EXPECT_EQ(tree.children[1].weight, 2);
}

TEST(Rating, UnreadableSamplesAreLeftOutAndCounted) {
  const auto made = method("direct", with_probs("sample:3"));
  const Verdict bad = failed(Status::kUnparsable, "no idea");
  const Step some = made->next(sample(), {{rated(4), bad, rated(5)}});
  expect_score(scored(some), 4.5);
  EXPECT_TRUE(has(scored(some).evidence.note, "1 of 3 samples left out"))
      << scored(some).evidence.note;
  const Step refused = made->next(sample(), {{rated(4), failed(Status::kRefused), rated(5)}});
  expect_score(scored(refused), 4.5);
  expect_unscored(scored(made->next(sample(), {{bad, bad, bad}})), "none of 3 samples can be read");
  // A sample that never arrived will be asked again: no mean without it.
  expect_unscored(scored(made->next(sample(), {{rated(4), failed(Status::kTransport), rated(5)}})),
                  "no answer came");
}

// Equal on paper is equal in the program: sums of shares would not be.
TEST(Rating, EqualMeansAreEqualNumbers) {
  const auto made = method("direct", with_probs("sample:20"));
  const auto mean_of = [&](int twos, int threes, int fives) {
    Round round;
    for (int i = 0; i < twos; ++i) round.push_back(rated(2));
    for (int i = 0; i < threes; ++i) round.push_back(rated(3));
    for (int i = 0; i < fives; ++i) round.push_back(rated(5));
    return *scored(made->next(sample(), {round})).score;
  };
  EXPECT_EQ(mean_of(2, 1, 0), 7.0 / 3);
  EXPECT_EQ(mean_of(3, 9, 8), mean_of(5, 6, 9));  // 73/20 both
  EXPECT_EQ(mean_of(3, 9, 8), 73.0 / 20);
}

TEST(Rating, ProbabilitiesGiveTheExpectedValueOverTheScale) {
  const auto made = method("direct", with_probs("logprobs"));
  const Step first = made->next(sample(), {});
  EXPECT_TRUE(asked(first).questions[0].sampling.probabilities);
  EXPECT_TRUE(has(prompt_of(asked(first).questions[0]), "the score alone"));
  Verdict verdict = rated(4, "4");
  verdict.probs = {{"1", 0}, {"2", 0}, {"3", 0}, {"4", 0.6}, {"5", 0.2}};
  const Step last = made->next(sample(), {{verdict}});
  ASSERT_TRUE(scored(last).score);
  EXPECT_NEAR(*scored(last).score, 4.25, 1e-12);
  EXPECT_NEAR(*recompute(scored(last).evidence), 4.25, 1e-12);
  EXPECT_EQ(scored(last).evidence.children.size(), 2U);
  // A judge that gives none after all: not silently the single answer.
  expect_unscored(scored(made->next(sample(), {{rated(4, "4")}})), "--probs sample:20");
}

TEST(Rating, AReleasedRuleReadsTheReplyAsItCame) {
  RateOptions options;
  options.parser = "first-digit";
  options.rule = [](std::string_view reply) {
    const std::size_t at = reply.find_first_of("0123456789");
    return at == std::string_view::npos ? std::nullopt : std::optional<double>(reply[at] - '0');
  };
  const auto made = method("direct", options);
  const Step first = made->next(sample(), {});
  EXPECT_TRUE(std::holds_alternative<Text>(asked(first).questions[0].answer));
  expect_score(scored(made->next(sample(), {{text("I say 3 of 5")}})), 3);
  expect_unscored(scored(made->next(sample(), {{text("nothing")}})), "first-digit finds no number");
  const Step off = made->next(sample(), {{text("9")}});
  expect_score(scored(off), 9);  // what the rule reads, and said so
  EXPECT_TRUE(has(scored(off).evidence.note, "outside the scale"));
  options.probs = ProbSource::parse("logprobs");
  EXPECT_TRUE(has(refusal([&] { method("direct", options); }), "--parser first-digit"));
}

TEST(Rating, StepsComeFromNowhereTheRubricOrTheJudge) {
  RateOptions options;
  const auto prompt = [&](const char* said) {
    return prompt_of(asked(method("direct", options, {said})->next(sample(), {})).questions[0]);
  };
  EXPECT_FALSE(has(prompt(""), "steps"));
  options.steps = RateOptions::Steps::kRubric;
  EXPECT_TRUE(has(prompt(""), "1. Read the article")) << prompt("");
  options.steps = RateOptions::Steps::kGenerated;
  EXPECT_TRUE(has(prompt("1. Look.\n2. Say."), "1. Look.\n2. Say."));
}

// The question for the steps is one, whoever asks; without it nothing could be shared.
TEST(Rating, EveryMethodAsksForStepsInTheSameWords) {
  RateOptions options;
  options.steps = RateOptions::Steps::kGenerated;
  const Preparation preparation{
      "summarization", "coherence", {labelled("a", 1), labelled("b", 3), labelled("c", 5)}, {}};
  std::vector<Question> questions;
  for (const char* name :
       {"g-eval", "seeval", "direct", "analyze-rate", "rate-explain", "few-shot"}) {
    const PrepareStep step = make_preparation(name, context(options))->next(preparation, {});
    questions.push_back(std::get<Ask>(step).questions.at(0));
    EXPECT_EQ(messages_of(questions.back()), messages_of(questions[0])) << name;
    EXPECT_EQ(questions.back().sampling, Sampling{}) << name;
    EXPECT_EQ(questions.back().role, "generator");
  }
}

TEST(Rating, StepsThatCannotBeHadLeaveEveryRowUnscored) {
  MethodContext made = context();
  const auto preparation = make_preparation("g-eval", made);
  for (const Status status : {Status::kUnparsable, Status::kRefused, Status::kTransport}) {
    made.artefact = std::get<Artefact>(
        preparation->next({"summarization", "coherence", {}, {}}, {{failed(status)}}));
    expect_unscored(scored(make_method("g-eval", made)->next(sample(), {})), "steps: ");
  }
}

TEST(Rating, RefusedBeforeAnythingIsAsked) {
  struct Case {
    const char* method;
    const char* probs;  // null: the method's own
    bool probabilities;
    const char* says;  // null: fine
  };
  const Case cases[] = {
      {"g-eval", nullptr, true, nullptr},
      {"g-eval", nullptr, false, "--probs sample:20 or --probs none"},
      {"g-eval", "sample:20", false, nullptr},
      {"g-eval", "none", false, nullptr},
      {"seeval", nullptr, false, nullptr},
      {"seeval", "logprobs", true, nullptr},
      {"seeval", "logprobs", false, "log-probabilities"},
      {"analyze-rate", "logprobs", true, "writes text around its rating"},
      {"rate-explain", "logprobs", true, "writes text around its rating"},
      {"direct", nullptr, false, nullptr},
      {"direct", "logprobs", false, "log-probabilities"},
  };
  for (const Case& c : cases) {
    RateOptions options;
    if (c.probs != nullptr) options = with_probs(c.probs);
    // Refused by the preparation already, where there is one: it would be paid for.
    const std::string said =
        refusal([&] { make_preparation(c.method, context(options, c.probabilities)); });
    EXPECT_EQ(said.empty(), c.says == nullptr) << c.method << ": " << said;
    EXPECT_TRUE(has(said, c.says == nullptr ? "" : c.says)) << said;
  }
}

TEST(Rating, AScaleWhosePointsBeginAlikeHasNoFirstTokenProbabilities) {
  Rubric rubric = coherence();
  rubric.scale = {0, 10};
  RatingKind kind;
  kind.name = "direct";
  Capabilities judge;
  judge.probabilities = true;
  EXPECT_TRUE(
      has(refusal([&] { RatingSetup(kind, rubric, with_probs("logprobs"), judge); }), "sample:20"));
  rubric.scale = {0, 1};
  rubric.step = 0.5;
  EXPECT_TRUE(
      has(refusal([&] { RatingSetup(kind, rubric, with_probs("logprobs"), judge); }), "sample:20"));
  rubric.scale = {0, 9};
  rubric.step = 1;
  EXPECT_EQ(refusal([&] { RatingSetup(kind, rubric, with_probs("logprobs"), judge); }), "");
}

TEST(Rating, EverythingThatChangesAScoreIsInTheSettings) {
  std::vector<std::string> all;
  const auto add = [&](const char* name, const RateOptions& options, const char* steps) {
    all.push_back(method(name, options, {steps})->settings());
  };
  add("direct", with_probs("none"), "");
  add("direct", with_probs("sample:5"), "");
  add("direct", with_probs("sample:6"), "");
  RateOptions options = with_probs("none");
  options.steps = RateOptions::Steps::kGenerated;
  add("direct", options, "1. Read.");
  add("direct", options, "1. Look.");
  add("g-eval", options, "1. Read.");
  options.layout = "paper";
  add("direct", options, "1. Read.");
  options.parser = "x";
  add("direct", options, "1. Read.");
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(all[i], all[j]);
  }
}

// --- the artefact ---

TEST(RatingArtefact, ComesBackAsItWas) {
  RatingPrepared prepared;
  prepared.steps = "1. Read it.\n\n   2. \"Score\": it # not a comment";
  prepared.explanation = "key: value\n- [a, {b}]\n%&*!|>'\" \xC3\xA9";
  prepared.examples = {{"row: 1", 2.5, 3, sample("Out: \"put\"\nwith a tab\t.")}};
  const Artefact artefact = rating_artefact(coherence(), prepared);
  EXPECT_EQ(artefact.seen, std::vector<std::string>{"row: 1"});
  const RatingPrepared back = read_rating_artefact(coherence(), artefact);
  EXPECT_EQ(back.steps, prepared.steps);
  EXPECT_EQ(back.explanation, prepared.explanation);
  ASSERT_EQ(back.examples.size(), 1U);
  EXPECT_EQ(back.examples[0].id, "row: 1");
  EXPECT_EQ(back.examples[0].label, 2.5);
  EXPECT_EQ(back.examples[0].score, 3);
  EXPECT_EQ(back.examples[0].sample.fields.output, "Out: \"put\"\nwith a tab\t.");
  EXPECT_EQ(back.examples[0].sample.fields.source, sample().fields.source);
}

TEST(RatingArtefact, AnyTextComesBack) {
  std::mt19937 random(11);
  const std::vector<std::string> pieces = {"a",
                                           " ",
                                           "\n",
                                           "\n\n",
                                           "\t",
                                           ":",
                                           "- ",
                                           "#",
                                           "'",
                                           "\"",
                                           "\\",
                                           "---",
                                           "...",
                                           "|",
                                           ">",
                                           "{",
                                           "]",
                                           "%",
                                           "&x",
                                           "*x",
                                           "!",
                                           "\r",
                                           "\x01",
                                           "\x7f",
                                           "\xC2\x85",
                                           "\xE2\x80\xA8",
                                           "\xEF\xBB\xBF",
                                           "\xF0\x9F\x98\x80",
                                           "1.",
                                           "word",
                                           "?",
                                           "@",
                                           "`",
                                           "   "};
  for (int round = 0; round < 3000; ++round) {
    std::string text = "x";
    for (auto left = random() % 12; left > 0; --left) text += pieces[random() % pieces.size()];
    if (round % 2 == 0) text = text.substr(1);
    Problems problems;
    const auto root = parse_yaml("key: " + yaml_scalar(text, 0) + "\nafter: 1\n", "f", problems);
    ASSERT_TRUE(root && problems.empty())
        << yaml_scalar(text, 0) << (problems.empty() ? "" : problems.all()[0].str());
    EXPECT_EQ(root->find("key")->text, text) << yaml_scalar(text, 0);
    EXPECT_NE(root->find("after"), nullptr);
  }
}

TEST(RatingArtefact, AnEditedOneIsUsedAndABrokenOneRefusedWithItsLine) {
  MethodContext made = context(with_probs("none"));
  const auto with_body = [&](const char* name, const char* body) {
    made.artefact = Artefact{"rating", body, {}};
    return make_method(name, made);
  };
  const auto edited = with_body(
      "g-eval",
      "artefact: rating\ntask: summarization\ndimension: coherence\nsteps: |-\n  1. Mine.\n");
  EXPECT_TRUE(has(prompt_of(asked(edited->next(sample(), {})).questions[0]), "1. Mine."));
  struct Case {
    const char* method;
    const char* body;
    const char* says;
  };
  const Case cases[] = {
      {"g-eval", "artefact: rating\ntask: summarization\ndimension: fluency\nsteps: a\n",
       "made for summarization/fluency, not for summarization/coherence"},
      {"g-eval", "artefact: checklist\ntask: summarization\ndimension: coherence\n",
       ":1: it is an artefact of the kind \"checklist\""},
      {"g-eval", "artefact: rating\ntask: summarization\ndimension: coherence\n", "has no steps"},
      {"seeval", "artefact: rating\ntask: summarization\ndimension: coherence\nsteps: a\n",
       "has no explanation"},
      {"few-shot", "artefact: rating\ntask: summarization\ndimension: coherence\n",
       "has no examples"},
      {"g-eval", "artefact: rating\ntask: summarization\ndimension: coherence\nstep: a\n",
       "did you mean \"steps\"?"},
      {"g-eval", "- a\n", "a map of keys was expected"},
      {"g-eval", "artefact: [\n", "artefact:"},
      {"few-shot",
       "artefact: rating\ntask: summarization\ndimension: coherence\nexamples:\n  - id: a\n    "
       "score: 9\n    texts: {source: a, output: b}\n",
       "the score 9 of example 1 is outside the scale 1 to 5"},
  };
  for (const Case& c : cases) {
    const std::string said = refusal([&] { with_body(c.method, c.body); });
    EXPECT_TRUE(has(said, c.says)) << c.body << "\n" << said;
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
}

TEST(RatingArtefact, RandomBytesAreRefusedOrReadNeverWorse) {
  std::mt19937 random(5);
  const std::string good =
      rating_artefact(coherence(), {"1. a\n2. b", "text", {{"r", 2, 2, sample()}}, ""}).body;
  for (int round = 0; round < 2000; ++round) {
    std::string body = good;
    for (auto left = 1 + random() % 4; left > 0; --left)
      body[random() % body.size()] = static_cast<char>(random() % 256);
    try {
      read_rating_artefact(coherence(), {"rating", body, {}});
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()), "");
    }
  }
}

}  // namespace
}  // namespace assay::rating_test
