// Lines of JSON or CSV into flat records. JSON is parsed by simdjson in place (the reader pads its
// buffer) and checked whole, so that half a line never passes for a row.
#include "ingest/record.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "assay/error.h"
#include "ingest/csv.h"
#include "ingest/input.h"
#include "ingest/lines.h"
#include "ingest/problem.h"

namespace assay::ingest {
namespace {

using Kind = Record::Value::Kind;

constexpr std::size_t kMaxLine = std::size_t{128} << 20;
constexpr std::string_view kCutOff =
    "the last line is incomplete: the file was cut off in the middle; write it again, or remove "
    "that line";

// Long texts and costs; no statistic looks at them.
constexpr std::array<std::string_view, 16> kSkipped = {
    "source",  "input",         "document", "article",    "output",    "actual_output",
    "summary", "response_text", "context",  "references", "reference", "expected_output",
    "history", "usage",         "stages",   "evidence"};

Record::Value number(double value) {
  Record::Value result;
  result.kind = Kind::kNumber;
  result.number = value;
  return result;
}

Record::Value text(std::string_view value) {
  Record::Value result;
  result.kind = Kind::kText;
  result.text = value;
  return result;
}

// A list of numbers or of texts; nulls in a list of numbers are missing ratings. Other lists are
// passed over.
std::optional<Record::Value> list(const simdjson::dom::array& array) {
  Record::Value result;
  for (simdjson::dom::element item : array) {
    if (item.is_string()) {
      result.texts.emplace_back(item.get_string().value());
    } else if (item.is_number()) {
      result.numbers.push_back(item.get_double().value());
    } else if (!item.is_null()) {
      return std::nullopt;
    }
  }
  if (!result.texts.empty() && !result.numbers.empty()) return std::nullopt;
  result.kind = result.texts.empty() ? Kind::kNumbers : Kind::kTexts;
  return result;
}

void flatten(const simdjson::dom::object& object, const std::string& prefix, Record& record) {
  for (const simdjson::dom::key_value_pair field : object) {
    if (prefix.empty() && std::find(kSkipped.begin(), kSkipped.end(), field.key) != kSkipped.end())
      continue;
    std::string key = prefix + std::string(field.key);
    const simdjson::dom::element& value = field.value;
    if (value.is_object()) {
      flatten(value.get_object().value(), key + ".", record);
    } else if (value.is_array()) {
      if (auto items = list(value.get_array().value()))
        record.values.emplace_back(std::move(key), *items);
    } else if (value.is_string()) {
      record.values.emplace_back(std::move(key), text(value.get_string().value()));
    } else if (value.is_number()) {
      record.values.emplace_back(std::move(key), number(value.get_double().value()));
    } else if (value.is_bool()) {
      record.values.emplace_back(std::move(key), text(value.get_bool().value() ? "true" : "false"));
    } else {
      record.values.emplace_back(std::move(key), Record::Value{});
    }
  }
}

std::string_view label_of(const simdjson::dom::element& node) {
  std::string_view label;
  return node["label"].get(label) == simdjson::SUCCESS ? label : "?";
}

// The leaves of an evidence tree by path. A leaf's value is a verdict: 0, 1, or a probability.
void add_verdicts(const simdjson::dom::element& node, const std::string& path, Record& record) {
  simdjson::dom::array children;
  const bool inner = node["children"].get(children) == simdjson::SUCCESS && children.size() > 0;
  if (!inner) {
    double value = 0;
    if (node["value"].get(value) == simdjson::SUCCESS) record.verdicts.emplace_back(path, value);
    return;
  }
  for (const simdjson::dom::element child : children) {
    add_verdicts(child, fmt::format("{}/{}", path, label_of(child)), record);
  }
}

class JsonLines {
 public:
  JsonLines(const std::string& name, const RecordOptions& options)
      : name_(name), options_(options) {}

  // Every line is a record.
  std::optional<Record> read(std::string_view line, std::size_t number, bool terminated) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return std::nullopt;
    simdjson::dom::element document;
    const auto error = parser_.parse(line.data(), line.size(), false).get(document);
    if (error && !terminated) {
      throw ConfigError(fmt::format("{}:{}: {}", name_, number, kCutOff));
    }
    if (error) {
      throw ConfigError(fmt::format("{}:{}: not JSON ({}); a score that is missing is written null",
                                    name_, number, simdjson::error_message(error)));
    }
    simdjson::dom::object object;
    if (document.get(object)) {
      throw ConfigError(fmt::format(
          "{}:{}: not a JSON object; expected one object with `id` per line", name_, number));
    }
    Record record;
    record.line = number;
    flatten(object, "", record);
    simdjson::dom::element evidence;
    if (options_.verdicts && document["evidence"].get(evidence) == simdjson::SUCCESS &&
        evidence.is_object()) {
      add_verdicts(evidence, std::string(label_of(evidence)), record);
    }
    return record;
  }

