#include <gtest/gtest.h>

#include <random>

#include "assay/evidence.h"

namespace assay {
namespace {

Evidence unknown(std::string label) {
  Evidence evidence;
  evidence.label = std::move(label);
  return evidence;
}

TEST(Recompute, EveryOpOnAHandWorkedTree) {
  const std::vector<Evidence> children = {leaf("a", 1, 0.5), leaf("b", 0, 0.3),
                                          leaf("c", 0.5, 0.2)};
  struct Case {
    Op op;
    double value;
  };
  for (const Case& c : {Case{Op::kMean, 0.5}, Case{Op::kWeighted, 0.6}, Case{Op::kSum, 1.5},
                        Case{Op::kRatio, 0.5}, Case{Op::kExpected, 0.6}, Case{Op::kLast, 0.5}}) {
    EXPECT_DOUBLE_EQ(*node("n", c.op, children).value, c.value) << op_name(c.op);
  }
}

TEST(Recompute, ChildrenWithoutAValueAreLeftOutAndNeverZero) {
  EXPECT_DOUBLE_EQ(*node("n", Op::kMean, {leaf("a", 1), unknown("b")}).value, 1);
  for (const Op op : {Op::kMean, Op::kWeighted, Op::kSum, Op::kRatio, Op::kExpected, Op::kLast}) {
    EXPECT_FALSE(node("n", op, {unknown("a")}).value) << op_name(op);
    EXPECT_FALSE(node("n", op, {}).value) << op_name(op);
  }
  EXPECT_FALSE(node("n", Op::kExpected, {leaf("a", 1, 0)}).value);
}

// A score must follow from the leaves alone: whatever stands in the inner nodes is ignored.
TEST(Recompute, IgnoresStoredInnerValues) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int round = 0; round < 200; ++round) {
    std::vector<Evidence> units;
    for (int u = 0; u < 1 + static_cast<int>(random() % 5); ++u) {
      units.push_back(
          node("u", Op::kWeighted, {leaf("a", unit(random), 0.25), leaf("b", unit(random), 0.75)}));
    }
    Evidence tree = node("d", Op::kMean, units);
    const double value = *tree.value;
    tree.value = -1;
    for (Evidence& child : tree.children) child.value.reset();
    EXPECT_EQ(*recompute(tree), value);
  }
}

}  // namespace
}  // namespace assay
