#pragma once

#include <CLI/CLI.hpp>

namespace assay::cli {

// The parts of `assay checklist` that have a file of their own.
void add_checklist_build(CLI::App& checklist, int& exit_code);
void add_checklist_weigh(CLI::App& checklist, int& exit_code);

}  // namespace assay::cli
