#include "assay/evidence.h"

namespace assay {

Evidence leaf(std::string label, double value, double weight, std::string note) {
  Evidence evidence;
  evidence.label = std::move(label);
  evidence.value = value;
  evidence.weight = weight;
  evidence.note = std::move(note);
  return evidence;
}

std::string_view op_name(Op op) {
  switch (op) {
    case Op::kLeaf:
      return "leaf";
    case Op::kMean:
      return "mean";
    case Op::kWeighted:
      return "weighted";
    case Op::kSum:
      return "sum";
    case Op::kRatio:
      return "ratio";
    case Op::kExpected:
      return "expected";
    case Op::kLast:
      return "last";
  }
  return "leaf";
}

}  // namespace assay
