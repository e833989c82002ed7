#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "assay/sample.h"
#include "ingest/fields.h"

namespace assay::ingest {

// One row in the making: takes values from either format, keeps the key each came from, and checks
// what a row must have. Every problem is a RowProblem that names the field.
class RowBuilder {
 public:
  void clear();

  // Notes that `key` holds `slot`; RowProblem when another key already does.
  void claim(Slot slot, std::string_view key);
  void text(Slot slot, std::string value);
  void list(Slot slot, std::vector<std::string> values);
  void rating(std::string_view dimension, double value);
  void raw_ratings(std::string dimension, std::vector<double> values);

  // The checked row. A missing id becomes "row-LINE", a missing group the id.
  Row finish(std::size_t line, bool output_is_mapped);

 private:
  Row row_;
  std::array<std::string, kSlots> key_;  // empty: the field has not been seen
};

// RowProblem: field "output" must be a string, but is a number.
[[noreturn]] void wrong_type(std::string_view field, std::string_view want, std::string_view got);

}  // namespace assay::ingest
