// Drafting as a table of transcripts: what is asked, what is sent back, and what becomes of it.

#include "methods/rubric_draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "assay/error.h"
#include "methods/registry.h"
#include "rubric/library.h"
#include "rubric/rubric_file.h"

namespace assay {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Texts = std::vector<std::string>;

const RubricLibrary& library() {
  static const RubricLibrary loaded = RubricLibrary::load("");
  return loaded;
}

RubricDrafting drafting(RubricDraftOptions options = {}) {
  return RubricDrafting([](const std::string& id) -> const Prompt& { return library().prompt(id); },
                        std::move(options));
}

Preparation preparation() {
  Row row;
  row.sample.id = "r1";
  row.sample.fields.source = "commit abc: fix crash";
  row.sample.fields.output = "Fixed a crash.";
  row.human = {{"clarity", 4.5}};
  return {"release-notes", {}, {row}, {"Release notes written from commits, for users."}};
}

Verdict lists(Named<Texts> value) {
  Verdict verdict;
  verdict.value = {std::move(value)};
  return verdict;
}

Verdict failed(Status status) {
  Verdict verdict;
  verdict.status = status;
  verdict.problem = "told so";
  return verdict;
}

Verdict task_proposal(Texts dimensions = {"Clarity: A user understands each note.",
                                          "Completeness: No change is left out."}) {
  return lists(
      {{"introduction", {"A release note is judged."}}, {"dimensions", std::move(dimensions)}});
}

const Texts kAnchors = {"Useless.", "Poor.", "Fair.", "Good.", "Very good."};
const Texts kSteps = {"Read the commits.", "Read the notes.", "Give the score."};

Verdict proposal(Texts subs = {"Plain words: Is it worded so that a user understands it?"},
                 Texts units = {"sentences"}, Texts anchors = kAnchors) {
  return lists({{"units", std::move(units)},
                {"sub_dimensions", std::move(subs)},
                {"anchors", std::move(anchors)},
                {"steps", kSteps}});
}

const Ask& asked(const PrepareStep& step) { return std::get<Ask>(step); }
RubricDrafts drafts(const PrepareStep& step) { return read_drafts(std::get<Artefact>(step)); }

std::string prompt_of(const Question& question) {
  std::string all;
  for (const Message& message : messages_of(question)) all += message.text + "\n";
  return all;
}

Rubric read(const RubricDraft& draft) {
  Problems problems;
  const auto root = parse_yaml(draft.yaml, "draft.yaml", problems);
  const Rubric rubric = read_rubric(*root, {}, problems);
  EXPECT_TRUE(problems.empty()) << (problems.empty() ? "" : problems.all()[0].str()) << "\n"
                                << draft.yaml;
  return rubric;
}

TEST(RubricDraft, AsksForDimensionsAndThenForEach) {
  const RubricDrafting method = drafting();
  const PrepareStep first = method.next(preparation(), {});
  ASSERT_EQ(asked(first).questions.size(), 1U);
  const std::string prompt = prompt_of(asked(first).questions[0]);
  for (const char* part :
       {"release-notes", "written from commits", "Fixed a crash.", "commit abc", "between 2 and 6"})
    EXPECT_THAT(prompt, HasSubstr(part));
  EXPECT_THAT(prompt, Not(HasSubstr("4.5"))) << "ratings are not shown";
  EXPECT_THAT(prompt, Not(HasSubstr("What is wrong")));

  const PrepareStep second = method.next(preparation(), {{task_proposal()}});
  ASSERT_EQ(asked(second).questions.size(), 2U);
  EXPECT_EQ(asked(second).questions[0].shared, asked(second).questions[1].shared)
      << "siblings share the description";
  EXPECT_THAT(asked(second).questions[0].tail, HasSubstr("Clarity: A user understands"));
  EXPECT_THAT(asked(second).questions[0].tail,
              HasSubstr("Leave to the others what is theirs:\n- Completeness"));
  EXPECT_THAT(asked(second).questions[0].tail, HasSubstr("which is Source, Text."));
}

TEST(RubricDraft, AGoodProposalIsARubric) {
  const PrepareStep last = drafting().next(
      preparation(),
      {{task_proposal()},
       {proposal(), proposal({"Nothing left out: Does it tell every change of the \"commits\"?",
                              "No noise: Is it free of trivia?"},
                             {"facts"})}});
  const RubricDrafts all = drafts(last);
  EXPECT_EQ(all.task, "release-notes");
  ASSERT_EQ(all.drafts.size(), 2U);
  EXPECT_THAT(all.drafts[0].problems, IsEmpty());
  EXPECT_THAT(all.drafts[0].yaml, HasSubstr("draft: true"));
  const Rubric clarity = read(all.drafts[0]);
  EXPECT_EQ(clarity.task, "release-notes");
  EXPECT_EQ(clarity.id, "clarity");
  EXPECT_EQ(clarity.definition, "Clarity: A user understands each note.");
  EXPECT_EQ(clarity.seal->units, UnitKind::kSentences);
  EXPECT_EQ(clarity.seal->threshold, 3);
  EXPECT_EQ(clarity.seal->subs.at(0).id, "plain-words");
  EXPECT_EQ(clarity.anchors.size(), 5U);
  EXPECT_EQ(clarity.steps.size(), 3U);
  ASSERT_EQ(clarity.inputs.size(), 2U);
  EXPECT_EQ(clarity.inputs[0].field, "source");
  EXPECT_TRUE(clarity.inputs[0].required);
  const Rubric complete = read(all.drafts[1]);
  EXPECT_EQ(complete.seal->units, UnitKind::kFacts);
  EXPECT_THAT(complete.seal->compare, ElementsAre("source"));
  EXPECT_EQ(complete.seal->subs.at(0).question, "Does it tell every change of the \"commits\"?");
}

TEST(RubricDraft, AQuestionToWhichYesIsBadIsSentBackOnce) {
  const RubricDrafting method = drafting();
  const Verdict bad = proposal({"Errors: Does it contain errors?", "Tone: Is it friendly?"});
  const Transcript so_far = {{task_proposal()}, {proposal(), bad}};
  const PrepareStep again = method.next(preparation(), so_far);
  ASSERT_EQ(asked(again).questions.size(), 1U) << "only the one that is wrong";
  const Question& question = asked(again).questions[0];
  EXPECT_EQ(question.label, "completeness");
  EXPECT_THAT(question.tail, HasSubstr("- Tone: Is it friendly?"));
  EXPECT_THAT(question.tail,
              HasSubstr("\"Does it contain errors?\": a yes to this question looks bad"));
  EXPECT_THAT(question.tail, Not(HasSubstr("\"Is it friendly?\": ")));

  Transcript mended = so_far;
  mended.push_back({proposal({"Errors: Is it free of errors?"})});
  const RubricDrafts well = drafts(method.next(preparation(), mended));
  EXPECT_THAT(well.drafts.at(1).problems, IsEmpty());
  EXPECT_EQ(read(well.drafts[1]).seal->subs[0].question, "Is it free of errors?");

  Transcript not_mended = so_far;
  not_mended.push_back({bad});
  const RubricDrafts still = drafts(method.next(preparation(), not_mended));
  EXPECT_THAT(still.drafts.at(0).problems, IsEmpty());
  EXPECT_THAT(still.drafts.at(1).problems, ElementsAre(HasSubstr("looks bad")));
  EXPECT_THAT(still.drafts[1].yaml, HasSubstr("Does it contain errors?"))
      << "kept for a person to mend";
}

TEST(RubricDraft, EverythingWrongIsSaid) {
  struct Case {
    const char* what;
    Verdict verdict;
    const char* problem;
  };
  const Case cases[] = {
      {"unit", proposal({"A: Is it?"}, {"paragraphs"}), "\"units\" must hold exactly one of"},
      {"two units", proposal({"A: Is it?"}, {"whole", "facts"}),
       "\"units\" must hold exactly one of"},
      {"none", proposal({}), "\"sub_dimensions\" is empty"},
      {"many", proposal(Texts(9, "A: Is it?")), "there are 9 sub-dimensions"},
      {"no name", proposal({"Is it good?"}), "must have the form \"name: question\""},
      {"no question", proposal({"Tone: It is friendly."}), "must be a question"},
      {"twice", proposal({"Tone: Is it friendly?", "tone: Is it polite?"}),
       "\"tone\" is given twice"},
      {"anchors", proposal({"Tone: Is it friendly?"}, {"whole"}, {"Bad.", "Good."}),
       "\"anchors\" must hold 5 lines"},
  };
  for (const Case& c : cases) {
    const Transcript transcript = {
        {task_proposal({"Tone: It is friendly."})}, {c.verdict}, {c.verdict}};
    const RubricDrafts all = drafts(drafting().next(preparation(), transcript));
    EXPECT_THAT(all.drafts.at(0).problems, Contains(HasSubstr(c.problem))) << c.what;
  }
}

TEST(RubricDraft, AnUnusableListOfDimensionsIsSentBackOnce) {
  struct Case {
    Verdict verdict;
    const char* problem;
  };
  const Case cases[] = {
      {task_proposal({}), "no dimension is proposed"},
      {task_proposal({"clarity"}), "must have the form \"name: definition\""},
      {task_proposal({"Clarity: a", "clarity: b"}), "is there twice"},
      {task_proposal({"A: a", "B: b", "C: c"}), "3 dimensions are proposed: at most 2"},
      {lists({{"introduction", {}}, {"dimensions", {"A: a"}}}),
       "\"introduction\" must hold one sentence"},
  };
  RubricDraftOptions options;
  options.most = 2;
  for (const Case& c : cases) {
    const PrepareStep again = drafting(options).next(preparation(), {{c.verdict}});
    ASSERT_TRUE(std::holds_alternative<Ask>(again)) << c.problem;
    EXPECT_THAT(asked(again).questions.at(0).tail, HasSubstr(c.problem));
    const RubricDrafts none =
        drafts(drafting(options).next(preparation(), {{c.verdict}, {c.verdict}}));
    EXPECT_THAT(none.problems, Contains(HasSubstr(c.problem)));
    EXPECT_THAT(none.drafts, IsEmpty());
    const PrepareStep mended =
        drafting(options).next(preparation(), {{c.verdict}, {task_proposal()}});
    EXPECT_EQ(asked(mended).questions.size(), 2U);
  }
}

TEST(RubricDraft, AFailureIsSaidAndNotAskedAgain) {
  for (const Status status : {Status::kUnparsable, Status::kRefused, Status::kTransport}) {
    const RubricDrafts none = drafts(drafting().next(preparation(), {{failed(status)}}));
    EXPECT_THAT(none.problems, ElementsAre(HasSubstr("told so")));
    const RubricDrafts half =
        drafts(drafting().next(preparation(), {{task_proposal()}, {proposal(), failed(status)}}));
    EXPECT_THAT(half.drafts.at(0).problems, IsEmpty());
    EXPECT_THAT(half.drafts.at(1).problems, ElementsAre(HasSubstr("told so")));
    const Verdict bad = proposal({"Errors: Does it contain errors?"});
    const RubricDrafts kept = drafts(
        drafting().next(preparation(), {{task_proposal({"Tone: t"})}, {bad}, {failed(status)}}));
    EXPECT_THAT(kept.drafts.at(0).problems, ElementsAre(HasSubstr("looks bad")))
        << "the first proposal stays";
  }
}

TEST(RubricDraft, InputsComeFromOptionsOrExamples) {
  const Transcript transcript = {{task_proposal({"Tone: t"})}, {proposal()}};
  Preparation none = preparation();
  none.labelled.clear();
  const Rubric without = read(drafts(drafting().next(none, transcript)).drafts.at(0));
  EXPECT_EQ(without.inputs.size(), 2U);
  EXPECT_FALSE(without.inputs[0].required) << "nothing is known of the source";
  RubricDraftOptions options;
  options.inputs = {{"output", "Note", true}};
  const Rubric given = read(drafts(drafting(options).next(preparation(), transcript)).drafts.at(0));
  ASSERT_EQ(given.inputs.size(), 1U);
  EXPECT_EQ(given.inputs[0].shown, "Note");
}

TEST(RubricDraft, OtherLanguagesAreDraftedToo) {
  RubricDraftOptions options;
  options.language = "zh";
  const Transcript transcript = {
      {lists({{"introduction", {"评价一条发布说明。"}}, {"dimensions", {"清晰: 用户能看懂。"}}})},
      {proposal({"用词: 用词是否通俗易懂？"})}};
  const RubricDrafts all = drafts(drafting(options).next(preparation(), transcript));
  EXPECT_THAT(all.drafts.at(0).problems, IsEmpty());
  EXPECT_EQ(all.drafts[0].dimension, "dimension-1");
  EXPECT_EQ(read(all.drafts[0]).seal->subs[0].name, "用词");
}

TEST(RubricDraft, ALexicalJudgeIsRefusedInOneLine) {
  Capabilities builtin;
  builtin.generation = false;
  try {
    check_needs(drafting(), "builtin", builtin);
    ADD_FAILURE();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "rubric draft needs a judge that writes text; builtin does not");
  }
}

