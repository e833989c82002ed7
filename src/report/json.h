#pragma once

#include <string>
#include <string_view>

#include "assay/result.h"

// A result as one line of JSON and back. docs/formats/results.md describes every key.

namespace assay {

// One line without '\n'. Numbers are the shortest that read back to the same double, whatever the
// locale; what is not a finite number is null, and a score that is none makes the result unscored.
// Bytes that are not UTF-8 become U+FFFD, so the line is always JSON.
std::string result_json(const Result& result);

// The same, appended: no allocation once `out` has grown.
void append_result_json(std::string& out, const Result& result);

// The shortest text that reads back to the same double, in any locale; null where it is not finite.
void append_number(std::string& out, double value);

// Reads what result_json wrote, exactly. Keys it does not know are passed over; a missing key, a
// wrong type, a status that contradicts the score, or a tree deeper than 200 is a ConfigError
// beginning with `where` ("FILE:LINE").
Result parse_result(std::string_view line, std::string_view where);

}  // namespace assay
