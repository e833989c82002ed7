#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/result.h"

namespace assay {

// One answer that cost points.
struct Fault {
  std::string name;  // the sub-dimension or question: "logical continuity"
  double value = 0;  // 0 worst, 1 best
  std::string why;   // the leaf's note
};

// A unit of the judged text that cost points, and which answers about it did.
struct WeakUnit {
  std::string text;   // what its span covers; empty where it has none
  std::string note;   // what was judged, where that is not the text itself: a fact drawn from it
  std::string label;  // its name in the tree
  double loss = 0;    // its part of what the score lacks
  std::vector<Fault> faults;  // worst first
};

struct Weakness {
  std::vector<WeakUnit> units;  // most costly first, at most as many as asked for
  std::size_t weak = 0;         // units with a fault
  std::size_t all = 0;          // units
};

// Where a score was lost, for any method: every leaf's shortfall is weighed down the tree by the
// ops above it and summed per unit, a unit being the nearest node with a span, or a child of the
// root. A leaf counts as a fault from a quarter of the scale below the top, so that soft values
// near 1 stay quiet.
Weakness find_weakest(const Sample& sample, const Result& result, std::size_t most);

}  // namespace assay
