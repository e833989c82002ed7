#include "ingest/csv_row.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "ingest/problem.h"
#include "text/utf8.h"

namespace assay::ingest {
namespace {

double rating_of(const std::string& cell, const std::string& key) {
  double value = 0;
  const char* end = cell.data() + cell.size();
  const auto [stop, error] = std::from_chars(cell.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value)) {
    throw RowProblem(
        fmt::format("column \"{}\" must be a number, but is \"{}\"", key, ellipsize(cell, 40)));
  }
  return value;
}

}  // namespace

CsvColumns::CsvColumns(CsvRecord& header, const FieldMap& map) {
  for (std::size_t i = 0; i < header.size(); ++i) {
    Column column;
    column.key = header.field(i);
    if (!column.key.empty()) settle(column, map);
    columns_.push_back(std::move(column));
  }
  check(map);
}

void CsvColumns::settle(Column& column, const FieldMap& map) const {
  for (const Column& other : columns_) {
    if (other.key == column.key)
      throw RowProblem(fmt::format("column \"{}\" is there twice", column.key));
  }
  for (const Mapped& entry : map.mapped()) {
    if (entry.key != column.key) continue;
    column.kind = entry.rating.empty() ? Column::Kind::kField : Column::Kind::kRating;
    column.slot = entry.slot;
    column.rating = entry.rating;
    return;
  }
  if (const auto slot = map.find(column.key)) {
    column.kind = Column::Kind::kField;
    column.slot = *slot;
  } else if (const auto dimension = rating_key(column.key)) {
    column.kind = Column::Kind::kRating;
    column.rating = *dimension;
  }
}

void CsvColumns::check(const FieldMap& map) const {
  std::string names;
  RowBuilder claims;
  bool output = false;
  for (const Column& column : columns_) {
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", ellipsize(column.key, 40));
    if (column.kind == Column::Kind::kField) claims.claim(column.slot, column.key);
    output = output || (column.kind == Column::Kind::kField && column.slot == Slot::kOutput);
  }
  for (const Mapped& entry : map.mapped()) {
    const bool found = std::any_of(columns_.begin(), columns_.end(),
                                   [&](const Column& c) { return c.key == entry.key; });
    if (!found) {
      throw RowProblem(fmt::format("--map {}={}: there is no column \"{}\" (columns: {})",
                                   slot_name(entry.slot), entry.key, entry.key, names));
    }
  }
  if (!output) {
    throw RowProblem(
        fmt::format("field \"output\" is missing; a CSV file needs a header with such a column "
                    "(use --map output=COLUMN if it "
                    "has another name; columns here: {})",
                    names));
  }
}

// An empty cell is an absent field, but for the output: that one is said to be empty, not missing.
void CsvColumns::put(const Column& column, std::string& cell, JsonRow& json,
                     RowBuilder& row) const {
  if (column.kind == Column::Kind::kIgnored) return;
  if (column.kind == Column::Kind::kRating) {
    if (!cell.empty()) row.rating(column.rating, rating_of(cell, column.key));
    return;
  }
  if (cell.empty() && column.slot != Slot::kOutput) return;
  row.claim(column.slot, column.key);
  if (column.slot == Slot::kHuman || column.slot == Slot::kHumanRaw) {
    return json.human_cell(cell, column.slot, row);
  }
  const bool listing = column.slot == Slot::kReferences || column.slot == Slot::kContext;
  std::vector<std::string> list;
  if (listing && json.list_cell(cell, list)) return row.list(column.slot, std::move(list));
  row.text(column.slot, std::move(cell));
}

void CsvColumns::read(CsvRecord& record, JsonRow& json, RowBuilder& row) const {
  if (record.size() != columns_.size()) {
    throw RowProblem(fmt::format(
        "the row has {} fields, but the header has {} (quote a field that holds the separator)",
        record.size(), columns_.size()));
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) put(columns_[i], record.field(i), json, row);
}

}  // namespace assay::ingest
