#pragma once

#include <string>
#include <vector>

#include "raters.h"

namespace assay::cli {

// Raters that are compared with each other.
struct RaterSet {
  std::string compared;  // the method, or "all"
  std::string group;     // "all", a named group of judges, "top-3"
  std::vector<const Rater*> raters;
};

// --by method where every method has raters to compare, else all together; `humans` (may be null)
// joins every set.
std::vector<RaterSet> partitions(const std::vector<Rater>& raters, const Rater* humans,
                                 const std::string& by);

// Adds the groups NAME=JUDGE,JUDGE. ConfigError where a group has fewer than two judges.
void add_named_groups(std::vector<RaterSet>& sets, const std::vector<std::string>& groups);

// Adds the `top` raters that agree most with people (mean Spearman over the dimensions); 0 adds
// nothing.
void add_top(std::vector<RaterSet>& sets, int top, const Rater* humans,
             const std::vector<std::string>& dimensions);

// ConfigError where a set has fewer than two raters.
void check_sets(const std::vector<RaterSet>& sets);

}  // namespace assay::cli
