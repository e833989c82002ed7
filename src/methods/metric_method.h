#pragma once

#include <memory>
#include <string>

#include "assay/method.h"
#include "metrics/metric.h"

namespace assay {

// The score of one row with its evidence. Unscored without an output or without anything to compare
// it with.
Score metric_score(const MetricSpec& spec, Scorer& scorer, const Sample& sample);

// A metric as a method: it asks nothing and scores at once. ConfigError where METEOR's synonyms are
// not there.
std::unique_ptr<RowMethod> make_metric_method(const MetricSpec& spec, std::string dimension);

}  // namespace assay
