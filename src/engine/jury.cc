#include "engine/jury.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "assay/error.h"

namespace assay {
namespace {

// A judge's tree as a child of the jury's, on the jury's scale.
Evidence judge_node(const Result& judge, bool to_unit) {
  Evidence tree = judge.evidence;
  if (!judge.score) {  // what evidence there is must not be added up
    tree.op = Op::kLeaf;
    tree.value.reset();
  }
  if (judge.score && to_unit) {
    const double share = (*judge.score - judge.scale->lo) / (judge.scale->hi - judge.scale->lo);
    tree = leaf("", share, 1,
                fmt::format("{} on {} to {}", *judge.score, judge.scale->lo, judge.scale->hi));
  }
  tree.label = judge.judge;
  return tree;
}

// The middle value, or the mean of the middle two: every other judge stands there with weight 0.
Evidence median_node(std::string label, std::vector<Evidence> judges) {
  std::vector<double> values;
  for (const Evidence& judge : judges) {
    if (judge.value) values.push_back(*judge.value);
  }
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  std::vector<double> middle;
  if (n > 0)
    middle = n % 2 == 1 ? std::vector<double>{values[n / 2]}
                        : std::vector<double>{values[n / 2 - 1], values[n / 2]};
  for (Evidence& judge : judges) {
    const auto found =
        judge.value ? std::find(middle.begin(), middle.end(), *judge.value) : middle.end();
    judge.weight = found == middle.end() ? 0 : 1;
    if (found != middle.end()) middle.erase(found);
  }
  return node(std::move(label), Op::kExpected, std::move(judges));
}

bool same_shape(const Evidence& a, const Evidence& b) {
  if (a.op != b.op || a.children.size() != b.children.size()) return false;
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    if (a.children[i].label != b.children[i].label || !same_shape(a.children[i], b.children[i]))
      return false;
  }
  return true;
}

Evidence majority_of(const std::vector<const Evidence*>& trees) {
  Evidence merged = *trees.front();
  double weight = 0;
  for (const Evidence* tree : trees) weight += tree->weight;
  merged.weight = weight / static_cast<double>(trees.size());
  for (std::size_t i = 0; i < merged.children.size(); ++i) {
    std::vector<const Evidence*> below;
    for (const Evidence* tree : trees) below.push_back(&tree->children[i]);
    merged.children[i] = majority_of(below);
  }
  if (merged.op != Op::kLeaf) {
    merged.value = recompute(merged);
    return merged;
  }
  int yes = 0;
  int said = 0;
  for (const Evidence* tree : trees) {
    if (tree->value) yes += *tree->value >= 0.5 ? 1 : 0, ++said;
  }
  merged.p.reset();
  if (said == 0) return merged;
  merged.value = 2 * yes == said ? 0.5 : 2 * yes > said ? 1 : 0;
  merged.note = fmt::format("{} of {} judges say yes", yes, said);
  return merged;
}

std::optional<Evidence> majority_node(std::span<const Result> judges, std::string& problem) {
  std::vector<const Evidence*> trees;
  for (const Result& judge : judges) {
    if (judge.score) trees.push_back(&judge.evidence);
  }
  if (trees.empty()) {
    problem = "no judge gave a score";
    return std::nullopt;
  }
  for (const Evidence* tree : trees) {
    if (!same_shape(*tree, *trees.front())) {
      problem =
          "majority: the judges did not judge the same units; fix them with --units-by, or use "
          "--jury mean";
      return std::nullopt;
    }
  }
  return majority_of(trees);
}

void describe_jury(Result& jury, std::span<const Result> judges) {
  std::string names;
  std::size_t silent = 0;
  for (const Result& judge : judges) {
    names += (names.empty() ? "" : ", ") + judge.judge;
    silent += judge.score ? 0 : 1;
    jury.usage += judge.usage;
  }
  jury.judge = fmt::format("jury({})", names);
  jury.judge_kind = "jury";
  if (silent > 0)
    jury.evidence.note =
        fmt::format("{} of {} judges gave no score and are left out", silent, judges.size());
}

double spread(const std::vector<Evidence>& judges) {
  double sum = 0;
  double squares = 0;
  double n = 0;
  for (const Evidence& judge : judges) {
    if (judge.value) sum += *judge.value, ++n;
  }
  if (n < 2) return 0;
  for (const Evidence& judge : judges) {
    if (judge.value) squares += (*judge.value - sum / n) * (*judge.value - sum / n);
  }
  return std::sqrt(squares / (n - 1));
}

}  // namespace

JuryRule parse_jury_rule(const std::string& name) {
  if (name == "mean") return JuryRule::kMean;
  if (name == "median") return JuryRule::kMedian;
  if (name == "majority") return JuryRule::kMajority;
  throw ConfigError(fmt::format("--jury {}: use mean, median or majority", name));
}

Result jury_result(std::span<const Result> judges, JuryRule rule, bool normalize) {
  Result jury = judges.front();
  jury.score.reset();
  jury.reason.clear();
  jury.deviation.reset();
  jury.usage = {};
  jury.stages.clear();
  jury.evidence = {};
  const bool equal = std::all_of(judges.begin(), judges.end(),
                                 [&](const Result& r) { return r.scale == judges.front().scale; });
  const bool scaled = std::all_of(judges.begin(), judges.end(),
                                  [](const Result& r) { return r.scale.has_value(); });
  std::vector<Evidence> nodes;
  for (const Result& judge : judges)
    nodes.push_back(judge_node(judge, normalize && scaled && !equal));
  if (!equal && !(normalize && scaled)) {
    jury.reason = "the judges score on different scales; --normalize brings them to [0,1]";
  } else if (rule == JuryRule::kMajority) {
    if (auto tree = majority_node(judges, jury.reason)) jury.evidence = std::move(*tree);
  } else {
    jury.evidence = rule == JuryRule::kMedian ? median_node(jury.dimension, nodes)
                                              : node(jury.dimension, Op::kMean, nodes);
    if (!jury.evidence.value) jury.reason = "no judge gave a score";
  }
  if (normalize && !equal) jury.scale = Scale{};
  if (jury.reason.empty()) {
    jury.score = jury.evidence.value;
    jury.deviation = spread(nodes);
  }
  jury.evidence.label = jury.dimension;
  describe_jury(jury, judges);
  return jury;
}

}  // namespace assay
