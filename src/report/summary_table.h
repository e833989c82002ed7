#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/summary.h"

namespace assay::report {

// The summary for a terminal: one table per method and judge, the judge named with what it is.
// `width` from 60.
std::string summary_table(const std::vector<SummaryLine>& lines, bool color, std::size_t width);

}  // namespace assay::report
