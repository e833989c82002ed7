#pragma once

#include <CLI/CLI.hpp>

#include "methods/decompeval.h"

namespace assay::cli {

void add_decompeval_options(CLI::App& app, DecompEvalOptions& options);

}  // namespace assay::cli
