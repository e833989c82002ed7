#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/scores.h"
#include "stats/difference.h"

namespace assay::cli {

// What `assay compare` sets side by side.
enum class By { kFile, kMethod, kJudge, kSystem };
std::optional<By> by_of(const std::string& name);
const char* by_name(By by);

// One side: a file, method, judge or system, with the scores that can be paired with another's.
struct Side {
  struct Cell {
    std::optional<double> score;
    std::string id;     // of the row
    std::string group;  // what is drawn and flipped together
  };
  std::string name;
  // dimension -> key -> score. The key is what two sides must share: the text, or for systems the
  // group.
  std::map<std::string, std::map<std::string, Cell>> cells;
};

struct Sides {
  By by = By::kFile;
  std::vector<Side> sides;
  std::vector<std::string> dimensions;  // in order of appearance
};

// The sides of the files. Without `by`: the files where there are several, else the one of method,
// judge and system that has more than one value. ConfigError where that is not clear, or there is
// nothing to compare.
Sides sides_of(const std::vector<ScoreFile>& files, const std::optional<By>& by);

struct RowDifference {
  std::string id;
  double a = 0;
  double b = 0;
};

struct Comparison {
  std::string dimension;
  std::string a;
  std::string b;
  std::optional<double> mean_a;
  std::optional<double> mean_b;
  PairedDifference difference;
  std::optional<double> holm_p;
  int wins = 0;  // rows where a is higher
  int ties = 0;
  int losses = 0;
  int unscored = 0;  // paired rows without a score on one side
  int alone = 0;     // rows only one side has
  std::vector<RowDifference> largest;
  std::vector<RowDifference> paired;        // all of them, in key order
  std::string verdict(double alpha) const;  // a | b | tied | undecided
};

struct CompareOptions {
  BootstrapOptions bootstrap;
  int rows = 5;
};

// Every two sides in every dimension; p-values corrected (Holm) over the pairs of a dimension.
std::vector<Comparison> compare_all(const Sides& sides, const CompareOptions& options);

}  // namespace assay::cli