 private:
  const std::string& name_;
  const RecordOptions& options_;
  simdjson::dom::parser parser_;
};

// The first record is the header; a quoted field may go on over several lines.
class CsvLines {
 public:
  CsvLines(const std::string& name, char separator) : name_(name), fields_(separator) {}

  std::optional<Record> read(std::string_view line, std::size_t number, bool terminated) {
    if (!open_ && (line.empty() || line == "\r")) return std::nullopt;
    if (!open_) begin_ = number, fields_.clear();
    try {
      open_ = !fields_.feed(line);
    } catch (const RowProblem& problem) {
      throw ConfigError(fmt::format("{}:{}: {}", name_, number, problem.what()));
    }
    if (open_) return std::nullopt;
    if (header_.empty()) {
      for (std::size_t i = 0; i < fields_.size(); ++i) header_.push_back(fields_.field(i));
      return std::nullopt;
    }
    check_width(terminated);
    Record record;
    record.line = begin_;
    record.csv = true;
    for (std::size_t i = 0; i < header_.size(); ++i) {
      const bool skipped =
          std::find(kSkipped.begin(), kSkipped.end(), header_[i]) != kSkipped.end();
      if (!skipped) record.values.emplace_back(header_[i], text(fields_.field(i)));
    }
    return record;
  }

  bool open() const { return open_; }
  std::size_t begin() const { return begin_; }

 private:
  void check_width(bool terminated) {
    if (fields_.size() == header_.size()) return;
    if (!terminated && fields_.size() < header_.size()) {
      throw ConfigError(fmt::format("{}:{}: {}", name_, begin_, kCutOff));
    }
    throw ConfigError(fmt::format(
        "{}:{}: {} fields where the header has {}; quote a field that holds the separator", name_,
        begin_, fields_.size(), header_.size()));
  }

  const std::string& name_;
  CsvRecord fields_;
  std::vector<std::string> header_;
  std::size_t begin_ = 0;
  bool open_ = false;
};

// The separator of a CSV or TSV file, 0 for JSON Lines: by extension, else by the first byte.
char separator_of(const std::string& name, std::string_view head) {
  if (name.ends_with(".csv")) return ',';
  if (name.ends_with(".tsv")) return '\t';
  const std::size_t at = head.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos || head[at] == '{') return 0;
  if (head[at] == '[') {
    throw ConfigError(fmt::format(
        "{}: a JSON array; one object per line is expected (jq -c '.[]' makes them)", name));
  }
  if (name.ends_with(".jsonl") || name.ends_with(".json")) return 0;
  const bool tabs = head.substr(0, head.find('\n')).find('\t') != std::string_view::npos;
  return tabs ? '\t' : ',';
}

template <class Format>
std::size_t read_all(LineReader& lines, const std::string& name, Format& format,
                     const std::function<void(const Record&)>& each) {
  std::string_view line;
  std::size_t rows = 0;
  for (;;) {
    const LineReader::Got got = lines.next(line);
    if (got == LineReader::Got::kEnd) return rows;
    if (got == LineReader::Got::kTooLong) {
      throw ConfigError(fmt::format("{}:{}: longer than 128 MB; one row per line is expected", name,
                                    lines.number()));
    }
    if (std::optional<Record> record = format.read(line, lines.number(), lines.terminated())) {
      each(*record);
      ++rows;
    }
  }
}

}  // namespace

std::optional<std::string> Record::text(std::string_view key) const {
  const Value* value = find(values, key);
  if (value == nullptr) return std::nullopt;
  if (value->kind == Kind::kText) return value->text;
  if (value->kind == Kind::kNumber) return fmt::format("{}", value->number);
  return std::nullopt;
}

std::optional<double> whole_number(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

void each_record(const std::string& path, const RecordOptions& options,
                 const std::function<void(const Record&)>& each) {
  Input input(path);
  LineReader lines(input, kMaxLine);
  if (lines.peek(3) == "\xEF\xBB\xBF") lines.skip(3);
  const char separator = separator_of(input.name(), lines.peek(4096));
  std::size_t rows = 0;
  if (separator == 0) {
    JsonLines json(input.name(), options);
    rows = read_all(lines, input.name(), json, each);
  } else {
    CsvLines csv(input.name(), separator);
    rows = read_all(lines, input.name(), csv, each);
    if (csv.open()) {
      throw ConfigError(fmt::format(
          "{}:{}: a quote is never closed: the file was cut off in the middle, or the quote "
          "is part of a field and must be doubled",
          input.name(), csv.begin()));
    }
  }
  if (rows == 0) throw ConfigError(fmt::format("{}: empty: no rows in it", input.name()));
}

}  // namespace assay::ingest
