#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "assay/judge.h"
#include "evidence/analysis.h"

namespace assay {

using AnalysisPtr = std::shared_ptr<const Analysis>;  // shared with the cache
using Analyse = std::function<AnalysisPtr(std::string_view text)>;

// The built-in judge's answer to one request; a pure function of the request, given a faithful
// `analyse`.
Reply builtin_answer(const Request& request, const Analyse& analyse);

}  // namespace assay
