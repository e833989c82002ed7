#pragma once

#include <memory>
#include <string>

#include "assay/judge.h"

namespace assay {

// Answers from a file written by --record, under the name and identity of the judge that was
// recorded: FILE, or FILE#NAME where it holds several judges. Throws ConfigError (file, line,
// remedy) where it cannot be read. A question that is not in it is answered with
// Status::kTransport.
std::unique_ptr<Judge> make_replay(const std::string& file);

}  // namespace assay
