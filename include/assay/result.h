#pragma once

#include <optional>
#include <string>

#include "assay/method.h"
#include "assay/verdict.h"

namespace assay {

// One line of output: a row, dimension, method and judge. docs/formats/results.md.
struct Result {
  std::string id;
  std::string group;
  std::string system;
  std::string dimension;
  std::string method;
  std::string judge;
  std::string judge_kind;
  std::string layout;
  std::optional<double> score;
  std::optional<Scale> scale;
  std::string reason;               // why unscored
  std::optional<double> deviation;  // standard deviation over --repeat draws
  Evidence evidence;
  Usage usage;
  Named<Usage> stages;
  std::string run;
};

// Takes results in input order. `finish` is called once, after the last.
class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void add(const Sample& sample, const Result& result) = 0;
  virtual void finish() {}
};

}  // namespace assay