// Whatever a judge writes, the artefact can be read back and a draft without problems is a rubric.
TEST(RubricDraft, AnyProposalIsReadBack) {
  std::mt19937 random(5);
  const Texts pieces = {"Tone", ": ", "Is it", "?", "\n", "\"", "'", "{{x}}", "# ",  "- ",
                        "\\",   "é",  "whole", "[", "&a", "%",  "|", "\t",    "yes", "no errors"};
  const auto text = [&] {
    std::string out;
    for (auto n = random() % 6; n > 0; --n) out += pieces[random() % pieces.size()];
    return out;
  };
  const auto some = [&](std::size_t most) {
    Texts out;
    for (auto n = random() % (most + 1); n > 0; --n) out.push_back(text());
    return out;
  };
  for (int round = 0; round < 300; ++round) {
    const Verdict task =
        lists({{"introduction", {text()}}, {"dimensions", {"Tone: " + text() + "x"}}});
    const Verdict one = random() % 2 == 0 ? proposal(some(3), {"whole"})
                                          : lists({{"units", {"whole"}},
                                                   {"sub_dimensions", {"A: Is it " + text() + "?"}},
                                                   {"anchors", some(6)},
                                                   {"steps", some(5)}});
    const RubricDrafts all = drafts(drafting().next(preparation(), {{task}, {one}, {one}}));
    ASSERT_EQ(all.drafts.size(), 1U);
    if (all.drafts[0].problems.empty()) read(all.drafts[0]);
  }
}

}  // namespace
}  // namespace assay
