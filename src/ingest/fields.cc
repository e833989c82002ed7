// Names of fields in other tools' files. DeepEval writes actual_output, expected_output and
// retrieval_context; Ragas response, reference and retrieved_contexts; promptfoo and data sets on
// the web question, answer, target, ideal; MLflow {metric}/human_rating. All of them can be read as
// they are.

#include "ingest/fields.h"

#include <fmt/core.h>

#include <utility>
#include <vector>

#include "assay/error.h"

namespace assay::ingest {
namespace {

struct Names {
  Slot slot;
  std::vector<std::string_view> keys;  // the first is the field's own name
};

const std::array<Names, kSlots>& names() {
  static const std::array<Names, kSlots> table{{
      {Slot::kId, {"id"}},
      {Slot::kGroup, {"group"}},
      {Slot::kSystem, {"system"}},
      {Slot::kSource, {"source", "input", "question", "query", "document", "article"}},
      {Slot::kOutput, {"output", "actual_output", "response", "answer", "completion", "summary"}},
      {Slot::kReferences,
       {"references", "reference", "expected", "expected_output", "ground_truth", "target",
        "ideal"}},
      {Slot::kContext, {"context", "contexts", "retrieval_context", "retrieved_contexts", "fact"}},
      {Slot::kHistory, {"history"}},
      {Slot::kHuman, {"human"}},
      {Slot::kHumanRaw, {"human_raw"}},
  }};
  return table;
}

std::optional<Slot> slot_of(std::string_view name) {
  for (const Names& entry : names()) {
    if (entry.keys.front() == name) return entry.slot;
  }
  return std::nullopt;
}

Mapped mapping(const std::string& field, const std::string& key) {
  if (const auto slot = slot_of(field)) return {*slot, {}, key};
  if (const auto rating = rating_key(field)) return {Slot::kHuman, std::string(*rating), key};
  throw ConfigError(
      fmt::format("--map {}={}: there is no field \"{}\" (fields: id, group, system, source, "
                  "output, references, context, "
                  "history, human, human.DIMENSION)",
                  field, key, field));
}

}  // namespace

std::string_view slot_name(Slot slot) {
  return names()[static_cast<std::size_t>(slot)].keys.front();
}

std::optional<std::string_view> rating_key(std::string_view key) {
  constexpr std::string_view kSuffix = "/human_rating";
  if (key.size() > kSuffix.size() && key.ends_with(kSuffix)) {
    return key.substr(0, key.size() - kSuffix.size());
  }
  if (key.size() > 6 && (key.starts_with("human/") || key.starts_with("human.")))
    return key.substr(6);
  return std::nullopt;
}

FieldMap::FieldMap(const Named<std::string>& map) {
  for (const auto& [field, key] : map) {
    Mapped entry = mapping(field, key);
    for (const Mapped& other : mapped_) {
      if (other.slot == entry.slot && other.rating == entry.rating) {
        throw ConfigError(
            fmt::format("--map {}={}: the field is already mapped to \"{}\"; give one key", field,
                        key, other.key));
      }
    }
    if (entry.rating.empty()) is_mapped_[static_cast<std::size_t>(entry.slot)] = true;
    mapped_.push_back(std::move(entry));
  }
  for (const Names& entry : names()) {
    if (is_mapped(entry.slot)) continue;
    for (const std::string_view key : entry.keys) keys_.emplace(key, entry.slot);
  }
  for (const Mapped& entry : mapped_) keys_.erase(entry.key);
}

std::optional<Slot> FieldMap::find(std::string_view key) const {
  const auto it = keys_.find(key);
  if (it == keys_.end()) return std::nullopt;
  return it->second;
}

}  // namespace assay::ingest
