// Files of human ratings: `human` {dimension: rating} per row, with the single ratings in
// `human_raw` where they exist; or one row per (id, dimension) with `rating`, `human` or `score`;
// or columns `fluency/human_rating`.
#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "assay/error.h"
#include "ingest/exclusion.h"
#include "ingest/record.h"
#include "ingest/scores.h"

namespace assay {
namespace {

using ingest::Record;
using Kind = Record::Value::Kind;

constexpr std::string_view kSuffix = "/human_rating";

// The dimension a key rates, or empty. `single` is the dimension of a row that rates one only.
std::string rated_dimension(const std::string& key, const std::string& single, bool has_human) {
  if (key.starts_with("human.")) return key.substr(6);
  if (key.starts_with("human/")) return key.substr(6);
  if (key.ends_with(kSuffix)) return key.substr(0, key.size() - kSuffix.size());
  if (single.empty()) return "";
  if (key == "human" || key == "rating" || (key == "score" && !has_human)) return single;
  return "";
}

class Reader {
 public:
  Reader(RatingFile& file, const RatingOptions& options) : file_(file), options_(options) {}

  void add(const Record& record) {
    if (ingest::exclude(record, options_.exclude, file_.excluded)) return;
    RatingRow& row = row_of(record);
    const std::string single = record.text("dimension").value_or("");
    const bool has_human =
        find(record.values, "human") != nullptr || find(record.values, "rating") != nullptr;
    for (const auto& [key, value] : record.values) {
      const std::string dimension = rated_dimension(key, single, has_human);
      if (!dimension.empty()) add_rating(record, row, dimension, key, value);
      if (key.starts_with("human_raw.") && value.kind == Kind::kNumbers && !value.numbers.empty()) {
        add_raw(row, key.substr(10), value.numbers);
      }
    }
  }

  void finish() const {
    const bool any = std::any_of(file_.rows.begin(), file_.rows.end(),
                                 [](const RatingRow& row) { return !row.human.empty(); });
    if (!any && !file_.rows.empty()) {
      throw ConfigError(fmt::format(
          "{}: no row has ratings; expected `human` {{\"dimension\": number}}", file_.name));
    }
  }

 private:
  std::string where(const Record& record) const {
    return fmt::format("{}:{}", file_.name, record.line);
  }

  // Rows of the long form share an id; rows of the other forms must not.
  RatingRow& row_of(const Record& record) {
    const std::optional<std::string> id = record.text("id");
    if (!id || id->empty()) {
      throw ConfigError(fmt::format(
          "{}: field `id` is missing; ratings are matched to scores by id", where(record)));
    }
    const auto [place, fresh] = index_.emplace(*id, file_.rows.size());
    if (fresh) {
      RatingRow row;
      row.id = *id;
      row.group = record.text("group").value_or("");
      row.system = record.text("system").value_or("");
      row.line = record.line;
      file_.rows.push_back(row);
    } else if (!record.text("dimension")) {
      throw ConfigError(fmt::format("{}: id `{}` was already rated on line {}; keep one of them",
                                    where(record), *id, file_.rows[place->second].line));
    }
    return file_.rows[place->second];
  }

  void add_rating(const Record& record, RatingRow& row, const std::string& dimension,
                  const std::string& key, const Record::Value& value) const {
    if (value.kind == Kind::kNull || (value.kind == Kind::kText && value.text.empty())) return;
    std::optional<double> rating;
    if (value.kind == Kind::kNumber) rating = value.number;
    if (value.kind == Kind::kText) rating = ingest::whole_number(value.text);
    if (!rating) {
      throw ConfigError(
          fmt::format("{}: field `{}` is not a number; leave it out where there is no rating",
                      where(record), key));
    }
    if (options_.scale && (*rating < options_.scale->first || *rating > options_.scale->second)) {
      throw ConfigError(fmt::format("{}: rating {} of `{}` is outside the declared scale [{}, {}]",
                                    where(record), *rating, dimension, options_.scale->first,
                                    options_.scale->second));
    }
    if (find(row.human, dimension) != nullptr) {
      throw ConfigError(
          fmt::format("{}: id `{}` was already rated for `{}` (line {}); keep one of them",
                      where(record), row.id, dimension, row.line));
    }
    row.human.emplace_back(dimension, *rating);
  }

  static void add_raw(RatingRow& row, std::string name, const std::vector<double>& ratings) {
    std::replace(name.begin(), name.end(), '.', '/');
    row.raw.emplace_back(std::move(name), ratings);
  }

  RatingFile& file_;
  const RatingOptions& options_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace

RatingFile read_ratings(const std::string& path, const RatingOptions& options) {
  RatingFile file;
  file.name = path == "-" ? "<stdin>" : path;
  file.excluded = ingest::no_exclusions(options.exclude);
  Reader reader(file, options);
  ingest::each_record(path, {}, [&](const Record& record) { reader.add(record); });
  reader.finish();
  return file;
}

}  // namespace assay
