#pragma once

#include <vector>

#include "ingest/record.h"
#include "ingest/scores.h"

namespace assay::ingest {

Excluded no_exclusions(const std::vector<Exclusion>& exclusions);

// Whether a record is to be left out; counts it where it is.
bool exclude(const Record& record, const std::vector<Exclusion>& exclusions, Excluded& excluded);

}  // namespace assay::ingest
