#pragma once

#include <string>

namespace assay::cli {

// The text of a paper: plain text or Markdown as it is, a PDF through the program `pdftotext`
// (poppler's library is under the GPL and is not linked). Throws ConfigError where there is no text
// to be had, with what to do.
std::string read_literature(const std::string& path);

}  // namespace assay::cli
