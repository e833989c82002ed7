#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "assay/sample.h"

namespace assay::ingest {

// What a row may say. The order is that of messages; kSlots counts them.
enum class Slot {
  kId,
  kGroup,
  kSystem,
  kSource,
  kOutput,
  kReferences,
  kContext,
  kHistory,
  kHuman,
  kHumanRaw
};
constexpr std::size_t kSlots = 10;

std::string_view slot_name(Slot slot);

// A key given by --map. `rating` is set for human.DIMENSION.
struct Mapped {
  Slot slot;
  std::string rating;
  std::string key;
};

// Which key holds which field: names, aliases, and what --map says instead. Immutable after
// construction.
class FieldMap {
 public:
  // ConfigError on a field that is none, or one that is mapped twice.
  explicit FieldMap(const Named<std::string>& map);

  // The field a top-level key stands for, by name or alias. Nothing where --map names another key
  // for that field, or gives this key to another field.
  std::optional<Slot> find(std::string_view key) const;
  const std::vector<Mapped>& mapped() const { return mapped_; }
  bool is_mapped(Slot slot) const { return is_mapped_[static_cast<std::size_t>(slot)]; }

 private:
  std::unordered_map<std::string_view, Slot> keys_;
  std::vector<Mapped> mapped_;
  std::array<bool, kSlots> is_mapped_{};
};

// "coherence/human_rating" or "human/coherence" or "human.coherence" -> "coherence".
std::optional<std::string_view> rating_key(std::string_view key);

}  // namespace assay::ingest
