#pragma once

#include <optional>
#include <string>

#include "joined.h"
#include "meta_report.h"

namespace assay::cli {

struct MetaSettings {
  MetaOptions options;
  std::optional<double> split;  // ratings from here on are "high"
  bool tests = false;
  int permutations = 1000;
  bool ceiling = false;
  std::string raters;  // which raw ratings the ceiling is of
};

MetaReport compute_meta(Joined joined, const RatingFile& ratings, const MetaSettings& settings);

}  // namespace assay::cli
