#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/sample.h"

// Rows in: a streaming reader of JSON Lines, CSV and TSV. docs/formats/rows.md says what a file may
// hold.

namespace assay {

enum class RowFormat { kAuto, kJsonl, kCsv, kTsv };

// "auto", "jsonl", "csv", "tsv"; ConfigError on anything else.
RowFormat parse_row_format(std::string_view name);

struct IngestOptions {
  std::string path = {};                // "-" is standard input
  RowFormat format = RowFormat::kAuto;  // by extension, else by the first byte
  Named<std::string> map = {};          // field -> key; see parse_map
  bool skip_bad = false;                // --on-error skip
  std::size_t limit = 0;                // stop after this many good rows; 0: read all
  // What one row may take in memory. 50 MB rows exist; a missing quote or newline in a huge file
  // must not eat the machine.
  std::size_t max_row_bytes = std::size_t{128} << 20;

  void validate() const;  // ConfigError on a field that is none, or mapped twice
};

// "output=data.text" -> {"output", "data.text"}; ConfigError when it is not FIELD=KEY.
std::pair<std::string, std::string> parse_map(std::string_view text);

struct BadRow {
  std::size_t line = 0;
  std::string problem;  // the whole line to print: "FILE:LINE: ..."
};

// Reads one row at a time; memory does not grow with the number of rows, but for 16 bytes of hash
// per id (and the table's slack) so that an id that comes twice is found. A pipe, standard input
// included, is first copied to an unlinked temporary file, because a run reads its rows twice: once
// to check them before anything is spent, and once to judge them. Thread-compatible.
class RowReader {
 public:
  // Opens, and looks at the first bytes. ConfigError: no such file, a directory, unreadable, empty,
  // UTF-16.
  explicit RowReader(IngestOptions options);
  ~RowReader();
  RowReader(RowReader&&) noexcept;
  RowReader& operator=(RowReader&&) noexcept;

  // The next good row, or nothing at the end. A bad row throws ConfigError ("FILE:LINE: field ...")
  // or, with skip_bad, is recorded and passed over. After a throw the reader may only be rewound or
  // destroyed. A file without a single good row, or a --map key that no row has, throws at the end.
  std::optional<Row> next();

  // Back to the first row; counts start again.
  void rewind();

  std::size_t rows() const;                    // good rows so far
  std::size_t skipped_count() const;           // bad rows so far, all of them
  const std::vector<BadRow>& skipped() const;  // the first 1,000 of them
  const std::string& name() const;             // what errors call the input: the path, or "<stdin>"

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Reads everything once, so that `--on-error stop` can refuse a file before anything is spent, then
// rewinds. Throws as next() does; with skip_bad the list of what will be skipped comes back.
struct RowCheck {
  std::size_t rows = 0;
  std::size_t skipped_count = 0;
  std::vector<BadRow> skipped;
};
RowCheck check_rows(RowReader& reader);

}  // namespace assay
