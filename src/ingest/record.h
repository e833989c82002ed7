#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/sample.h"

namespace assay::ingest {

// One line of a file of scores or ratings, flattened: nested keys are joined by '.', so that a JSON
// object
// {"human": {"fluency": 4}} and a CSV column `human.fluency` read the same.
struct Record {
  struct Value {
    enum class Kind { kNull, kNumber, kText, kNumbers, kTexts };
    Kind kind = Kind::kNull;
    double number = 0;
    std::string text;
    std::vector<double> numbers;
    std::vector<std::string> texts;
  };
  Named<Value> values;
  Named<double> verdicts;  // leaves of `evidence` by path, where asked for
  std::size_t line = 0;
  bool csv = false;  // every value is a text

  // The text of a key; a number in its shortest form; nothing where absent, null, or a list.
  std::optional<std::string> text(std::string_view key) const;
};

struct RecordOptions {
  bool verdicts = false;  // read the leaves of `evidence`
};

// Calls `each` for every record of a JSON Lines or CSV/TSV file, in order; "-" is standard input.
// Texts that no statistic needs (source, output, references, ...) are not kept. ConfigError, with
// file, line and remedy, on what cannot be read; a file that was cut off in the middle is said to
// be.
void each_record(const std::string& path, const RecordOptions& options,
                 const std::function<void(const Record&)>& each);

// A number written out in full, nothing else around it: what a CSV cell must be to count as a
// score.
std::optional<double> whole_number(std::string_view text);

}  // namespace assay::ingest
