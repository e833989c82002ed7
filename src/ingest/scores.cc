// Files of scores, in the three shapes people have them: one row per (id, dimension) with `score`;
// one row per id with a map `scores`; one row per id with a column per metric (`--score NAME`). A
// file of verbatim replies is a fourth, once a parser is named. Tested in
// tests/meta/scores_test.cc.
#include "ingest/scores.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <unordered_map>

#include "assay/error.h"
#include "ingest/exclusion.h"
#include "ingest/record.h"

namespace assay {
namespace {

using ingest::Record;
using Kind = Record::Value::Kind;

class Reader {
 public:
  Reader(ScoreFile& file, const ScoreOptions& options) : file_(file), options_(options) {}

  void add(const Record& record) {
    if (ingest::exclude(record, options_.exclude, file_.excluded)) return;
    ScoreRow row;
    row.id = need_id(record);
    row.group = record.text("group").value_or("");
    row.system = record.text("system").value_or("");
    row.dimension = record.text("dimension").value_or("*");
    if (row.dimension.empty()) row.dimension = "*";
    row.method = record.text("method").value_or("");
    row.judge = record.text("judge").value_or("");
    row.verdicts = record.verdicts;
    const Record::Value* scale = find(record.values, "scale");
    if (scale != nullptr && scale->numbers.size() == 2) {
      row.scale = std::make_pair(scale->numbers[0], scale->numbers[1]);
    }
    row.line = record.line;
    add_scores(record, row);
  }

 private:
  std::string where(const Record& record) const {
    return fmt::format("{}:{}", file_.name, record.line);
  }

  std::string need_id(const Record& record) const {
    const std::optional<std::string> id = record.text("id");
    if (!id || id->empty()) {
      throw ConfigError(fmt::format(
          "{}: field `id` is missing; scores are matched to ratings by id", where(record)));
    }
    return *id;
  }

  void add_scores(const Record& record, const ScoreRow& row) {
    if (!options_.fields.empty()) {
      for (const std::string& field : options_.fields) add_field(record, row, field);
    } else if (add_replies(record, row)) {
      return;  // a file of replies may carry a score of its own: whoever names a parser wants the
               // replies read
    } else if (const Record::Value* score = find(record.values, "score")) {
      add_one(record, row, "score", *score);
    } else if (!add_map(record, row)) {
      throw ConfigError(no_score(record));
    }
  }

  void add_field(const Record& record, ScoreRow row, const std::string& field) {
    const Record::Value* value = find(record.values, field);
    if (value == nullptr) {
      throw ConfigError(fmt::format("{}: field `{}` is missing; --score names it; {}",
                                    where(record), field, numbers_in(record)));
    }
    row.method = field;
    add_one(record, row, field, *value);
  }

  bool add_map(const Record& record, const ScoreRow& row) {
    bool any = false;
    for (const auto& [key, value] : record.values) {
      if (!key.starts_with("scores.")) continue;
      ScoreRow one = row;
      one.dimension = key.substr(7);
      add_one(record, one, key, value);
      any = true;
    }
    return any;
  }

  bool add_replies(const Record& record, ScoreRow row) {
    if (!options_.parse_replies) return false;
    std::vector<std::string> replies;
    if (const Record::Value* many = find(record.values, "responses")) {
      if (many->kind != Kind::kTexts && !(many->kind == Kind::kNumbers && many->numbers.empty())) {
        throw ConfigError(
            fmt::format("{}: field `responses` is not a list of texts", where(record)));
      }
      replies = many->texts;
    } else if (const auto one = record.text("response")) {
      replies.push_back(*one);
    } else {
      return false;
    }
    row.score = options_.parse_replies(replies);
    push(row);
    return true;
  }

  void add_one(const Record& record, ScoreRow row, const std::string& field,
               const Record::Value& value) {
    switch (value.kind) {
      case Kind::kNull:
        break;
      case Kind::kNumber:
        row.score = value.number;
        break;
      case Kind::kText:
        row.score = ingest::whole_number(value.text);
        if (row.score || (value.text.empty() && record.csv)) break;
        [[fallthrough]];
      default:
        throw ConfigError(
            fmt::format("{}: field `{}` is not a number; a score that is missing is {}",
                        where(record), field, record.csv ? "an empty cell" : "null"));
    }
    check_scale(record, row, field);
    push(row);
  }

  void check_scale(const Record& record, const ScoreRow& row, const std::string& field) const {
    if (!row.score || !row.scale || field != "score") return;
    const auto [lo, hi] = *row.scale;
    const double slack =
        1e-9 * (hi - lo);  // a weighted sum may pass the end of its scale by a rounding
    if (*row.score < lo - slack || *row.score > hi + slack) {
      throw ConfigError(fmt::format(
          "{}: score {} is outside its scale [{}, {}]; mend the row, or the scale it declares",
          where(record), *row.score, lo, hi));
    }
  }

  void push(const ScoreRow& row) {
    const std::string key =
        fmt::format("{}\x1f{}\x1f{}\x1f{}", row.id, row.dimension, row.method, row.judge);
    const auto [earlier, fresh] = lines_.emplace(key, row.line);
    if (!fresh) {
      throw ConfigError(fmt::format(
          "{}:{}: id `{}`, dimension `{}`, method `{}`, judge `{}` was already scored on line {}; "
          "keep one of them, or "
          "put repeats into files of their own",
          file_.name, row.line, row.id, row.dimension, row.method, row.judge, earlier->second));
    }
    file_.rows.push_back(row);
  }

  static std::string numbers_in(const Record& record) {
    std::vector<std::string> names;
    for (const auto& [key, value] : record.values) {
      const bool numeric = value.kind == Kind::kNumber ||
                           (value.kind == Kind::kText && ingest::whole_number(value.text));
      if (numeric && key != "id") names.push_back(key);
    }
    return names.empty() ? "the row has no numbers"
                         : fmt::format("numbers in this row: {}", fmt::join(names, ", "));
  }

  std::string no_score(const Record& record) const {
    if (find(record.values, "responses") != nullptr || find(record.values, "response") != nullptr) {
      return fmt::format(
          "{}: this row holds replies, not a score; say how to read them with --parser",
          where(record));
    }
    return fmt::format("{}: field `score` is missing; name the column with --score ({})",
                       where(record), numbers_in(record));
  }

  ScoreFile& file_;
  const ScoreOptions& options_;
  std::unordered_map<std::string, std::size_t> lines_;
};

}  // namespace

ScoreFile read_scores(const std::string& path, const ScoreOptions& options) {
  ScoreFile file;
  file.name = path == "-" ? "<stdin>" : path;
  file.excluded = ingest::no_exclusions(options.exclude);
  Reader reader(file, options);
  ingest::RecordOptions record_options;
  record_options.verdicts = options.verdicts;
  ingest::each_record(path, record_options, [&](const Record& record) { reader.add(record); });
  return file;
}

}  // namespace assay
