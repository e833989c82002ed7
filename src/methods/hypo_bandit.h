#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "methods/hypo_options.h"

namespace assay {

// A hypothesis while it is being learned.
struct Hypothesis {
  std::string text;
  std::string origin;
  std::vector<std::optional<double>>
      scores;  // M(h) of each row of S_tr; none: not asked, or unreadable
  std::optional<double> reward;
};

// HypoEval's bandit: rewards of hypotheses, which of them are tried next, which rows they get
// wrong. Arithmetic only; rows and hypotheses are numbers. Thread-compatible.
class HypoBandit {
 public:
  // `labels`: s of S_tr on 1 to 5, S_init first.
  HypoBandit(const HypoOptions& options, std::vector<double> labels);

  // Its number; a text that is there already keeps its own, so that a bank is a set.
  int add(const std::string& text, const std::string& origin);
  void score(int hypothesis, int row, std::optional<double> score);
  // r_h after t updates, from the rows it has scored.
  void reward(int hypothesis, int t);

  // The n with the highest rewards; of equals the older.
  std::vector<int> best(std::vector<int> among, int n) const;
  // Whether row i joins the wrong bank: at least w_hyp of `tried` were off by more than theta.
  bool is_wrong(std::span<const int> tried, int row) const;
  // Of scores and labels, over the rows it has scored; none where either is constant.
  std::optional<double> pearson(int hypothesis) const;
  // The H_ev with the highest Pearson; those without one come last; of equals the first.
  std::vector<int> select(std::vector<int> among) const;

  const std::vector<Hypothesis>& hypotheses() const { return hypotheses_; }
  int rows() const { return static_cast<int>(labels_.size()); }
  double label(int row) const { return labels_[static_cast<std::size_t>(row)]; }
  int scored(int hypothesis) const;  // |S_h|

 private:
  const Hypothesis& at(int hypothesis) const {
    return hypotheses_[static_cast<std::size_t>(hypothesis)];
  }

  HypoOptions options_;
  std::vector<double> labels_;
  std::vector<Hypothesis> hypotheses_;
};

}  // namespace assay
