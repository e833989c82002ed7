#pragma once

#include <span>
#include <string>
#include <vector>

#include "assay/rubric.h"
#include "rubric/yaml.h"

namespace assay {

// True for a file that is a prompt and not a rubric.
bool is_prompt(const YamlNode& root);

// Reads a prompt from its YAML (docs/formats/prompt.md). Every problem is added.
Prompt read_prompt(const YamlNode& root, Problems& problems);

// The values a prompt's blocks use, sorted.
std::vector<std::string> prompt_values(const Prompt& prompt);

// The mark between the shared part of the last user turn and its tail.
inline constexpr const char* kTailMark = "|";

// Over everything that can change a result.
std::string prompt_hash(const Prompt& prompt);

}  // namespace assay
