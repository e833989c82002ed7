#pragma once

#include <optional>
#include <string>
#include <vector>

namespace assay::cli {

enum class Format { kTable, kJson, kMarkdown, kCsv, kLatex };

// By name (table, json, markdown, csv, latex); ConfigError on another.
Format parse_format(const std::string& name);
// By the extension of an output file (.json .md .csv .tex .txt); ConfigError on another.
Format format_of_file(const std::string& path);

struct Table {
  std::vector<std::string> header;
  std::vector<bool> right;  // per column: numbers stand right
  std::vector<std::vector<std::string>> rows;

  void column(std::string name, bool numbers);
};

// The table in one of the text formats. Colour only for kTable, and only where the caller asks for
// it.
std::string render(const Table& table, Format format, bool colour);

// Whether standard output is a terminal that wants colour: NO_COLOR and --no-color say no.
bool wants_colour(bool no_color_flag);

// "0.417"; "-" where there is no value.
std::string fixed(const std::optional<double>& value, int decimals = 3);
// A p-value: "<0.001", "0.034"; "-" where there is none.
std::string p_text(const std::optional<double>& p);
// Shortest form that reads back as the same number; empty where there is none. For CSV.
std::string exact(const std::optional<double>& value);

// Writes to a file, or to standard output where `path` is empty or "-". ConfigError when it cannot.
void write_output(const std::string& path, const std::string& text);

}  // namespace assay::cli
