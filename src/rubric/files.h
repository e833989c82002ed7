#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rubric/problem.h"

namespace assay {

// The file itself, or every .yaml and .yml file below a folder, sorted. Adds a problem where there
// is none.
std::vector<std::string> yaml_files(const std::string& path, Problems& problems);

// The whole file, or nothing and a problem.
std::optional<std::string> read_text_file(const std::string& path, Problems& problems);

}  // namespace assay
