#include "table.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>

#include "assay/error.h"

namespace assay::cli {
namespace {

// Columns a text takes on a terminal: code points, good enough for names.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string fill(width - std::min(width, width_of(text)), ' ');
  return right ? fill + text : text + fill;
}

std::vector<std::size_t> widths(const Table& table) {
  std::vector<std::size_t> result;
  for (const std::string& name : table.header) result.push_back(width_of(name));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) result[i] = std::max(result[i], width_of(row[i]));
  }
  return result;
}

std::string terminal(const Table& table, bool colour) {
  const std::vector<std::size_t> width = widths(table);
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      text += (i == 0 ? "" : "  ") + padded(cells[i], width[i], table.right[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  };
  std::string text =
      colour ? "\x1b[1m" + line(table.header) + "\x1b[0m\n" : line(table.header) + "\n";
  for (const auto& row : table.rows) text += line(row) + "\n";
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string markdown(const Table& table) {
  const auto line = [](const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) text += " " + replaced(cell, "|", "\\|") + " |";
    return text + "\n";
  };
  std::string text = line(table.header) + "|";
  for (bool right : table.right) text += right ? "---:|" : "---|";
  text += "\n";
  for (const auto& row : table.rows) text += line(row);
  return text;
}

std::string csv(const Table& table) {
  const auto line = [](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool quoted = cells[i].find_first_of(",\"\r\n") != std::string::npos;
      text += i == 0 ? "" : ",";
      text += quoted ? "\"" + replaced(cells[i], "\"", "\"\"") + "\"" : cells[i];
    }
    return text + "\n";
  };
  std::string text = line(table.header);
  for (const auto& row : table.rows) text += line(row);
  return text;
}

std::string latex_text(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (c == '\\') {
      result += "\\textbackslash{}";
    } else if (c == '~' || c == '^') {
      result += std::string("\\") + c + "{}";
    } else if (std::strchr("&%$#_{}", c) != nullptr && c != '\0') {
      result += std::string("\\") + c;
    } else {
      result += c;
    }
  }
  return result;
}

std::string latex(const Table& table) {
  const auto line = [](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i)
      text += (i == 0 ? "" : " & ") + latex_text(cells[i]);
    return text + " \\\\\n";
  };
  std::string text = "\\begin{tabular}{";
  for (bool right : table.right) text += right ? 'r' : 'l';
  text += "}\n\\hline\n" + line(table.header) + "\\hline\n";
  for (const auto& row : table.rows) text += line(row);
  return text + "\\hline\n\\end{tabular}\n";
}

}  // namespace

Format parse_format(const std::string& name) {
  if (name == "table") return Format::kTable;
  if (name == "json") return Format::kJson;
  if (name == "markdown") return Format::kMarkdown;
  if (name == "csv") return Format::kCsv;
  if (name == "latex") return Format::kLatex;
  throw ConfigError(fmt::format("--format {}: expected table, json, markdown, csv or latex", name));
}

Format format_of_file(const std::string& path) {
  if (path.ends_with(".json")) return Format::kJson;
  if (path.ends_with(".md")) return Format::kMarkdown;
  if (path.ends_with(".csv")) return Format::kCsv;
  if (path.ends_with(".tex")) return Format::kLatex;
  if (path.ends_with(".txt")) return Format::kTable;
  throw ConfigError(fmt::format(
      "-o {}: the extension says no format; use .json .md .csv .tex or .txt, or --format", path));
}

void Table::column(std::string name, bool numbers) {
  header.push_back(std::move(name));
  right.push_back(numbers);
}

std::string render(const Table& table, Format format, bool colour) {
  switch (format) {
    case Format::kMarkdown:
      return markdown(table);
    case Format::kCsv:
      return csv(table);
    case Format::kLatex:
      return latex(table);
    default:
      return terminal(table, colour);
  }
}

bool wants_colour(bool no_color_flag) {
  const char* no_color = std::getenv("NO_COLOR");
  return !no_color_flag && (no_color == nullptr || *no_color == '\0') && isatty(STDOUT_FILENO) != 0;
}

std::string fixed(const std::optional<double>& value, int decimals) {
  if (!value) return "-";
  std::string text = fmt::format("{:.{}f}", *value, decimals);
  if (text.front() == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string p_text(const std::optional<double>& p) {
  if (!p) return "-";
  return *p < 0.001 ? "<0.001" : fixed(p);
}

std::string exact(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

void write_output(const std::string& path, const std::string& text) {
  if (path.empty() || path == "-") {
    std::cout << text << std::flush;
    return;
  }
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file)
    throw ConfigError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

}  // namespace assay::cli
