#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assay/method.h"
#include "assay/rubric.h"

namespace assay {

struct SealOptions {
  enum class Asking { kBatched, kAtomic };
  enum class Weighing { kJudge, kUniform, kFixed };

  std::string layout = "shared";
  Asking ask = Asking::kBatched;
  Weighing weights = Weighing::kJudge;
  bool joint_facts = false;       // one call for all texts of a row, as in the paper
  bool judge_splits = false;      // sentences by the judge, as in the paper
  bool source_sentences = false;  // numbered source sentences stand in for source facts
  bool all_references = false;
  bool links = false;            // atomic consistency: ask also which source facts support
  std::optional<int> threshold;  // instead of the rubric's; 0: never judged whole
  bool decompose = true;         // false: the whole output is the only unit
  bool verify = true;            // false: one graded answer per unit
  bool soft = false;             // add up P(yes) instead of yes/no
  // The judge reads texts only (builtin): facts fall back to sentences, nothing is graded, weights
  // are the rubric's, and sub-dimensions without built-in evidence are left out.
  bool lexical = false;
  bool probabilities = false;  // the judge gives P(yes)

  std::string describe() const;  // everything above, for `run`
};

// A piece of a text: a sentence or a fact.
struct SealPiece {
  std::string id;
  std::string text;
  Span span;
  bool inferred = false;  // a fact whose sentence was found by word overlap
};

// What the texts were split into (Algorithm 1, line 1).
struct SealParts {
  std::vector<SealPiece> output;
  std::vector<SealPiece> source;
  std::vector<SealPiece> reference;
  std::string note;
  std::optional<Score> failure;
};

using SealUnits = std::vector<SealPiece>;

// v(u, s), with what the judge said beside it.
struct SealCell {
  bool yes = false;
  std::optional<double> p;
  std::string note;
  std::vector<std::string> links;
};

// SEAL: structured evaluation with units, sub-dimensions and a fixed rule (docs/methods/seal.md).
// Thread-safe: const after construction.
class Seal : public RowMethod {
 public:
  using Prompts = std::function<const Prompt&(const std::string& id)>;
  // Throws ConfigError where the rubric has no SEAL part or the options do not fit together.
  Seal(Rubric rubric, const Prompts& prompts, SealOptions options);

  std::string name() const override { return "seal"; }
  std::string dimension() const override { return rubric_.id; }
  std::string layout() const override { return options_.layout; }
  std::string settings() const override { return settings_; }
  Needs needs() const override;
  Step next(const Sample& sample, const Transcript& transcript) const override;

 private:
  using Part = SealPiece;
  using Parts = SealParts;
  using Units = SealUnits;
  using Cell = SealCell;
  using Values = std::map<std::string, std::string, std::less<>>;

  // Decomposition: seal_parts.cc
  bool asks_for_parts() const;
  Ask ask_parts(const Sample& sample) const;
  Parts read_parts(const Sample& sample, const Round& round) const;
  Parts own_parts(const Sample& sample) const;
  Parts read_sentences(const Sample& sample, const Verdict& verdict) const;
  Parts read_joint_facts(const Sample& sample, const Verdict& verdict) const;
  Parts read_separate_facts(const Sample& sample, const Round& round) const;
  bool judged_whole(const Parts& parts) const;
  Units units_of(const Sample& sample, const Parts& parts) const;

  // Verification and weighing: seal_questions.cc
  Ask ask_whole(const Sample& sample) const;
  Ask ask_verdicts_and_weights(const Sample& sample, const Parts& parts, const Units& units) const;
  Ask ask_grades(const Sample& sample, const Parts& parts, const Units& units) const;
  bool asks_weights() const;
  bool aspects_in_one_call(const Units& units) const;
  bool links_wanted() const;
  Question question(const char* prompt, const Values& values, AnswerSpec answer,
                    std::string label) const;
  Values values_of(const Sample& sample, const Parts& parts, const Units& units) const;
  std::string texts_of(const Sample& sample, bool with_compared) const;

  // Aggregation: seal_scores.cc
  Score aggregate(const Parts& parts, const Units& units, const Round& round) const;
  Evidence unit_of(const Part& unit, std::vector<Cell> cells, const Named<double>& weights) const;
  Score grade_whole(const Sample& sample, const Parts& parts, const Round& round) const;
  Score aggregate_grades(const Parts& parts, const Units& units, const Round& round) const;

  Rubric rubric_;
  SealOptions options_;
  std::vector<SubDimension> subs_;     // asked
  std::vector<SubDimension> unknown_;  // without built-in evidence
  std::map<std::string, Prompt> prompts_;
  std::string settings_;
  int threshold_ = 0;
};

}  // namespace assay
