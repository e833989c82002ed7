#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/sample.h"

namespace assay {

// How a node's value follows from its children. Stored in results: never rename, only append.
enum class Op {
  kLeaf,      // the value itself
  kMean,      // plain mean of the children's values
  kWeighted,  // sum of weight * value over the children
  kSum,       // sum of the children's values
  kRatio,     // sum of the children's values / number of children, counted as integers (checklists)
  kExpected,  // sum of weight * value / sum of weights (options of a scale and their probabilities)
  kLast,      // the last child's value
};

// The tree a score was computed from. Children without a value are shown and left out of the
// arithmetic.
struct Evidence {
  std::string label;
  Op op = Op::kLeaf;
  std::optional<double> value;
  double weight = 1;
  std::optional<double> p;  // of a yes/no leaf: P(yes), where the judge gives it
  std::string note;
  std::optional<Span> span;
  std::vector<std::string> links;
  std::vector<Evidence> children;
};

// The value of the tree by its leaves and ops alone; nothing where no child has a value. A score
// that this function does not give back is a bug in the method that made it.
std::optional<double> recompute(const Evidence& evidence);

// A node whose value is already the recomputed one. Methods build their trees with this.
Evidence node(std::string label, Op op, std::vector<Evidence> children, double weight = 1);
Evidence leaf(std::string label, double value, double weight = 1, std::string note = {});

std::string_view op_name(Op op);

}  // namespace assay
