#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "table.h"

namespace assay::cli {

// Where a table goes and in which form: the options meta, agree and compare share.
struct OutputArgs {
  std::string format;  // empty: by the extension of `path`, else a table
  std::string path;
  bool no_color = false;
  bool quiet = false;

  void add_to(CLI::App& sub);
  Format resolved() const;
  bool colour() const;
  void print_remarks(const std::vector<std::string>& remarks) const;
  void write(const std::string& text) const;
};

// "1,5" -> {1, 5}; nothing for an empty text; ConfigError otherwise, naming the option.
std::optional<std::pair<double, double>> parse_scale(const std::string& text, const char* option);
double parse_number(const std::string& text, const char* option);
std::vector<std::string> split_list(const std::string& text);

}  // namespace assay::cli
