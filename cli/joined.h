#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ingest/scores.h"
#include "stats/levels.h"

namespace assay::cli {

// One (method, judge, dimension): its scores beside the ratings of the same texts.
struct Column {
  std::string method;
  std::string judge;
  std::string dimension;
  int file = 0;                 // which results file, where files are repeats
  std::vector<Point> points;    // scored and rated
  std::vector<int> row;         // the rating row of every point
  std::vector<Point> unscored;  // rated, but without a score (Point::score means nothing)
  int missing = 0;              // rated rows the results do not speak of
  std::string first_missing;
};

struct Joined {
  std::vector<Column> columns;  // in the order in which methods, judges and dimensions first appear
  std::vector<std::string> remarks;
};

struct JoinOptions {
  bool repeats = false;              // files that hold the same keys are repeats of one evaluation
  std::vector<std::string> methods;  // keep only these; empty: all
  std::vector<std::string> judges;
  std::vector<std::string> dimensions;
};

// Matches scores to ratings by id. ConfigError where nothing matches, or two files score the same
// thing.
Joined join(const std::vector<ScoreFile>& files, const RatingFile& ratings,
            const JoinOptions& options);

// Scores of a text as a whole (dimension "*") become one score per rated dimension.
void spread_over_dimensions(std::vector<ScoreFile>& files, const RatingFile& ratings);

// The key (method, judge) as people read it: "seal (builtin)".
std::string title(const std::string& method, const std::string& judge);

// What the exclusions left out, as remarks; ConfigError on a field no row has.
std::vector<std::string> exclusion_remarks(const std::vector<Exclusion>& exclusions,
                                           const std::vector<const Excluded*>& excluded);

}  // namespace assay::cli
