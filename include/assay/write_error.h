#pragma once

#include <stdexcept>

namespace assay {

// A report or recording that could not be written (disk full, broken pipe): one line. Not a
// ConfigError: the run has been paid for by then, and its answers are in the ledger.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace assay
