#pragma once

#include <CLI/CLI.hpp>

#include "methods/checkeval.h"

namespace assay::cli {

void add_checkeval_options(CLI::App& app, CheckevalOptions& options);

}  // namespace assay::cli
