#include "output_options.h"

#include <fmt/core.h>

#include "assay/error.h"

namespace assay::cli {

void OutputArgs::add_to(CLI::App& sub) {
  sub.add_option("--format", format, "table, json, markdown, csv or latex");
  sub.add_option("-o,--output", path, "write to this file; the extension says the format");
  sub.add_flag("--no-color", no_color, "no colour on a terminal");
  sub.add_flag("--quiet", quiet, "no remarks on stderr");
}

Format OutputArgs::resolved() const {
  if (!format.empty()) return parse_format(format);
  return path.empty() || path == "-" ? Format::kTable : format_of_file(path);
}

bool OutputArgs::colour() const { return path.empty() && wants_colour(no_color); }

void OutputArgs::print_remarks(const std::vector<std::string>& remarks) const {
  if (quiet) return;
  for (const std::string& remark : remarks) fmt::print(stderr, "assay: {}\n", remark);
}

void OutputArgs::write(const std::string& text) const { write_output(path, text); }

double parse_number(const std::string& text, const char* option) {
  try {
    std::size_t used = 0;
    const double value = std::stod(text, &used);
    if (used == text.size()) return value;
  } catch (const std::exception&) {
    // said below
  }
  throw ConfigError(fmt::format("{} {}: expected a number", option, text));
}

std::optional<std::pair<double, double>> parse_scale(const std::string& text, const char* option) {
  if (text.empty()) return std::nullopt;
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) {
    throw ConfigError(fmt::format("{} {}: expected LOW,HIGH, as in 1,5", option, text));
  }
  const std::pair<double, double> scale = {parse_number(text.substr(0, comma), option),
                                           parse_number(text.substr(comma + 1), option)};
  if (scale.first >= scale.second)
    throw ConfigError(fmt::format("{} {}: the lower end comes first", option, text));
  return scale;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> items;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) items.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

}  // namespace assay::cli
