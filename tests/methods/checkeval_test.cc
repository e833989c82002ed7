// CheckEval as a table of transcripts: what is asked under each grouping, which score follows, and
// how every failure ends.

#include "methods/checkeval.h"

#include <gtest/gtest.h>

#include "assay/error.h"
#include "rubric/library.h"

namespace assay {
namespace {

using Grouping = CheckevalOptions::Grouping;

const RubricLibrary& library() {
  static const RubricLibrary loaded = RubricLibrary::load("");
  return loaded;
}

// Two sub-dimensions, five questions asked, one dropped by the filter and one for its polarity.
Checklist list() {
  return parse_checklist(R"(task: summarization
dimension: coherence
sub_dimensions:
  - id: flow
    questions:
      - {id: a, text: "Does it flow?", origin: seed}
      - {id: b, text: "Is the order plain?", origin: diversified, parent: a}
      - {id: c, text: "Is the sequence plain?", origin: elaborated, parent: a, dropped: "redundancy: asks the same as b"}
      - {id: d, text: "Is each link given?", origin: elaborated, parent: a}
  - id: topic
    questions:
      - {id: e, text: "Does it keep to its subject?", origin: seed}
      - {id: f, text: "Is it off topic?", origin: elaborated, parent: e, dropped: alignment}
      - {id: g, text: "Could one name its subject?", origin: elaborated, parent: e}
)",
                         "list.yaml");
}

Checkeval method(CheckevalOptions options = {}, std::optional<ChecklistWeights> weights = {}) {
  return Checkeval(
      library().get("summarization", "coherence"), list(), std::move(weights),
      [](const std::string& id) -> const Prompt& { return library().prompt(id); },
      std::move(options));
}

CheckevalOptions grouped(Grouping group) {
  CheckevalOptions options;
  options.group = group;
  return options;
}

Sample sample() {
  Sample s;
  s.id = "r1";
  s.fields.source = "Ann won the race in Oslo.";
  s.fields.output = "Ann won.";
  s.fields.references = {"The reference."};
  return s;
}

Verdict ok(Named<bool> answers) {
  Verdict verdict;
  verdict.value.data = std::move(answers);
  verdict.raw = "raw";
  return verdict;
}

Verdict failed(Status status) {
  Verdict verdict;
  verdict.status = status;
  verdict.raw = "<html>";
  verdict.problem = "told so";
  return verdict;
}

// Answers a question from its ids: those in `yes` with yes, those in `silent` not at all, the rest
// with no.
Verdict answer(const Question& question, const std::string& yes, const std::string& silent = "") {
  Named<bool> answers;
  for (const std::string& id : std::get<Lines>(question.answer).ids) {
    if (silent.find(id) == std::string::npos)
      answers.emplace_back(id, yes.find(id) != std::string::npos);
  }
  return ok(std::move(answers));
}

Round answer_all(const Step& step, const std::string& yes, const std::string& silent = "") {
  Round round;
  for (const Question& question : std::get<Ask>(step).questions)
    round.push_back(answer(question, yes, silent));
  return round;
}

const std::vector<Question>& asked(const Step& step) { return std::get<Ask>(step).questions; }
const Score& score(const Step& step) { return std::get<Score>(step); }

std::vector<std::string> question_lines(const Question& question) {
  std::vector<std::string> lines;
  const std::string text = messages_of(question).back().text;
  for (std::size_t at = text.find("\nQ"); at != std::string::npos; at = text.find("\nQ", at + 1)) {
    if (text[at + 2] < '0' || text[at + 2] > '9') continue;  // "Questions", the form of an answer
    lines.push_back(text.substr(at + 1, text.find('\n', at + 1) - at - 1));
  }
  return lines;
}

TEST(Checkeval, ThreeGroupingsAskTheSameQuestionsUnderTheSameNumbers) {
  const std::vector<std::string> expected = {
      "Q1: Does it flow?", "Q2: Is the order plain?", "Q3: Is each link given?",
      "Q4: Does it keep to its subject?", "Q5: Could one name its subject?"};
  struct Case {
    Grouping group;
    std::size_t calls;
  };
  for (const Case& c : {Case{Grouping::kSubDimension, 2}, Case{Grouping::kDimension, 1},
                        Case{Grouping::kQuestion, 5}}) {
    const Checkeval m = method(grouped(c.group));
    const Step first = m.next(sample(), {});
    EXPECT_EQ(asked(first).size(), c.calls);
    std::vector<std::string> lines;
    for (const Question& question : asked(first)) {
      EXPECT_EQ(question.shared, asked(first)[0].shared);
      for (const std::string& line : question_lines(question)) lines.push_back(line);
    }
    EXPECT_EQ(lines, expected);
    // Q1, Q2 and Q4 of five.
    const Step last = m.next(sample(), {answer_all(first, "Q1 Q2 Q4")});
    EXPECT_EQ(*score(last).score, 3.0 / 5);
    EXPECT_EQ(*recompute(score(last).evidence), 3.0 / 5);
    EXPECT_EQ(score(last).evidence.op, Op::kRatio);
    EXPECT_EQ(score(last).scale, Scale{});
    std::vector<std::string> labels;
    for (const Evidence& leaf : score(last).evidence.children) labels.push_back(leaf.label);
    EXPECT_EQ(labels,
              (std::vector<std::string>{"flow/Q1", "flow/Q2", "flow/Q3", "topic/Q4", "topic/Q5"}));
    EXPECT_EQ(score(last).evidence.children[2].note, "Is each link given?");
  }
}

TEST(Checkeval, TheJudgeSeesSourceAndOutputFencedAndNoReference) {
  for (const char* layout : {"shared", "paper"}) {
    CheckevalOptions options;
    options.layout = layout;
    const Step first = method(options).next(sample(), {});
    const std::string text = messages_of(asked(first)[0]).back().text;
    EXPECT_NE(text.find("<<<Article"), std::string::npos);
    EXPECT_NE(text.find("<<<Summary"), std::string::npos);
    EXPECT_EQ(text.find("The reference."), std::string::npos);
    const bool text_first = text.find("<<<Article") < text.find("What counts here");
    EXPECT_EQ(text_first, std::string(layout) == "shared");
  }
}

TEST(Checkeval, UnansweredQuestionsAreAskedAgainAlone) {
  const Checkeval m = method();
  const Step first = m.next(sample(), {});
  Transcript transcript{answer_all(first, "Q1 Q4", "Q2 Q5")};
  const Step second = m.next(sample(), transcript);
  ASSERT_EQ(asked(second).size(), 2U);
  EXPECT_EQ(std::get<Lines>(asked(second)[0].answer).ids, std::vector<std::string>{"Q2"});
  EXPECT_EQ(question_lines(asked(second)[1]),
            std::vector<std::string>{"Q5: Could one name its subject?"});
  transcript.push_back(answer_all(second, "Q5"));
  EXPECT_EQ(*score(m.next(sample(), transcript)).score, 3.0 / 5);

  // Still no answer: no score, and the denominator does not shrink.
  transcript[1][1] = ok({});
  const Step last = m.next(sample(), transcript);
  EXPECT_FALSE(score(last).score.has_value());
  EXPECT_EQ(score(last).reason, "topic/Q5: no readable answer: the reply has no line for it");
  EXPECT_FALSE(recompute(score(last).evidence).has_value());
  EXPECT_EQ(score(last).evidence.children.size(), 5U);  // four answers, and the reply that was none
}

TEST(Checkeval, AGroupThatStaysUnreadableIsAskedQuestionByQuestion) {
  const Checkeval m = method();
  const Step first = m.next(sample(), {});
  Transcript transcript{answer_all(first, "Q4")};
  transcript[0][0] = failed(Status::kUnparsable);
  const Step second = m.next(sample(), transcript);
  ASSERT_EQ(asked(second).size(), 3U);
  transcript.push_back(answer_all(second, "Q1 Q2 Q3"));
  EXPECT_EQ(*score(m.next(sample(), transcript)).score, 4.0 / 5);
}

TEST(Checkeval, EveryFailureLeavesTheRowUnscored) {
  struct Case {
    Grouping group;
    Status status;
    bool asked_again;
  };
  const Case cases[] = {{Grouping::kSubDimension, Status::kRefused, false},
                        {Grouping::kSubDimension, Status::kTransport, false},
                        {Grouping::kSubDimension, Status::kUnparsable, true},
                        {Grouping::kDimension, Status::kUnparsable, true},
                        {Grouping::kQuestion, Status::kUnparsable,
                         false},  // was alone: the same words would be asked
                        {Grouping::kQuestion, Status::kRefused, false}};
  for (const Case& c : cases) {
    const Checkeval m = method(grouped(c.group));
    const Step first = m.next(sample(), {});
    Transcript transcript{answer_all(first, "Q1")};
    transcript[0].back() = failed(c.status);
    Step step = m.next(sample(), transcript);
    ASSERT_EQ(std::holds_alternative<Ask>(step), c.asked_again);
    if (c.asked_again) {
      for (const Status again : {Status::kUnparsable, Status::kRefused, Status::kTransport}) {
        Transcript longer = transcript;
        longer.push_back(answer_all(step, ""));
        longer[1].front() = failed(again);
        const Step last = m.next(sample(), longer);
        EXPECT_FALSE(score(last).score.has_value());
        EXPECT_FALSE(recompute(score(last).evidence).has_value());
        EXPECT_NE(score(last).reason.find("told so"), std::string::npos);
        EXPECT_NE(score(last).evidence.children.back().note.find("<html>"), std::string::npos);
      }
      continue;
    }
    EXPECT_FALSE(score(step).score.has_value());
    EXPECT_FALSE(score(step).reason.empty());
    EXPECT_FALSE(recompute(score(step).evidence).has_value());
  }
}

TEST(Checkeval, AblationsAskTheSeedsOrAlsoWhatWasFilteredOut) {
  CheckevalOptions seeds;
  seeds.questions = CheckevalOptions::Asked::kSeeds;
  seeds.group = Grouping::kDimension;
  EXPECT_EQ(question_lines(asked(method(seeds).next(sample(), {}))[0]),
            (std::vector<std::string>{"Q1: Does it flow?", "Q2: Does it keep to its subject?"}));
  CheckevalOptions all;
  all.questions = CheckevalOptions::Asked::kUnfiltered;
  all.group = Grouping::kDimension;
  const auto lines = question_lines(asked(method(all).next(sample(), {}))[0]);
  EXPECT_EQ(lines.size(), 6U);  // but not the one whose yes is bad
  EXPECT_EQ(lines[2], "Q3: Is the sequence plain?");
}

ChecklistWeights weights() {
  ChecklistWeights w{"summarization", "coherence", "", 0.5, {}, {"r9"}, "w.yaml"};
  const char* texts[] = {"Does it flow?", "Is the order plain?", "Is each link given?",
                         "Does it keep to its subject?", "Could one name its subject?"};
  for (int i = 0; i < 5; ++i)
    w.weights.push_back({"Q" + std::to_string(i + 1), texts[i], 0.25 * (i + 1), i + 1});
  return w;
}

TEST(Checkeval, WeightsGiveALineThatCanBeRecomputed) {
  const Checkeval m = method({}, weights());
  const Step first = m.next(sample(), {});
  const Step last = m.next(sample(), {answer_all(first, "Q1 Q3")});
  EXPECT_DOUBLE_EQ(*score(last).score, 0.5 + 0.25 + 0.75);
  EXPECT_EQ(*recompute(score(last).evidence), *score(last).score);
  EXPECT_FALSE(score(last).scale.has_value());
  EXPECT_EQ(score(last).evidence.note, "");
  Sample fitted = sample();
  fitted.id = "r9";
  EXPECT_NE(
      score(m.next(fitted, {answer_all(first, "Q1")})).evidence.note.find("fitted on this row"),
      std::string::npos);
}

TEST(Checkeval, WeightsOfAnotherListAreRefused) {
  ChecklistWeights other = weights();
  other.weights[1].text = "Is it short?";
  try {
    method({}, other);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("w.yaml:2: Q2 was fitted for another question"),
              std::string::npos)
        << error.what();
  }
  ChecklistWeights fewer = weights();
  fewer.weights.pop_back();
  EXPECT_THROW(method({}, fewer), ConfigError);
  ChecklistWeights more = weights();
  more.weights.push_back({"Q6", "Is there more?", 1, 6});
  EXPECT_THROW(method({}, more), ConfigError);
}

