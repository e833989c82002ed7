#pragma once

#include <CLI/CLI.hpp>

namespace assay::cli {

// `assay rubric draft`, under the verb `rubric`.
void add_rubric_draft(CLI::App& rubric, int& exit_code);

}  // namespace assay::cli
