#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/scores.h"
#include "stats/agreement.h"

namespace assay::cli {

// Somebody who scores texts: a method with a judge, one repeat of it, or people.
struct Rater {
  std::string name;
  std::string method;
  std::string judge;
  int repeat = 0;
  std::map<std::pair<std::string, std::string>, ScoreRow> rows;  // (dimension, id) -> score
};

// The raters of several files. The same method and judge in two files is one rater where the files
// score different things, and two repeats where they score the same.
std::vector<Rater> raters_of(const std::vector<ScoreFile>& files);

// People as a rater: the mean rating of every text.
Rater people(const RatingFile& ratings, const std::optional<std::pair<double, double>>& scale);

enum class Scheme {
  kAsGiven,
  kMiddleLow,
  kMiddleHigh
};  // the middle of a Likert scale counts 0, or 1
const char* scheme_name(Scheme scheme);

struct UnitOptions {
  bool verdicts = false;
  Scheme scheme = Scheme::kAsGiven;
  bool rescale = false;                            // every rater's scores to [0, 1] by its scale
  std::optional<std::pair<double, double>> scale;  // of raters whose rows declare none
};

// What several raters said of the same things in one dimension: texts, or single verdicts.
// ConfigError where verdicts are asked for and the raters did not judge the same units (how many
// rows differ, and the first).
std::vector<Unit> units_of(const std::vector<const Rater*>& raters, const std::string& dimension,
                           const UnitOptions& options);

// Dimensions in order of first appearance.
std::vector<std::string> dimensions_of(const std::vector<ScoreFile>& files);

}  // namespace assay::cli
