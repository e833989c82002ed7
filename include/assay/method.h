#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "assay/evidence.h"
#include "assay/question.h"
#include "assay/verdict.h"

namespace assay {

// One round of questions: they may be asked in any order and all at once.
struct Ask {
  std::vector<Question> questions;
};

struct Scale {
  double lo = 0;
  double hi = 1;
  bool operator==(const Scale&) const = default;
};

// The end of a row: a score with its evidence, or the reason why there is none. Unscored is not
// zero.
struct Score {
  std::optional<double> score;
  std::optional<Scale> scale = Scale{};
  std::string reason;  // why unscored; empty otherwise
  Evidence evidence;   // kept also for an unscored row, as far as it goes
};

using Step = std::variant<Ask, Score>;

// What a method wants of a judge. Checked before the first question (rule 4).
struct Needs {
  bool generation = false;     // writes text: facts, explanations, hypotheses
  bool probabilities = false;  // log-probabilities of an answer's first token
  bool log_likelihood = false;
  bool grades = false;  // numbers on a scale
};

// A method is a pure step function: the same arguments give the same step; no I/O, no clock, no
// state. The engine replays it from the top after every round. Thread-safe, because const.
class Method {
 public:
  virtual ~Method() = default;
  virtual std::string name() const = 0;       // as on the command line
  virtual std::string dimension() const = 0;  // what this instance scores
  virtual std::string layout() const { return "shared"; }
  // Everything that changes results: options, and id and version of every rubric and prompt. Part
  // of `run`.
  virtual std::string settings() const = 0;
  virtual Needs needs() const { return {}; }
};

class RowMethod : public Method {
 public:
  virtual Step next(const Sample& sample, const Transcript& transcript) const = 0;
};

// Scores the rows of a group together (PairS).
using GroupStep = std::variant<Ask, std::vector<Score>>;
class GroupMethod : public Method {
 public:
  virtual GroupStep next(std::span<const Sample> samples, const Transcript& transcript) const = 0;
};

// What is prepared once for all rows of a dimension: an explanation, steps, a checklist, a bank.
struct Artefact {
  std::string kind;
  std::string body;               // YAML, readable and editable
  std::vector<std::string> seen;  // ids of the labelled rows it was made from
  std::string hash() const;       // of kind and body
};

struct Preparation {
  std::string task;
  std::string dimension;
  std::vector<Row> labelled;
  std::vector<std::string> texts;
};

using PrepareStep = std::variant<Ask, Artefact>;
class PrepareMethod : public Method {
 public:
  virtual PrepareStep next(const Preparation& preparation, const Transcript& transcript) const = 0;
};

}  // namespace assay
