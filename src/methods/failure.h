#pragma once

#include <string>
#include <string_view>

#include "assay/method.h"

namespace assay {

// The score of a row whose answers cannot be used: no number, the reason, and the raw reply in the
// evidence.
Score unscored(std::string dimension, std::string reason);
Score unscored(std::string dimension, std::string_view label, const Verdict& verdict);

// "verdicts: unreadable after repairs: "s3" is missing".
std::string failure_of(std::string_view label, const Verdict& verdict);

}  // namespace assay
