// The arithmetic of every method: how a tree of verdicts becomes a number. Pure, and in the order
// of the children, so that the same tree gives the same bits. Tested in tests/aggregate.

#include "assay/evidence.h"

namespace assay {
namespace {

double combine(const Evidence& evidence, double& weights, std::size_t& count) {
  double sum = 0;
  for (const Evidence& child : evidence.children) {
    const std::optional<double> value = recompute(child);
    if (!value) continue;
    const bool weighted = evidence.op == Op::kWeighted || evidence.op == Op::kExpected;
    sum += weighted ? child.weight * *value : *value;
    weights += child.weight;
    ++count;
  }
  return sum;
}

std::optional<double> last_value(const Evidence& evidence) {
  return evidence.children.empty() ? std::nullopt : recompute(evidence.children.back());
}

}  // namespace

std::optional<double> recompute(const Evidence& evidence) {
  if (evidence.op == Op::kLeaf) return evidence.value;
  if (evidence.op == Op::kLast) return last_value(evidence);
  double weights = 0;
  std::size_t count = 0;
  const double sum = combine(evidence, weights, count);
  if (count == 0) return std::nullopt;
  switch (evidence.op) {
    case Op::kMean:
    case Op::kRatio:
      return sum / static_cast<double>(count);
    case Op::kExpected:
      if (weights <= 0) return std::nullopt;
      return sum / weights;
    default:
      return sum;
  }
}

Evidence node(std::string label, Op op, std::vector<Evidence> children, double weight) {
  Evidence evidence;
  evidence.label = std::move(label);
  evidence.op = op;
  evidence.weight = weight;
  evidence.children = std::move(children);
  evidence.value = recompute(evidence);
  return evidence;
}

}  // namespace assay
