#pragma once

#include <optional>
#include <span>
#include <string>

#include "assay/rubric.h"
#include "rubric/yaml.h"

namespace assay {

// Reads a rubric from its YAML (docs/formats/rubric.md), already merged with what it extends. Every
// problem is added; the rubric is only meant to be used when there was none. `evidence` are the
// names of the built-in evidence; empty: names are not checked.
Rubric read_rubric(const YamlNode& root, std::span<const std::string> evidence, Problems& problems);

// A child's YAML over its parent's: the maps scale, answer, seal and decomp are merged by key,
// everything else the child gives replaces what the parent gives.
YamlNode merge_rubrics(const YamlNode& parent, const YamlNode& child);

// Over everything that can change a result; not over where the rubric was read from.
std::string rubric_hash(const Rubric& rubric);

std::string unit_kind_name(UnitKind kind);

}  // namespace assay
