#include "ingest/rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "assay/error.h"
#include "ingest/build.h"
#include "ingest/csv_row.h"
#include "ingest/fields.h"
#include "ingest/ids.h"
#include "ingest/input.h"
#include "ingest/json_row.h"
#include "ingest/lines.h"
#include "ingest/problem.h"
#include "text/utf8.h"

namespace assay {
namespace {

using ingest::LineReader;
using ingest::RowProblem;

constexpr std::size_t kListed = 1000;  // bad rows kept by name; the rest is only counted
constexpr std::string_view kBom = "\xef\xbb\xbf";

bool blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

RowFormat by_extension(const std::string& path) {
  const auto ends = [&](std::string_view suffix) {
    if (path.size() < suffix.size()) return false;
    return std::equal(suffix.begin(), suffix.end(),
                      path.end() - static_cast<std::ptrdiff_t>(suffix.size()),
                      [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); });
  };
  if (ends(".jsonl") || ends(".ndjson") || ends(".json")) return RowFormat::kJsonl;
  if (ends(".csv")) return RowFormat::kCsv;
  if (ends(".tsv")) return RowFormat::kTsv;
  return RowFormat::kAuto;
}

// What people hand over by mistake, by its first bytes.
void refuse_foreign(std::string_view head, const std::string& name) {
  using namespace std::string_view_literals;
  if (head.empty())
    throw ConfigError(fmt::format("{}: the file is empty; there are no rows to judge", name));
  if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff")) {
    throw ConfigError(
        fmt::format("{}: is UTF-16; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)", name));
  }
  if (head.starts_with("\x1f\x8b") || head.starts_with("\x28\xb5\x2f\xfd") ||
      head.starts_with("PK\x03\x04")) {
    throw ConfigError(fmt::format(
        "{}: is compressed; unpack it first (or pipe it in: zcat FILE | assay ... -)", name));
  }
  if (head.starts_with("PAR1"))
    throw ConfigError(fmt::format("{}: is Parquet; rows are read from JSON Lines or CSV", name));
}

void refuse_nul(std::string_view text) {
  const std::size_t at = text.find('\0');
  if (at == std::string_view::npos) return;
  throw RowProblem(
      fmt::format("NUL byte at column {}; this is not a text file, or it is damaged", at + 1));
}

}  // namespace

RowFormat parse_row_format(std::string_view name) {
  if (name == "auto") return RowFormat::kAuto;
  if (name == "jsonl") return RowFormat::kJsonl;
  if (name == "csv") return RowFormat::kCsv;
  if (name == "tsv") return RowFormat::kTsv;
  throw ConfigError(fmt::format("--input-format {}: no such format (auto, jsonl, csv, tsv)", name));
}

std::pair<std::string, std::string> parse_map(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    throw ConfigError(fmt::format("--map {}: expected FIELD=KEY, such as output=data.text", text));
  }
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

void IngestOptions::validate() const { ingest::FieldMap check(map); }

struct RowReader::State {
  explicit State(IngestOptions given)
      : options(std::move(given)),
        map(options.map),
        input(options.path),
        lines(input, options.max_row_bytes),
        mapped_seen(map.mapped().size()),
        record(',') {
    start();
    format = options.format != RowFormat::kAuto ? options.format : by_extension(options.path);
    if (format == RowFormat::kAuto) format = sniff();
    record = ingest::CsvRecord(format == RowFormat::kTsv ? '\t' : ',');
  }

  void start();
  RowFormat sniff();
  bool read_record();
  void read_header();
  // One line or record into `row`. False at the end; RowProblem leaves the reader after the bad
  // row.
  bool step(Row& row);
  bool step_json(Row& row);
  bool step_csv(Row& row);
  Row checked();
  void end_of_file();
  std::string at(std::string_view problem) const;

  IngestOptions options;
  ingest::FieldMap map;
  ingest::Input input;
  LineReader lines;
  std::vector<bool> mapped_seen;
  ingest::CsvRecord record;
  ingest::JsonRow json;
  ingest::RowBuilder builder;
  ingest::IdSet ids;
  bool ids_differ = false;  // known from having read everything once
  std::optional<ingest::CsvColumns> columns;
  RowFormat format = RowFormat::kAuto;
  std::size_t line = 0;  // where the current row begins
  std::size_t rows = 0;
  std::size_t skipped_count = 0;
  std::vector<BadRow> skipped;
  bool done = false;
};

// One line, whatever keys the file holds: a control character must not break the message or the
// terminal.
std::string RowReader::State::at(std::string_view problem) const {
  std::string text = fmt::format("{}:{}: {}", input.name(), line, problem);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }, ' ');
  return text;
}

void RowReader::State::start() {
  const std::string_view head = lines.peek(8);
  refuse_foreign(head, input.name());
  if (head.starts_with(kBom)) lines.skip(kBom.size());
}

// Without a telling extension: rows of JSON begin with a brace; a bracket is JSON too, and refused
// as such.
RowFormat RowReader::State::sniff() {
  const std::string_view head = lines.peek(4096);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  const bool json_like =
      first == std::string_view::npos || head[first] == '{' || head[first] == '[';
  if (json_like) return RowFormat::kJsonl;
  const std::string_view header = head.substr(0, head.find('\n'));
  const bool tabs =
      header.find('\t') != std::string_view::npos && header.find(',') == std::string_view::npos;
  return tabs ? RowFormat::kTsv : RowFormat::kCsv;
}

