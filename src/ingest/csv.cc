#include "ingest/csv.h"

#include <fmt/core.h>

#include <algorithm>

#include "ingest/problem.h"

namespace assay::ingest {

void CsvRecord::clear() {
  used_ = 0;
  bytes_ = 0;
  inside_ = false;
}

std::string& CsvRecord::open_field() {
  if (used_ == fields_.size()) fields_.emplace_back();
  fields_[used_].clear();
  return fields_[used_++];
}

// Reads on inside quotes; returns where the field ended, or line.size() + 1 when it goes on.
std::size_t CsvRecord::quoted(std::string_view line, std::size_t at) {
  std::string& field = fields_[used_ - 1];
  for (;;) {
    const std::size_t quote = line.find('"', at);
    if (quote == std::string_view::npos) {
      field.append(line.substr(at));
      field.push_back('\n');
      inside_ = true;
      return line.size() + 1;
    }
    field.append(line.substr(at, quote - at));
    if (quote + 1 < line.size() && line[quote + 1] == '"') {
      field.push_back('"');
      at = quote + 2;
      continue;
    }
    inside_ = false;
    const std::size_t after = quote + 1;
    const bool line_end = after == line.size() || (line[after] == '\r' && after + 1 == line.size());
    if (line_end) return line.size();
    if (line[after] == separator_) return after;
    throw RowProblem(fmt::format(
        "column {}: text follows a closing quote (a quote inside a field is written \"\")", used_));
  }
}

std::size_t CsvRecord::plain(std::string_view line, std::size_t at) {
  std::size_t end = std::min(line.find(separator_, at), line.size());
  std::string_view text = line.substr(at, end - at);
  if (end == line.size() && !text.empty() && text.back() == '\r') text.remove_suffix(1);
  if (text.find('"') != std::string_view::npos) {
    throw RowProblem(
        fmt::format("column {}: a quote stands inside a field that does not begin with one (quote "
                    "the whole field and "
                    "write \"\" for the quote)",
                    used_));
  }
  fields_[used_ - 1].assign(text);
  return end;
}

bool CsvRecord::feed(std::string_view line) {
  bytes_ += line.size() + 1;
  std::size_t at = 0;
  if (inside_) {
    at = quoted(line, 0);
    if (inside_) return false;
  } else {
    open_field();
    at = !line.empty() && line[0] == '"' ? quoted(line, 1) : plain(line, 0);
  }
  while (!inside_ && at < line.size()) {
    ++at;  // the separator
    open_field();
    at = at < line.size() && line[at] == '"' ? quoted(line, at + 1) : plain(line, at);
  }
  return !inside_;
}

}  // namespace assay::ingest
