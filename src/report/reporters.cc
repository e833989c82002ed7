#include "report/reporters.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "assay/error.h"
#include "report/display.h"
#include "report/json.h"
#include "report/weakest.h"

namespace assay {
namespace {

// A cell is quoted where CSV asks for it (RFC 4180), and where it begins or ends with a space.
void put_cell(std::string& out, std::string_view text) {
  const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos &&
                     (text.empty() || (text.front() != ' ' && text.back() != ' '));
  if (plain) {
    out += text;
  } else {
    out += '"';
    for (const char c : text) {
      if (c == '"') out += '"';
      out += c;
    }
    out += '"';
  }
  out += ',';
}

void put_cell(std::string& out, std::optional<double> value) {
  if (value && std::isfinite(*value)) append_number(out, *value);
  out += ',';
}

void put_cell(std::string& out, std::int64_t value) { out += fmt::format("{},", value); }

// "logical continuity: no shared word; fluency" for the faults of a unit.
std::string faults_text(const WeakUnit& unit) {
  std::string all;
  for (const Fault& fault : unit.faults) {
    if (!all.empty()) all += "; ";
    all += fault.why.empty() ? fault.name : fmt::format("{}: {}", fault.name, fault.why);
  }
  return all;
}

std::string markdown_cell(std::string_view text) {
  std::string out;
  for (const char c : report::one_line(text)) {
    if (c == '|' || c == '\\' || c == '<' || c == '`') out += '\\';
    out += c;
  }
  return out;
}

std::string three(std::optional<double> value) {
  return value ? fmt::format("{:.3f}", *value) : "–";
}

}  // namespace

JsonReporter::JsonReporter(std::string path, bool as_list)
    : sink_(std::move(path)), as_list_(as_list) {}

void JsonReporter::add(const Sample&, const Result& result) {
  std::string& out = sink_.buffer();
  if (as_list_) out += first_ ? "[\n" : ",\n";
  first_ = false;
  append_result_json(out, result);
  if (!as_list_) out += '\n';
  sink_.flush_if_full();
}

void JsonReporter::finish() {
  if (as_list_) sink_.write(first_ ? "[]\n" : "\n]\n");
  sink_.finish();
}

CsvReporter::CsvReporter(std::string path) : sink_(std::move(path)) {
  sink_.write(
      "id,group,system,dimension,method,judge,judge_kind,layout,score,scale_low,scale_high,status,"
      "reason,deviation,"
      "weakest,weakest_why,calls,prompt_tokens,cached_tokens,completion_tokens,usd,ms,run\n");
}

void CsvReporter::add(const Sample& sample, const Result& result) {
  std::string& out = sink_.buffer();
  const bool scored = result.score && std::isfinite(*result.score);
  const Weakness weakness = find_weakest(sample, result, 1);
  const WeakUnit weakest = weakness.units.empty() ? WeakUnit{} : weakness.units.front();
  for (const std::string* text :
       {&result.id, &result.group, &result.system, &result.dimension, &result.method, &result.judge,
        &result.judge_kind, &result.layout}) {
    put_cell(out, *text);
  }
  put_cell(out, result.score);
  put_cell(out, result.scale ? std::optional(result.scale->lo) : std::nullopt);
  put_cell(out, result.scale ? std::optional(result.scale->hi) : std::nullopt);
  put_cell(out, scored ? "scored" : "unscored");
  put_cell(out, result.reason);
  put_cell(out, result.deviation);
  put_cell(out, !weakest.note.empty()   ? weakest.note
                : !weakest.text.empty() ? weakest.text
                                        : weakest.label);
  put_cell(out, faults_text(weakest));
  for (const std::int64_t count : {result.usage.calls, result.usage.prompt_tokens,
                                   result.usage.cached_tokens, result.usage.completion_tokens}) {
    put_cell(out, count);
  }
  put_cell(out, std::optional(result.usage.usd));
  put_cell(out, std::optional(result.usage.ms));
  put_cell(out, result.run);
  out.back() = '\n';
  sink_.flush_if_full();
}

void CsvReporter::finish() { sink_.finish(); }

MarkdownReporter::MarkdownReporter(std::string path) : sink_(std::move(path)) {}

void MarkdownReporter::add(const Sample&, const Result& result) { summary_.add(result); }

void MarkdownReporter::finish() {
  sink_.write(
      "| method | judge | system | dimension | rows | mean | 95 % interval | unscored |\n"
      "|---|---|---|---|---:|---:|---|---:|\n");
  for (const SummaryLine& line : summary_.lines()) {
    const std::string judge =
        line.judge_kind.empty() ? line.judge : fmt::format("{} ({})", line.judge, line.judge_kind);
    const std::string interval =
        line.low ? fmt::format("{} to {}", three(line.low), three(line.high)) : "–";
    const std::string system = line.all_systems ? "all" : line.system.empty() ? "–" : line.system;
    sink_.write(fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n",
                            markdown_cell(line.method), markdown_cell(judge), markdown_cell(system),
                            markdown_cell(line.dimension), line.n, three(line.mean), interval,
                            line.unscored));
  }
  sink_.finish();
}

std::unique_ptr<Reporter> make_reporter(const std::string& path) {
  if (path == "-") return std::make_unique<JsonReporter>(path);
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  const bool has = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  std::string extension = has ? path.substr(dot) : "";
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (extension == ".jsonl" || extension == ".ndjson") return std::make_unique<JsonReporter>(path);
  if (extension == ".json") return std::make_unique<JsonReporter>(path, true);
  if (extension == ".csv") return std::make_unique<CsvReporter>(path);
  if (extension == ".md") return std::make_unique<MarkdownReporter>(path);
  throw ConfigError(fmt::format(
      "-o {}: the format follows from the extension, and \"{}\" is none of .jsonl .json .csv .md",
      path, extension));
}

}  // namespace assay
