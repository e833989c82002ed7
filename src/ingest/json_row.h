#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/build.h"
#include "ingest/fields.h"

namespace assay::ingest {

// Reads a JSON object into a RowBuilder. The document-object form of simdjson is used, not the lazy
// one: the lazy one does not look at values nobody asks for, so a row that is broken in an ignored
// key would pass.
class JsonRow {
 public:
  JsonRow();
  ~JsonRow();

  // `line` must be followed by LineReader::kPadding readable bytes. Marks in `seen` which --map
  // keys are there. RowProblem when it is not one object or a field has the wrong type.
  void read(std::string_view line, const FieldMap& map, RowBuilder& row, std::vector<bool>& seen);

  // For a CSV cell. A JSON list of strings; false when the cell is none (then it is plain text).
  bool list_cell(std::string_view cell, std::vector<std::string>& out);
  // A cell that must be a JSON object of ratings.
  void human_cell(std::string_view cell, Slot slot, RowBuilder& row);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace assay::ingest
