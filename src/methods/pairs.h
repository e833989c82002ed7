#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "assay/method.h"
#include "assay/rubric.h"
#include "methods/pairs_sort.h"
#include "methods/two_options.h"

namespace assay {

struct PairsOptions {
  std::string layout = "shared";
  PairSort::Options sort;
  bool both_orders = false;     // every pair asked both ways round, and averaged
  bool undecided_half = false;  // no readable preference counts as 0.5; else the group is unscored
  ProbSource probs;

  void validate() const;         // throws ConfigError
  std::string describe() const;  // everything above, for `run`
};

// PairS: the rows of a group ranked by pairwise preference (docs/methods/pairs.md). A row's score
// is its place: 0 the worst, 1 the best. Thread-safe: const after construction.
class Pairs : public GroupMethod {
 public:
  using Prompts = std::function<const Prompt&(const std::string& id)>;
  Pairs(Rubric rubric, const Prompts& prompts, PairsOptions options);

  std::string name() const override { return "pairs"; }
  std::string dimension() const override { return rubric_.id; }
  std::string layout() const override { return options_.layout; }
  std::string settings() const override { return settings_; }
  Needs needs() const override;
  GroupStep next(std::span<const Sample> samples, const Transcript& transcript) const override;

 private:
  using Pair = PairSort::Pair;
  // A comparison that was made.
  struct Made {
    Pair pair;
    std::optional<double> p;  // that `a` is better; nothing: it ended the sort
    std::string note;
  };

  std::string input_of(const Sample& sample, const Input& input) const;
  Question question(const Sample& a, const Sample& b) const;
  Ask ask(std::span<const Sample> samples, const std::vector<Pair>& pairs) const;
  Made read(Pair pair, std::span<const Verdict> verdicts) const;
  std::vector<Evidence> comparisons(std::span<const Sample> samples, std::size_t item,
                                    const std::vector<Made>& made) const;
  std::vector<Score> ranked(std::span<const Sample> samples, const PairSort& sort,
                            const std::vector<Made>& made) const;
  std::vector<Score> undecided(std::span<const Sample> samples,
                               const std::vector<Made>& made) const;

  Rubric rubric_;
  PairsOptions options_;
  Prompt prompt_;
  std::string settings_;
};

}  // namespace assay
