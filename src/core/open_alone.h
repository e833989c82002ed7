#pragma once

#include <sys/types.h>

#include <string>

namespace assay {

// Opens a file for writing, emptied, and locked as long as it is open. -1 with errno otherwise:
// EWOULDBLOCK where another process holds it, so that two runs never write into one file.
int open_alone(const std::string& path, mode_t mode);

}  // namespace assay