// The next CSV record that is not a blank line; false at the end. Bytes are checked before they are
// split.
bool RowReader::State::read_record() {
  std::string_view text;
  record.clear();
  bool open = false;
  for (;;) {
    const auto got = lines.next(text);
    if (!open) line = lines.number();
    if (got == LineReader::Got::kEnd) {
      if (open) throw RowProblem("a quoted field that begins in this row is never closed");
      return false;
    }
    if (!open && got == LineReader::Got::kLine && blank(text) &&
        text.find('\t') == std::string_view::npos)
      continue;
    if (got == LineReader::Got::kTooLong || record.bytes() + text.size() > options.max_row_bytes) {
      throw RowProblem(fmt::format("the row is longer than {} MB (is a closing quote missing?)",
                                   options.max_row_bytes >> 20));
    }
    refuse_nul(text);
    if (const auto bad = find_bad_utf8(text)) {
      throw RowProblem(
          fmt::format("not UTF-8: bad byte at column {} of line {} (save the file as UTF-8)",
                      *bad + 1, lines.number()));
    }
    open = !record.feed(text);
    if (!open) return true;
  }
}

// Wrong columns are wrong for every row, so they stop the run also when bad rows are skipped.
void RowReader::State::read_header() {
  try {
    if (!read_record()) throw ConfigError(fmt::format("{}: the file holds no rows", input.name()));
    columns.emplace(record, map);
  } catch (const RowProblem& problem) {
    throw ConfigError(at(problem.what()));
  }
}

bool RowReader::State::step_csv(Row& row) {
  if (!columns) read_header();
  if (!read_record()) return false;
  builder.clear();
  columns->read(record, json, builder);
  row = checked();
  return true;
}

bool RowReader::State::step_json(Row& row) {
  std::string_view text;
  for (;;) {
    const auto got = lines.next(text);
    line = lines.number();
    if (got == LineReader::Got::kEnd) return false;
    if (got == LineReader::Got::kTooLong) {
      throw RowProblem(fmt::format("the row is longer than {} MB", options.max_row_bytes >> 20));
    }
    if (!blank(text)) break;
  }
  refuse_nul(text);
  builder.clear();
  json.read(text, map, builder, mapped_seen);
  row = checked();
  return true;
}

bool RowReader::State::step(Row& row) {
  return format == RowFormat::kJsonl ? step_json(row) : step_csv(row);
}

Row RowReader::State::checked() {
  Row row = builder.finish(line, map.is_mapped(ingest::Slot::kOutput));
  if (ids_differ) return row;
  if (const std::size_t first = ids.insert(row.sample.id, line)) {
    throw RowProblem(fmt::format("id \"{}\" is already that of line {}; ids must differ",
                                 ellipsize(row.sample.id, 60), first));
  }
  return row;
}

void RowReader::State::end_of_file() {
  done = true;
  if (rows == 0 && skipped_count > 0) {
    throw ConfigError(fmt::format("{}: none of its {} rows can be used; the first: {}",
                                  input.name(), skipped_count, skipped.front().problem));
  }
  if (rows == 0) throw ConfigError(fmt::format("{}: the file holds no rows", input.name()));
  if (format != RowFormat::kJsonl) return;  // the header has settled it
  for (std::size_t i = 0; i < mapped_seen.size(); ++i) {
    if (mapped_seen[i]) continue;
    throw ConfigError(fmt::format("{}: --map names the key \"{}\", but no row has it", input.name(),
                                  map.mapped()[i].key));
  }
}

RowReader::RowReader(IngestOptions options) : state_(std::make_unique<State>(std::move(options))) {}
RowReader::~RowReader() = default;
RowReader::RowReader(RowReader&&) noexcept = default;
RowReader& RowReader::operator=(RowReader&&) noexcept = default;

std::optional<Row> RowReader::next() {
  State& s = *state_;
  Row row;
  while (!s.done) {
    if (s.options.limit > 0 && s.rows == s.options.limit) {
      s.done = true;
      break;
    }
    try {
      if (s.step(row)) return ++s.rows, row;
      s.end_of_file();
    } catch (const RowProblem& problem) {
      if (!s.options.skip_bad) throw ConfigError(s.at(problem.what()));
      if (++s.skipped_count <= kListed) s.skipped.push_back({s.line, s.at(problem.what())});
    }
  }
  return std::nullopt;
}

void RowReader::rewind() {
  State& s = *state_;
  s.lines.rewind();
  s.start();
  s.columns.reset();
  s.ids_differ = s.done && s.skipped_count == 0;
  s.ids.clear();
  s.mapped_seen.assign(s.mapped_seen.size(), false);
  s.rows = s.skipped_count = 0;
  s.skipped.clear();
  s.done = false;
}

std::size_t RowReader::rows() const { return state_->rows; }
std::size_t RowReader::skipped_count() const { return state_->skipped_count; }
const std::vector<BadRow>& RowReader::skipped() const { return state_->skipped; }
const std::string& RowReader::name() const { return state_->input.name(); }

RowCheck check_rows(RowReader& reader) {
  while (reader.next()) {
  }
  RowCheck check{reader.rows(), reader.skipped_count(), reader.skipped()};
  reader.rewind();
  return check;
}

}  // namespace assay
