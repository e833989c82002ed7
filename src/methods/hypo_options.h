#pragma once

#include <string>

#include "assay/sample.h"

namespace assay {

// HypoEval's hyper-parameters; the defaults are the paper's (its appendix B.1).
struct HypoOptions {
  // What hypotheses are made from. kBoth without literature at hand is kData.
  enum class From { kBoth, kData, kLiterature, kZeroShot };

  From from = From::kBoth;
  int labels = 30;           // |S_tr|
  int initial = 5;           // |S_init|
  int hypotheses = 5;        // made at a time: |H_init|, and as many from each wrong bank
  int top = 10;              // k
  double explore = 0.5;      // alpha
  double wrong_at = 0.5;     // theta
  double wrong_share = 0.8;  // of w_hyp = wrong_share * k * i / |S_tr|
  int wrong_rows = 10;       // w_max
  int refine = 6;            // N_refine
  int bank = 20;             // H_max
  int selected = 5;          // H_ev
  bool best_union = false;   // at most H_max / 2 of each by rank instead of by lot
  long seed = 42;
  std::string layout = "shared";

  void validate() const;                 // throws ConfigError
  Named<std::string> described() const;  // every one of them, for the bank
  std::string describe() const;          // the same in a line, for `run`
};

}  // namespace assay
