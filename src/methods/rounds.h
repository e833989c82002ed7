#pragma once

#include "assay/verdict.h"

namespace assay {

// Walks a transcript round by round, so that a step function reads in the order of its stages:
// where a stage's round is not there yet, it is the one to ask.
class Rounds {
 public:
  explicit Rounds(const Transcript& transcript) : transcript_(transcript) {}
  bool done() const { return at_ == transcript_.size(); }  // nothing left: ask
  const Round& take() { return transcript_[at_++]; }

 private:
  const Transcript& transcript_;
  std::size_t at_ = 0;
};

}  // namespace assay
