#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

// What counts as a disagreement between two values, for Krippendorff's alpha.
enum class Metric { kNominal, kOrdinal, kInterval, kRatio };
std::optional<Metric> metric_of(std::string_view name);
const char* metric_name(Metric metric);

// The values given to one unit (a text, a verdict) by several raters; nothing where a rater gave
// none. Every unit lists the raters in the same order.
using Unit = std::vector<std::optional<double>>;

// Krippendorff's alpha over the units with at least two values: 1 perfect, 0 chance. Nothing where
// there are no such units or all values are the same: no disagreement was possible, and alpha says
// nothing.
std::optional<double> krippendorff_alpha(std::span<const Unit> units, Metric metric);

// Fleiss' kappa. Nothing where the units that have values do not all have the same number (at least
// two), or where all values are the same.
std::optional<double> fleiss_kappa(std::span<const Unit> units);

// Cohen's kappa of two raters over the units both gave a value; the mean over all pairs for more
// than two raters. Nothing where a pair has no common unit or its chance agreement is 1.
std::optional<double> cohen_kappa(std::span<const Unit> units);

// Share of pairs of values on a unit that are equal, over all units.
std::optional<double> percent_agreement(std::span<const Unit> units);

struct Agreement {
  int units = 0;   // with at least two values
  int values = 0;  // on those
  std::optional<double> alpha;
  std::optional<double> fleiss;  // over the units every rater gave a value
  int complete = 0;              // how many those are
  std::optional<double> cohen;
  std::optional<double> percent;
};
Agreement agreement(std::span<const Unit> units, Metric metric);

}  // namespace assay
