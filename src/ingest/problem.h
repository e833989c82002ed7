#pragma once

#include <stdexcept>

namespace assay::ingest {

// What is wrong with one row, without file and line: the reader knows those, and whether to stop or
// skip.
class RowProblem : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace assay::ingest
