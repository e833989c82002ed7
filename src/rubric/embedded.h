#pragma once

#include <span>
#include <string_view>

namespace assay {

struct EmbeddedFile {
  std::string_view path;  // "rubrics/summarization/coherence.yaml"
  std::string_view text;
};

// Every checklist, rubric and prompt compiled into the binary, sorted by path.
std::span<const EmbeddedFile> embedded_files();

}  // namespace assay