TEST(Checkeval, SettingsFollowOptionsListAndWeights) {
  std::vector<std::string> all = {method().settings(),
                                  method(grouped(Grouping::kDimension)).settings(),
                                  method({}, weights()).settings()};
  CheckevalOptions paper;
  paper.layout = "paper";
  all.push_back(method(paper).settings());
  CheckevalOptions seeds;
  seeds.questions = CheckevalOptions::Asked::kSeeds;
  all.push_back(method(seeds).settings());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(all[i], all[j]);
  }
}

TEST(Checkeval, EveryShippedListGivesHalfForHalf) {
  for (const Checklist& shipped : shipped_checklists()) {
    const Checkeval m(library().get(shipped.task, shipped.dimension), shipped, {},
                      [](const std::string& id) -> const Prompt& { return library().prompt(id); },
                      {});
    const Step first = m.next(sample(), {});
    EXPECT_EQ(asked(first).size(), shipped.subs.size());
    Round round;
    int yes = 0;
    int all = 0;
    for (const Question& question : asked(first)) {
      Named<bool> answers;
      for (const std::string& id : std::get<Lines>(question.answer).ids)
        answers.emplace_back(id, all++ % 2 == 0 ? ++yes > 0 : false);
      round.push_back(ok(std::move(answers)));
    }
    const Step last = m.next(sample(), {round});
    EXPECT_EQ(*score(last).score, static_cast<double>(yes) / all)
        << shipped.task << "/" << shipped.dimension;
    EXPECT_EQ(*recompute(score(last).evidence), *score(last).score);
  }
}

}  // namespace
}  // namespace assay
