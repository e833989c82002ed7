#pragma once

#include <CLI/CLI.hpp>

namespace assay::cli {

// Checks of numbers on the command line, in words: CLI11's own print the largest number there is,
// in full, and let nan pass.
CLI::Validator above_zero();
CLI::Validator not_negative();

}  // namespace assay::cli
