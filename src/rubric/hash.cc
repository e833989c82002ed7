// Content hashes of rubrics and prompts: what names them in a run. Every field that can change a
// result is added, in a fixed order; a new field of the structs must be added here
// (tests/rubric/hash_test.cc changes each field in turn).
#include "core/hash.h"

#include "rubric/prompt_file.h"
#include "rubric/rubric_file.h"

namespace assay {
namespace {

void add(Hasher& hasher, const std::vector<Input>& inputs) {
  hasher.add(static_cast<std::int64_t>(inputs.size()));
  for (const Input& input : inputs) {
    hasher.add(input.field).add(input.shown).add(std::int64_t{input.required});
  }
}

void add(Hasher& hasher, const std::vector<std::string>& texts) {
  hasher.add(static_cast<std::int64_t>(texts.size()));
  for (const std::string& text : texts) hasher.add(text);
}

void add(Hasher& hasher, const SealPart& seal) {
  hasher.add(unit_kind_name(seal.units)).add(std::int64_t{seal.supported_by_source});
  add(hasher, seal.compare);
  hasher.add(std::int64_t{seal.threshold}).add(static_cast<std::int64_t>(seal.subs.size()));
  for (const SubDimension& sub : seal.subs) {
    hasher.add(sub.id).add(sub.name).add(sub.question).add(sub.weight).add(sub.yes_at);
    add(hasher, sub.evidence);
  }
}

void add(Hasher& hasher, const DecompPart& decomp) {
  hasher.add(decomp.question).add(decomp.subquestion).add(decomp.rule);
  add(hasher, decomp.inputs);
  for (const Wording& wording : decomp.wordings)
    hasher.add(wording.question).add(wording.subquestion);
}

}  // namespace

std::string rubric_hash(const Rubric& rubric) {
  Hasher hasher;
  hasher.add("rubric 1").add(rubric.task).add(rubric.id).add(std::int64_t{rubric.version});
  hasher.add(rubric.language).add(rubric.introduction).add(rubric.definition);
  hasher.add(rubric.scale.lo).add(rubric.scale.hi).add(rubric.step);
  hasher.add(static_cast<std::int64_t>(rubric.anchors.size()));
  for (const Anchor& anchor : rubric.anchors) hasher.add(anchor.at).add(anchor.text);
  add(hasher, rubric.steps);
  add(hasher, rubric.inputs);
  hasher.add(rubric.yes).add(rubric.no);
  hasher.add(rubric.seal ? "seal" : "");
  if (rubric.seal) add(hasher, *rubric.seal);
  hasher.add(rubric.decomp ? "decomp" : "");
  if (rubric.decomp) add(hasher, *rubric.decomp);
  return hasher.hex();
}

std::string prompt_hash(const Prompt& prompt) {
  Hasher hasher;
  hasher.add("prompt 1").add(prompt.id).add(std::int64_t{prompt.version}).add(prompt.answer);
  hasher.add(static_cast<std::int64_t>(prompt.turns.size()));
  for (const Prompt::Turn& turn : prompt.turns) {
    hasher.add(static_cast<std::int64_t>(turn.role));
    hasher.add(static_cast<std::int64_t>(turn.blocks.size()));
    for (const auto& [layout, blocks] : turn.blocks) {
      hasher.add(layout);
      add(hasher, blocks);
    }
  }
  for (const auto& [name, block] : prompt.blocks) hasher.add(name).add(block);
  return hasher.hex();
}

}  // namespace assay
