#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ingest/build.h"
#include "ingest/csv.h"
#include "ingest/fields.h"
#include "ingest/json_row.h"

namespace assay::ingest {

// What the columns of a CSV file mean, settled once by its header, and how a record becomes a row.
class CsvColumns {
 public:
  // ConfigError-worthy problems are thrown as RowProblem: two columns for one field, a name twice,
  // no output column, a --map key that is no column.
  CsvColumns(CsvRecord& header, const FieldMap& map);

  void read(CsvRecord& record, JsonRow& json, RowBuilder& row) const;

 private:
  struct Column {
    enum class Kind { kIgnored, kField, kRating } kind = Kind::kIgnored;
    Slot slot = Slot::kId;
    std::string key;     // as in the header
    std::string rating;  // dimension
  };
  void settle(Column& column, const FieldMap& map) const;
  void check(const FieldMap& map) const;
  void put(const Column& column, std::string& cell, JsonRow& json, RowBuilder& row) const;

  std::vector<Column> columns_;
};

}  // namespace assay::ingest
