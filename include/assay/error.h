#pragma once

#include <stdexcept>
#include <string>

namespace assay {

// What a user can mend: a wrong option, a missing file, a broken rubric or row. Thrown only before
// the first question is asked; printed as one line; exit code 2. After that every failure is a
// Status.
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace assay
