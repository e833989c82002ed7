// SEAL, Algorithm 1 of "SEAL: Structured Evaluation via LLMs for Text Generation"
// (docs/methods/seal.md has what is reproduced and every point settled by us).
//
//   1      split the output y into units U_d                         seal_parts.cc
//   2-7    a yes/no verdict v(u, s) for every unit and sub-dimension,
//          and weights w(s) > 0 that sum to 1                        seal_questions.cc
//   8-10   score(u) = sum of w(s) * v(u, s); score = mean over units  seal_scores.cc
//
// Example: "Ann won. She cried." under coherence is one pair; a judge that says yes gives 1 = 1
// * 1. Counter-example: with a threshold of 3 the same text has too few sentences to be taken
// apart: it is judged whole, on a scale. Tested in tests/methods and, against a server, in
// tests/seal.

#include "methods/seal.h"

#include <fmt/core.h>

#include "assay/error.h"
#include "methods/failure.h"
#include "methods/rounds.h"
#include "rubric/prompt_file.h"
#include "rubric/rubric_file.h"

namespace assay {

Step Seal::next(const Sample& sample, const Transcript& transcript) const {
  Rounds rounds(transcript);
  if (asks_for_parts() && rounds.done()) return ask_parts(sample);
  const Parts parts = asks_for_parts() ? read_parts(sample, rounds.take()) : own_parts(sample);
  if (parts.failure) return *parts.failure;
  if (judged_whole(parts)) {
    if (rounds.done()) return ask_whole(sample);
    return grade_whole(sample, parts, rounds.take());
  }
  const Units units = units_of(sample, parts);  // line 1
  if (units.empty()) return unscored(rubric_.id, "the output has no unit to judge");
  if (subs_.empty())
    return unscored(rubric_.id, "the built-in judge has no evidence for this dimension");
  if (!options_.verify) {
    if (rounds.done()) return ask_grades(sample, parts, units);
    return aggregate_grades(parts, units, rounds.take());
  }
  if (rounds.done()) return ask_verdicts_and_weights(sample, parts, units);  // lines 2-7
  return aggregate(parts, units, rounds.take());                             // lines 8-10
}

Seal::Seal(Rubric rubric, const Prompts& prompts, SealOptions options)
    : rubric_(std::move(rubric)), options_(std::move(options)) {
  if (!rubric_.seal || rubric_.seal->subs.empty()) {
    throw ConfigError(fmt::format("the rubric {}/{} ({}) has no `seal` part; seal needs one",
                                  rubric_.task, rubric_.id, rubric_.origin));
  }
  if (options_.lexical && (!options_.verify || options_.judge_splits || options_.joint_facts)) {
    throw ConfigError(
        "the built-in judge cannot write or grade: leave out --ablate verification, --splitter "
        "judge and --facts joint, or use another --judge");
  }
  if (options_.soft && !options_.probabilities) {
    throw ConfigError(
        "--soft adds up P(yes), which this judge does not give; leave it out, or use --ask atomic "
        "with a judge that has log-probabilities");
  }
  for (SubDimension& sub : rubric_.seal->subs) {
    (options_.lexical && sub.evidence.empty() ? unknown_ : subs_).push_back(sub);
  }
  threshold_ = options_.lexical ? 0 : options_.threshold.value_or(rubric_.seal->threshold);
  settings_ = fmt::format("seal {} rubric {}", options_.describe(), rubric_hash(rubric_));
  for (const char* id :
       {"sentences", "facts", "facts-joint", "verdicts", "support", "support-atomic", "aspects",
        "aspects-weights", "verdict", "weights", "holistic", "graded"}) {
    const Prompt& prompt = prompts(fmt::format("seal/{}", id));
    settings_ += fmt::format(" {}", prompt_hash(prompt));
    prompts_.emplace(id, prompt);
  }
}

Needs Seal::needs() const {
  Needs needs;
  needs.generation = asks_for_parts();
  needs.grades = !options_.verify || threshold_ > 0;
  needs.probabilities = options_.soft;
  return needs;
}

std::string SealOptions::describe() const {
  static constexpr const char* kWeighing[] = {"judge", "uniform", "fixed"};
  return fmt::format(
      "layout={} ask={} weights={} facts={} splitter={} source-units={} reference={} links={} "
      "threshold={} decompose={} verify={} soft={} lexical={} probs={}",
      layout, ask == Asking::kAtomic ? "atomic" : "batched", kWeighing[static_cast<int>(weights)],
      joint_facts ? "joint" : "separate", judge_splits ? "judge" : "own",
      source_sentences ? "sentences" : "facts", all_references ? "all" : "first", links,
      threshold ? fmt::format("{}", *threshold) : "rubric", decompose, verify, soft, lexical,
      probabilities);
}

}  // namespace assay
