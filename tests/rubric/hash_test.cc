#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "rubric/library.h"

namespace assay {
namespace {

TEST(RubricHash, ChangesWithEveryFieldThatCanChangeAResult) {
  const RubricLibrary library = RubricLibrary::load("");
  const Rubric& shipped = library.get("summarization", "relevance");
  const std::function<void(Rubric&)> edits[] = {
      [](Rubric&) {},
      [](Rubric& r) { r.task += "x"; },
      [](Rubric& r) { r.id += "x"; },
      [](Rubric& r) { r.version++; },
      [](Rubric& r) { r.language = "de"; },
      [](Rubric& r) { r.introduction += "x"; },
      [](Rubric& r) { r.definition += "x"; },
      [](Rubric& r) { r.scale.lo = 0; },
      [](Rubric& r) { r.scale.hi = 7; },
      [](Rubric& r) { r.step = 0.5; },
      [](Rubric& r) { r.anchors[0].text += "x"; },
      [](Rubric& r) { r.anchors.pop_back(); },
      [](Rubric& r) { r.steps.emplace_back("x"); },
      [](Rubric& r) { r.inputs[0].shown += "x"; },
      [](Rubric& r) { r.inputs[1].required = true; },
      [](Rubric& r) { r.yes = "ja"; },
      [](Rubric& r) { r.no = "nein"; },
      [](Rubric& r) { r.seal.reset(); },
      [](Rubric& r) { r.seal->units = UnitKind::kWhole; },
      [](Rubric& r) { r.seal->supported_by_source = true; },
      [](Rubric& r) { r.seal->compare.pop_back(); },
      [](Rubric& r) { r.seal->threshold++; },
      [](Rubric& r) { r.seal->subs[0].question += "x"; },
      [](Rubric& r) { r.seal->subs[0].weight = 0.5; },
      [](Rubric& r) { r.seal->subs[0].evidence.pop_back(); },
      [](Rubric& r) { r.seal->subs[0].yes_at = 0.9; },
      [](Rubric& r) { r.decomp.reset(); },
      [](Rubric& r) { r.decomp->question += "x"; },
      [](Rubric& r) { r.decomp->subquestion += "x"; },
      [](Rubric& r) { r.decomp->rule = "sum"; },
      [](Rubric& r) { r.decomp->inputs.pop_back(); },
      [](Rubric& r) { r.decomp->wordings[0].question += "x"; },
      [](Rubric& r) { r.decomp->wordings[5].subquestion += "x"; },
  };
  std::set<std::string> hashes;
  for (const auto& edit : edits) {
    Rubric rubric = shipped;
    edit(rubric);
    hashes.insert(rubric_hash(rubric));
  }
  EXPECT_EQ(hashes.size(), std::size(edits));
  Rubric elsewhere = shipped;
  elsewhere.origin = "mine.yaml";
  EXPECT_EQ(rubric_hash(elsewhere), rubric_hash(shipped));
}

TEST(PromptHash, ChangesWithEveryFieldThatCanChangeAResult) {
  const Prompt shipped = RubricLibrary::load("").prompt("seal/verdict");
  const std::function<void(Prompt&)> edits[] = {
      [](Prompt&) {},
      [](Prompt& p) { p.id += "x"; },
      [](Prompt& p) { p.version++; },
      [](Prompt& p) { p.answer = "keyed"; },
      [](Prompt& p) { p.turns[0].role = Role::kUser; },
      [](Prompt& p) { p.turns[1].blocks["shared"].pop_back(); },
      [](Prompt& p) { p.blocks["ask"] += "x"; },
  };
  std::set<std::string> hashes;
  for (const auto& edit : edits) {
    Prompt prompt = shipped;
    edit(prompt);
    hashes.insert(prompt_hash(prompt));
  }
  EXPECT_EQ(hashes.size(), std::size(edits));
}

}  // namespace
}  // namespace assay
