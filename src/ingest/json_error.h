#pragma once

#include <string>
#include <string_view>

namespace assay::ingest {

// Why a line is not one JSON value, with the column: "column 17: expected ',' or '}'". Slow and
// exact: called only for a line that the fast parser has refused, because that one does not say
// where. Empty when this scanner finds nothing wrong.
std::string explain_bad_json(std::string_view line);

}  // namespace assay::ingest
