// What the checker says of a wrong file: each case edits a right one and expects one problem at one
// line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rubric/prompt_file.h"
#include "rubric/rubric_file.h"

namespace assay {
namespace {

using testing::HasSubstr;

const char* const kRubric = R"(task: mail
dimension: politeness
version: 2
introduction: A letter is judged.
definition: Politeness.
scale: {from: 1, to: 5}
anchors:
  1: rude
  5: kind
inputs:
  source: Request
  output: Letter
seal:
  units: sentences
  threshold: 3
  sub_dimensions:
    - id: greeting
      question: Does it greet the reader?
      weight: 3
      evidence: [content]
    - id: thanks
      question: Does it thank the reader?
decomp:
  question: Is this letter polite?
  subquestion: Is "{{sentence}}" polite?
  inputs: {output: letter}
)";

const char* const kPrompt = R"(id: seal/verdict
version: 1
answer: yes-no
turns:
  - role: system
    text: You judge.
  - role: user
    shared: [material, "|", ask]
    paper: [ask, "|", material]
blocks:
  material: "{{texts}}"
  ask: "{{#unit}}{{unit}}{{/unit}} {{question}}"
)";

std::string edited(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::vector<std::string> problems_of(const std::string& text) {
  const std::vector<std::string> evidence{"content", "on-topic"};
  Problems problems;
  if (const auto root = parse_yaml(text, "r.yaml", problems)) {
    is_prompt(*root) ? (void)read_prompt(*root, problems)
                     : (void)read_rubric(*root, evidence, problems);
  }
  std::vector<std::string> told;
  for (const Problem& problem : problems.all()) told.push_back(problem.str());
  return told;
}

struct Case {
  std::string from, to, expected;
};

TEST(RubricChecker, ARightRubricHasNoProblem) {
  EXPECT_THAT(problems_of(kRubric), testing::IsEmpty());
  Problems problems;
  const Rubric rubric = read_rubric(*parse_yaml(kRubric, "r.yaml", problems), {}, problems);
  EXPECT_EQ(rubric.task + "/" + rubric.id, "mail/politeness");
  EXPECT_EQ(rubric.seal->units, UnitKind::kSentences);
  EXPECT_DOUBLE_EQ(rubric.seal->subs[0].weight, 0.75);
  EXPECT_DOUBLE_EQ(rubric.seal->subs[1].weight, 0.25);
  EXPECT_EQ(rubric.seal->subs[1].name, "thanks");
  EXPECT_EQ(rubric.decomp->rule, "once");
}

TEST(RubricChecker, NamesLineKeyAndRemedy) {
  const Case cases[] = {
      {"threshold: 3", "treshold: 3",
       "r.yaml:15: key \"treshold\" is not known in seal; did you mean \"threshold\"?"},
      {"version: 2", "colour: red", "r.yaml:3: key \"colour\" is not known here"},
      {"version: 2", "version: two", "r.yaml:3: \"version\" must be a number, not \"two\""},
      {"version: 2", "version: 1.5", "r.yaml:3: \"version\" must be a whole number"},
      {"version: 2", "version: 0", "r.yaml:3: \"version\" must be 1 or more"},
      {"version: 2", "task: mail", "r.yaml:3: key \"task\" is given twice"},
      {"task: mail", "task: My Mail", "r.yaml:1: \"task\" must be small letters"},
      {"dimension: politeness\n", "", "r.yaml:1: \"dimension\" is missing"},
      {"definition: Politeness.\n", "definition:\n", "r.yaml:5: \"definition\" is missing"},
      {"definition: Politeness.", "definition: [a]",
       "r.yaml:5: \"definition\" must be text, not a list"},
      {"{from: 1, to: 5}", "{from: 5, to: 1}",
       "r.yaml:6: the scale ends at 1, not above its start 5"},
      {"{from: 1, to: 5}", "{from: 1}", "r.yaml:6: \"to\" of scale is missing"},
      {"{from: 1, to: 5}", "{from: 1, to: 5, step: 0}",
       "r.yaml:6: \"step\" of scale must be above 0"},
      {"{from: 1, to: 5}", "1-5", "r.yaml:6: \"scale\" must be a map of keys, not text"},
      {"{from: 1, to: 5}", "{from: 1, to: .nan}",
       "r.yaml:6: \"to\" of scale must be a number, not \".nan\""},
      {"  5: kind", "  6: kind", "r.yaml:9: anchor 6 is outside the scale 1 to 5"},
      {"  5: kind", "  five: kind", "r.yaml:9: anchor \"five\" is no number of the scale"},
      {"  5: kind", "  1: kind", "r.yaml:9: anchor 1 is given twice"},
      {"source: Request", "sauce: Request",
       "r.yaml:11: \"sauce\" is no field of a row; there are source, output"},
      {"  output: Letter\n", "", "r.yaml:11: inputs must show the output"},
      {"source: Request", "output: Request",
       "r.yaml:12: field \"output\" is given twice in inputs"},
      {"units: sentences", "units: sentence",
       "r.yaml:14: \"units\" of seal must be one of whole, sentences"},
      {"threshold: 3", "threshold: -1", "r.yaml:15: \"threshold\" must be 0 (never) or more"},
      {"threshold: 3", "compare: [output]",
       "r.yaml:15: \"compare\" of seal must name source or references"},
      {"threshold: 3", "compare: [references]",
       "seal compares with \"references\", which is not among the inputs"},
      {"threshold: 3", "supported_by_source: true",
       "r.yaml:15: supported_by_source needs compare: [source]"},
      {"id: thanks", "id: greeting", "r.yaml:21: sub-dimension id \"greeting\" is given twice"},
      {"weight: 3", "weight: 0", "r.yaml:19: \"weight\" must be above 0"},
      {"weight: 3", "weight: .inf", "r.yaml:19: \"weight\" of sub-dimension 1 must be a number"},
      {"weight: 3", "yes_at: 1.5", "r.yaml:19: \"yes_at\" must be above 0 and at most 1"},
      {"weight: 3", "yes_is: bad", "r.yaml:19: yes must mean good"},
      {"[content]", "[contents]",
       "r.yaml:20: no built-in evidence is called \"contents\"; did you mean \"content\"?"},
      {"Does it greet the reader?", "Does it offend or contradict?",
       "r.yaml:18: a yes to this question looks bad (\"contradict\")"},
      {"Is this letter polite?", "Is this letter rude?",
       "r.yaml:24: a yes to this question looks bad (\"rude\")"},
      {"\"{{sentence}}\"", "this", "r.yaml:25: \"subquestion\" of decomp must show the sentence"},
      {"{output: letter}", "{source: letter}", "r.yaml:26: inputs of decomp must show the output"},
      {"{output: letter}", "{output: letter}\n  wordings: [{question: Is it kind}]",
       "r.yaml:27: \"subquestion\" of wording 2 is missing"},
      {"{output: letter}", "{output: letter}\n  wordings: [kind]",
       "r.yaml:27: a wording must be a map of question and subquestion, not text"},
      {"{output: letter}",
       "{output: letter}\n  wordings: [{question: Is it kind, subquestion: Is this kind}]",
       "r.yaml:27: \"subquestion\" of wording 2 must show the sentence"},
  };
  for (const Case& c : cases) {
    const auto problems = problems_of(edited(kRubric, c.from, c.to));
    ASSERT_EQ(problems.size(), 1u) << c.to << " gave " << testing::PrintToString(problems);
    EXPECT_THAT(problems[0], HasSubstr(c.expected));
  }
}

TEST(RubricChecker, CollectsEveryProblemAtOnce) {
  std::string text = edited(kRubric, "threshold: 3", "treshold: 3");
  text = edited(text, "weight: 3", "weight: -3");
  text = edited(text, "definition: Politeness.\n", "");
  EXPECT_EQ(problems_of(text).size(), 3u);
}

TEST(RubricChecker, AQuestionMayBeVouchedFor) {
  const std::string vouched = edited(kRubric, "question: Does it greet the reader?",
                                     "question: Does it name the wrong?\n      yes_is: good");
  EXPECT_THAT(problems_of(vouched), testing::IsEmpty());
}

TEST(RubricChecker, OtherLanguagesAreNotHeldAgainstEnglishWords) {
  std::string text = edited(kRubric, "version: 2", "language: de");
  text = edited(text, "Does it greet the reader?", "Ist der Gruss bad?");
  EXPECT_THAT(problems_of(text), testing::IsEmpty());
}

TEST(RubricChecker, WhatIsNoMapIsRefused) {
  EXPECT_THAT(
      problems_of("- a\n- b\n"),
      testing::ElementsAre(HasSubstr("r.yaml:1: a rubric must be a map of keys, not a list")));
  EXPECT_THAT(problems_of("just text"), testing::ElementsAre(HasSubstr("not text")));
}

TEST(PromptChecker, NamesLineKeyAndRemedy) {
  ASSERT_THAT(problems_of(kPrompt), testing::IsEmpty());
  const Case cases[] = {
      {"answer: yes-no", "answer: yesno", "r.yaml:3: \"answer\" must be one of yes-no"},
      {"answer: yes-no\n", "", "\"answer\" is missing"},
      {"id: seal/verdict", "id: verdict", "r.yaml:1: \"id\" must be METHOD/QUESTION"},
      {"role: system", "role: sistem",
       "r.yaml:5: \"role\" of turn 1 must be one of system, user, assistant"},
      {"paper: [ask, \"|\", material]", "paper: [ask]",
       "the layouts shared and paper must hold the same blocks"},
      {"shared: [material, \"|\", ask]", "shared: [material, \"|\", ask, \"|\"]",
       "a layout has more than one \"|\""},
      {"{{/unit}}", "", "r.yaml:12: block \"ask\""},
      {"{{texts}}", "{{texts}", "r.yaml:11: block \"material\""},
      {"material: \"{{texts}}\"", "material: \"{{texts}}\"\n  more: \"x\"",
       "r.yaml:12: block \"more\" is never used"},
      {"  material: \"{{texts}}\"\n", "", "block \"material\" is used but not given"},
      {"text: You judge.", "shared: [material]",
       "turn 1 needs text, or the block lists shared and paper"},
  };
  for (const Case& c : cases) {
    const auto problems = problems_of(edited(kPrompt, c.from, c.to));
    ASSERT_GE(problems.size(), 1u) << c.to;
    EXPECT_THAT(problems, testing::Contains(HasSubstr(c.expected)))
        << testing::PrintToString(problems);
  }
  EXPECT_THAT(problems_of(edited(kPrompt, "role: user", "role: assistant")),
              testing::Contains(HasSubstr("the last turn of a prompt must be the user's")));
}

}  // namespace
}  // namespace assay
