// How a checklist grows: what is asked in which round, and what ends up in the list, kept or
// dropped with its reason.

#include "methods/checklist_build.h"

#include <gtest/gtest.h>

#include "assay/error.h"
#include "rubric/library.h"

namespace assay {
namespace {

using Grown = Named<std::vector<std::string>>;

const RubricLibrary& library() {
  static const RubricLibrary loaded = RubricLibrary::load("");
  return loaded;
}

Checklist seeds() {
  return parse_checklist(R"(task: summarization
dimension: coherence
sub_dimensions:
  - id: flow
    name: Logical flow
    questions:
      - {id: f1, text: "Does it flow?", origin: seed}
      - {id: f2, text: "Is it well ordered?", origin: seed}
      - {id: f3, text: "Is each link given?", origin: elaborated, parent: f1}
  - id: topic
    questions:
      - {id: t1, text: "Does it keep to its subject?", origin: seed}
)",
                         "seeds.yaml");
}

ChecklistBuild build(ChecklistBuildOptions options = {}) {
  return ChecklistBuild(
      library().get("summarization", "coherence"), seeds(), {"fluency", "relevance"},
      [](const std::string& id) -> const Prompt& { return library().prompt(id); }, options);
}

Verdict ok(Grown lists) {
  Verdict verdict;
  verdict.value.data = std::move(lists);
  return verdict;
}

Verdict failed(Status status) {
  Verdict verdict;
  verdict.status = status;
  verdict.problem = "told so";
  return verdict;
}

const std::vector<Question>& asked(const PrepareStep& step) {
  return std::get<Ask>(step).questions;
}
const Artefact& artefact(const PrepareStep& step) { return std::get<Artefact>(step); }

Round growth() {
  return {
      ok({{"f1", {"Is A so?", "is  it WELL ordered ?"}}, {"f2", {"Is B so?"}}}),  // diversify flow
      ok({{"f1", {"Is C so?", "Does it contain errors?", "Is D\nso?"}},
          {"f2", {"Is E so?", "Say so.", "Is F so?"}}}),  // elaborate flow
      ok({{"t1", {"Is G so?"}}}),                         // diversify topic
      ok({{"t1", {"Is H so?", "Is I so?"}}})};            // elaborate topic
}

const CheckQuestion& question(const Checklist& list, const std::string& id) {
  for (const CheckSub& sub : list.subs) {
    for (const CheckQuestion& q : sub.questions) {
      if (q.id == id) return q;
    }
  }
  throw std::out_of_range(id);
}

TEST(ChecklistBuild, DiversifiesAndElaboratesFromTheSeedsAlone) {
  const PrepareStep first = build().next({}, {});
  ASSERT_EQ(asked(first).size(), 4U);
  EXPECT_EQ(asked(first)[0].label, "diversify/flow");
  EXPECT_EQ(asked(first)[1].label, "elaborate/flow");
  for (const Question& q : asked(first)) {
    EXPECT_EQ(q.role, "generator");
    const std::string text = messages_of(q).back().text;
    EXPECT_EQ(text.find("Is each link given?"), std::string::npos)
        << "what was grown before is no seed";
    EXPECT_NE(text.find("fluency, relevance"), std::string::npos);
  }
  EXPECT_EQ(std::get<Lists>(asked(first)[0].answer).names, (std::vector<std::string>{"f1", "f2"}));
  EXPECT_NE(messages_of(asked(first)[1]).back().text.find("3 to 10"), std::string::npos);
}

TEST(ChecklistBuild, GrownQuestionsKeepOriginAndParentAndMalformedOnesTheirReason) {
  ChecklistBuildOptions options;
  options.filter = false;
  const PrepareStep last = build(options).next({}, {growth()});
  ASSERT_EQ(artefact(last).kind, "checklist");
  const Checklist list = parse_checklist(artefact(last).body, "built");
  EXPECT_EQ(question(list, "f1-d1").origin, CheckQuestion::Origin::kDiversified);
  EXPECT_EQ(question(list, "f1-d1").parent, "f1");
  EXPECT_EQ(question(list, "f1-e3").text, "Is D so?");
  EXPECT_EQ(question(list, "f1-d2").dropped, "redundancy: the same words as f2");
  EXPECT_EQ(question(list, "f1-e2").dropped, "alignment: a yes looks bad (\"errors\")");
  EXPECT_EQ(question(list, "f2-e2").dropped, "style: not a question");
  const CheckCounts counts = count_questions(list);
  EXPECT_EQ(counts.seeds, 3);
  EXPECT_EQ(counts.diversified, 3);
  EXPECT_EQ(counts.elaborated, 6);
  EXPECT_EQ(counts.dropped, 3);
  EXPECT_EQ(list.notes, std::vector<std::string>{
                            "t1: 2 elaborated questions came where 3 to 10 were asked for"});
}

TEST(ChecklistBuild, TheFilterSeesThePoolAndSeedsMayGoToo) {
  const ChecklistBuild method = build();
  const PrepareStep second = method.next({}, {growth()});
  ASSERT_EQ(asked(second).size(), 1U);
  const Links& links = std::get<Links>(asked(second)[0].answer);
  EXPECT_EQ(links.from.size(), 12U);  // the three malformed ones are not asked about
  EXPECT_EQ(links.from.front(), "f1");
  EXPECT_EQ(links.to.size(), 15U);
  Grown reasons;
  for (const std::string& id : links.from) reasons.emplace_back(id, std::vector<std::string>{});
  const auto because = [&](const std::string& id, std::vector<std::string> why) {
    for (auto& [key, value] : reasons) {
      if (key == id) value = why;
    }
  };
  because("f2", {"dimension", "style"});
  because("f1-d1", {"f1-e1"});
  because("f1-e1", {"f1-d1"});        // each other: the earlier stays
  because("f2-e1", {"f2"});           // repeats one that goes: stays
  because("t1-e1", {"t1-e1", "t1"});  // itself does not count
  const PrepareStep last = method.next({}, {growth(), {ok(reasons)}});
  const Checklist list = parse_checklist(artefact(last).body, "built");
  EXPECT_EQ(question(list, "f2").dropped, "dimension, style");
  EXPECT_EQ(question(list, "f1-d1").dropped, "");
  EXPECT_EQ(question(list, "f1-e1").dropped, "redundancy: asks the same as f1-d1");
  EXPECT_EQ(question(list, "f2-e1").dropped, "");
  EXPECT_EQ(question(list, "t1-e1").dropped, "redundancy: asks the same as t1");
  EXPECT_EQ(question(list, "f1-e3").dropped, "");
}

TEST(ChecklistBuild, AblationsLeaveOutTheirRound) {
  ChecklistBuildOptions seeds_only;
  seeds_only.augment = false;
  const PrepareStep first = build(seeds_only).next({}, {});
  EXPECT_EQ(asked(first)[0].label, "filter");
  EXPECT_EQ(std::get<Links>(asked(first)[0].answer).from,
            (std::vector<std::string>{"f1", "f2", "t1"}));
  seeds_only.filter = false;
  const Checklist list = parse_checklist(artefact(build(seeds_only).next({}, {})).body, "built");
  EXPECT_EQ(count_questions(list).asked, 3);
  EXPECT_NE(build(seeds_only).settings(), build().settings());
}

TEST(ChecklistBuild, AFailedAnswerEndsInOneLineAndNoList) {
  for (const Status status : {Status::kUnparsable, Status::kRefused, Status::kTransport}) {
    Round round = growth();
    round[1] = failed(status);
    const PrepareStep last = build().next({}, {round});
    EXPECT_EQ(artefact(last).kind, ChecklistBuild::kFailure);
    EXPECT_TRUE(artefact(last).body.starts_with("elaborate/flow: ")) << artefact(last).body;
    const PrepareStep filtered = build().next({}, {growth(), {failed(status)}});
    EXPECT_EQ(artefact(filtered).kind, ChecklistBuild::kFailure);
    EXPECT_TRUE(artefact(filtered).body.starts_with("filter: ")) << artefact(filtered).body;
  }
}

TEST(ChecklistBuild, AFilterThatLeavesNothingIsAFailure) {
  ChecklistBuildOptions options;
  options.augment = false;
  const PrepareStep last = build(options).next(
      {}, {{ok({{"f1", {"style"}}, {"f2", {"style"}}, {"t1", {"alignment"}}})}});
  EXPECT_EQ(artefact(last).kind, ChecklistBuild::kFailure);
}

TEST(ChecklistBuild, MoreThanAskedForAreCutAndNoted) {
  Round round = growth();
  std::vector<std::string> many;
  for (int i = 0; i < 12; ++i) many.push_back("Is it K" + std::to_string(i) + "?");
  round[3] = ok({{"t1", many}});
  ChecklistBuildOptions options;
  options.filter = false;
  const Checklist list = parse_checklist(artefact(build(options).next({}, {round})).body, "built");
  EXPECT_EQ(question(list, "t1-e10").text, "Is it K9?");
  EXPECT_THROW(question(list, "t1-e11"), std::out_of_range);
  EXPECT_EQ(
      list.notes,
      std::vector<std::string>{
          "t1: 12 elaborated questions came where 3 to 10 were asked for; the first were taken"});
}

TEST(ChecklistBuild, AListWithoutSeedsIsRefused) {
  Checklist none = seeds();
  for (CheckSub& sub : none.subs)
    std::erase_if(sub.questions,
                  [](const CheckQuestion& q) { return q.origin == CheckQuestion::Origin::kSeed; });
  EXPECT_THROW(ChecklistBuild(
                   library().get("summarization", "coherence"), none, {},
                   [](const std::string& id) -> const Prompt& { return library().prompt(id); }, {}),
               ConfigError);
}

}  // namespace
}  // namespace assay
