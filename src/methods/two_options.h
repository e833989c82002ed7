#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/question.h"
#include "assay/verdict.h"

namespace assay {

// Where the probability of one of two answers comes from (--probs).
struct ProbSource {
  enum class Kind {
    kLogprobs,  // of the first answer token
    kSample,    // the share among `samples` draws at temperature 1
    kSingle,    // none: one answer stands for itself (of two options: 1 or 0)
  };
  Kind kind = Kind::kLogprobs;
  int samples = 1;

  std::string describe() const;  // as on the command line
  // "logprobs", "sample:N", "none". Throws ConfigError.
  static ProbSource parse(std::string_view text);
};

// The question as often as the source needs it, with the sampling it needs.
std::vector<Question> drawn(Question question, const ProbSource& source);

// What the draws of one question say about two options: P(first) / (P(first) + P(second)).
struct TwoWay {
  std::optional<double> p;
  bool first = false;   // P(first) > P(second); a tie is the second's
  std::string note;     // what was left out
  std::string problem;  // why there is no p
  // An answer came, and it shows no preference. False where none came, or none with probabilities.
  bool undecided = false;
  std::string raw;  // the reply that could not be used
};
TwoWay two_way(std::span<const Verdict> draws, const ProbSource& source, std::string_view first,
               std::string_view second);

}  // namespace assay
