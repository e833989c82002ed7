#pragma once

#include <span>
#include <string>

#include "assay/result.h"
#include "engine/works.h"

namespace assay {

// A result of this sample with everything but its score.
Result result_header(const Sample& sample, const Method& method, const Judge& judge,
                     const std::string& run);
void set_score(Result& result, const Score& score);

// The line a finished row gives; of several repeats one line: the mean of those that were scored,
// with their trees below it and the standard deviation beside it.
Result result_of(std::span<const std::unique_ptr<RowWork>> repeats, const Judge& judge,
                 const std::string& run);

}  // namespace assay
