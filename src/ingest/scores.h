#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/sample.h"

// Scores and ratings in, for meta-evaluation: results files of Assay, and any JSON Lines or CSV
// with an id and a number. docs/formats/meta.md says what a file may hold.

namespace assay {

// One score of one text in one dimension; unscored where `score` is empty.
struct ScoreRow {
  std::string id;
  std::string group;
  std::string system;
  std::string dimension;  // "*": of the text as a whole, set against every rated dimension
  std::string method;
  std::string judge;
  std::optional<double> score;
  std::optional<std::pair<double, double>> scale;  // as the row declares it
  Named<double> verdicts;                          // evidence leaves, where asked for
  std::size_t line = 0;
};

// field=value: rows to leave out.
struct Exclusion {
  std::string field;
  std::string value;
};
// "system=Original Ground Truth"; ConfigError when there is no '='.
Exclusion parse_exclusion(const std::string& text);

// How often each exclusion applied, and whether its field was seen at all. Same order as the
// exclusions.
struct Excluded {
  std::vector<std::size_t> rows;
  std::vector<bool> seen;
  std::vector<std::string> ids;  // ids of the rows left out
};

struct ScoreOptions {
  std::vector<std::string> fields;  // take these fields as scores, each as a method of its own
  std::vector<Exclusion> exclude;
  bool verdicts = false;
  // Verbatim replies of one row into its score; where set, `responses` is read.
  std::function<std::optional<double>(const std::vector<std::string>&)> parse_replies;
};

struct ScoreFile {
  std::string name;
  std::vector<ScoreRow> rows;
  Excluded excluded;
};

// ConfigError on a row that cannot be used, a score outside its declared scale, or a key (id,
// dimension, method, judge) that comes twice: both lines are named.
ScoreFile read_scores(const std::string& path, const ScoreOptions& options);

// What people said of one text.
struct RatingRow {
  std::string id;
  std::string group;
  std::string system;
  Named<double> human;
  Named<std::vector<double>> raw;  // single ratings: "coherence", or "expert/coherence"
  std::size_t line = 0;
};

struct RatingFile {
  std::string name;
  std::vector<RatingRow> rows;  // one per id
  Excluded excluded;
};

struct RatingOptions {
  std::vector<Exclusion> exclude;
  std::optional<std::pair<double, double>> scale;  // a rating outside is refused
};

RatingFile read_ratings(const std::string& path, const RatingOptions& options);

}  // namespace assay
