#pragma once

#include <span>
#include <string>

#include "assay/result.h"

namespace assay {

enum class JuryRule { kMean, kMedian, kMajority };

// Throws ConfigError on another word than mean, median or majority.
JuryRule parse_jury_rule(const std::string& name);

// One line for what several judges said of a row under one method and dimension, with the standard
// deviation between them.
//   mean      of the judges' scores
//   median    of the judges' scores
//   majority  of the judges' verdicts, leaf by leaf; the weights are their mean; as many yes as no
//   is one half. Needs the same
//             units everywhere (--units-by): otherwise the line is unscored and says so.
// Judges who gave no score are left out with a note; scores on different scales are refused, or
// brought to [0,1] with `normalize`.
Result jury_result(std::span<const Result> judges, JuryRule rule, bool normalize);

}  // namespace assay
