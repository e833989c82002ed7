// SEEval: one explanation for a dimension, then every row as the end of the same dialogue.

#include "methods/seeval.h"

#include "rating_support.h"

namespace assay::rating_test {
namespace {

PrepareStep prepare(const Transcript& transcript, RateOptions options = {}) {
  return make_preparation("seeval", context(std::move(options)))
      ->next({"summarization", "coherence", {}, {}}, transcript);
}

TEST(Seeval, StepsThenExplanationThenAnArtefact) {
  const PrepareStep first = prepare({});
  EXPECT_EQ(std::get<Ask>(first).questions.at(0).stage, "steps");
  const PrepareStep second = prepare({{text("1. Read.")}});
  const Question& explain = std::get<Ask>(second).questions.at(0);
  EXPECT_EQ(explain.stage, "explanation");
  EXPECT_EQ(explain.role, "explainer");
  EXPECT_EQ(explain.sampling.temperature, 0);
  EXPECT_TRUE(std::holds_alternative<Text>(explain.answer));
  EXPECT_TRUE(has(prompt_of(explain), "1. Read."));
  const PrepareStep last = prepare({{text("1. Read.")}, {text("It means:\norder.")}});
  const std::string& body = std::get<Artefact>(last).body;
  EXPECT_TRUE(has(body, "explanation: |-\n  It means:\n  order.\n"))
      << body;  // readable and editable
}

TEST(Seeval, WithTheRubricsStepsOnlyTheExplanationIsAsked) {
  RateOptions options;
  options.steps = RateOptions::Steps::kRubric;
  const PrepareStep first = prepare({}, options);
  EXPECT_EQ(std::get<Ask>(first).questions.at(0).stage, "explanation");
  EXPECT_TRUE(has(prompt_of(std::get<Ask>(first).questions[0]), "1. Read the article"));
}

// The dialogue begins with the very messages that were explained, then the explanation, then the
// row.
TEST(Seeval, ARowIsRatedInTheDialogueOfTheExplanation) {
  const PrepareStep second = prepare({{text("1. Read.")}});
  const std::vector<Message> explained = messages_of(std::get<Ask>(second).questions.at(0));
  const auto made = method("seeval", {}, {"1. Read.", "In my words."});
  const Step first = made->next(sample(), {});
  const Question& question = asked(first).questions.at(0);
  const std::vector<Message> messages = messages_of(question);
  ASSERT_EQ(messages.size(), explained.size() + 2);
  for (std::size_t i = 0; i < explained.size(); ++i) EXPECT_EQ(messages[i], explained[i]) << i;
  EXPECT_EQ(messages[explained.size()], (Message{Role::kAssistant, "In my words."}));
  EXPECT_EQ(messages.back().role, Role::kUser);
  EXPECT_TRUE(has(messages.back().text, "Ann won. She cried."));
  const auto& answer = std::get<Rated>(question.answer);
  EXPECT_EQ(answer.label, "Coherence");
  EXPECT_EQ(answer.hi, 5);
  EXPECT_TRUE(has(messages.back().text, "\"Coherence: n\""));
  // Every row of the dimension shares all that stands before it.
  EXPECT_EQ(asked(made->next(sample("Other."), {})).questions[0].shared, question.shared);
  expect_score(scored(made->next(sample(), {{rated(2, "Coherence: 2")}})), 2);
}

TEST(Seeval, ExpectedValueBySamplesOrProbabilities) {
  const auto sampling = method("seeval", with_probs("sample:20"), {"1. Read.", "In my words."});
  const Step first = sampling->next(sample(), {});
  ASSERT_EQ(asked(first).questions.size(), 20U);
  Round round(10, rated(2));
  round.resize(20, rated(3));
  expect_score(scored(sampling->next(sample(), {round})), 2.5);

  const auto probable = method("seeval", with_probs("logprobs"), {"1. Read.", "In my words."});
  const Step one = probable->next(sample(), {});
  EXPECT_TRUE(std::holds_alternative<Number>(asked(one).questions[0].answer));
  EXPECT_FALSE(has(prompt_of(asked(one).questions[0]), "Coherence: n"));
  Verdict verdict = rated(2, "2");
  verdict.probs = {{"2", 0.5}, {"3", 0.25}, {"5", 0.25}};
  expect_score(scored(probable->next(sample(), {{verdict}})), 3);
}

TEST(Seeval, AFailedExplanationLeavesTheRowsUnscored) {
  for (const Status status : {Status::kRefused, Status::kTransport}) {
    MethodContext made = context();
    made.artefact = std::get<Artefact>(prepare({{text("1. Read.")}, {failed(status)}}));
    expect_unscored(scored(make_method("seeval", made)->next(sample(), {})), "explanation: ");
  }
  // Failed steps are not explained.
  EXPECT_TRUE(std::holds_alternative<Artefact>(prepare({{failed(Status::kRefused)}})));
}

}  // namespace
}  // namespace assay::rating_test
