#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::ingest {

// One CSV record (RFC 4180), fed line by line because a quoted field may hold line breaks. Strict:
// a quote stands only around a whole field or doubled inside one, so a file that is not what it
// seems is refused instead of being split in the wrong places.
class CsvRecord {
 public:
  explicit CsvRecord(char separator) : separator_(separator) {}

  void clear();
  // Adds a line (without its '\n'; a '\r' before it belongs to the line end). True when the record
  // is complete, false when a quoted field goes on in the next line. Throws RowProblem.
  bool feed(std::string_view line);

  std::size_t size() const { return used_; }
  std::string& field(std::size_t i) { return fields_[i]; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::string& open_field();
  std::size_t quoted(std::string_view line, std::size_t at);
  std::size_t plain(std::string_view line, std::size_t at);

  char separator_;
  std::vector<std::string> fields_;  // kept between records: their memory is used again
  std::size_t used_ = 0;
  std::size_t bytes_ = 0;
  bool inside_ = false;  // a quoted field goes on
};

}  // namespace assay::ingest
