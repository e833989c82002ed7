// Who is compared with whom by `assay agree`.
#include "rater_sets.h"

#include <fmt/core.h>

#include <algorithm>

#include "assay/error.h"
#include "output_options.h"
#include "stats/correlation.h"

namespace assay::cli {
namespace {

// Mean Spearman correlation with people over the dimensions; nothing where it has none.
std::optional<double> with_people(const Rater& rater, const Rater& humans,
                                  const std::vector<std::string>& dimensions) {
  std::vector<double> values;
  for (const std::string& dimension : dimensions) {
    std::vector<double> x;
    std::vector<double> y;
    for (auto row = rater.rows.lower_bound({dimension, ""});
         row != rater.rows.end() && row->first.first == dimension; ++row) {
      const auto rated = humans.rows.find(row->first);
      if (rated == humans.rows.end() || !row->second.score) continue;
      x.push_back(*row->second.score);
      y.push_back(*rated->second.score);
    }
    const std::optional<double> rho = correlate(x, y).spearman;
    if (rho) values.push_back(*rho);
  }
  if (values.empty()) return std::nullopt;
  return mean_of(values);
}

}  // namespace

std::vector<RaterSet> partitions(const std::vector<Rater>& raters, const Rater* humans,
                                 const std::string& by) {
  std::vector<std::string> methods;
  for (const Rater& rater : raters) {
    if (std::find(methods.begin(), methods.end(), rater.method) == methods.end())
      methods.push_back(rater.method);
  }
  std::vector<RaterSet> sets;
  for (const std::string& method : methods) {
    RaterSet set{method, "all", {}};
    for (const Rater& rater : raters) {
      if (rater.method == method) set.raters.push_back(&rater);
    }
    sets.push_back(set);
  }
  const std::size_t needed = humans == nullptr ? 2 : 1;
  const bool each = std::all_of(sets.begin(), sets.end(),
                                [&](const RaterSet& s) { return s.raters.size() >= needed; });
  if (by == "all" || (by.empty() && !each)) {
    RaterSet all{"all", "all", {}};
    for (const Rater& rater : raters) all.raters.push_back(&rater);
    sets = {all};
  }
  for (RaterSet& set : sets) {
    if (humans != nullptr) set.raters.push_back(humans);
  }
  return sets;
}

void add_named_groups(std::vector<RaterSet>& sets, const std::vector<std::string>& groups) {
  const std::vector<RaterSet> whole = sets;
  for (const std::string& text : groups) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos || at == 0) {
      throw ConfigError(fmt::format("--group {}: expected NAME=JUDGE,JUDGE", text));
    }
    const std::vector<std::string> judges = split_list(text.substr(at + 1));
    for (const RaterSet& set : whole) {
      RaterSet group{set.compared, text.substr(0, at), {}};
      for (const Rater* rater : set.raters) {
        if (std::find(judges.begin(), judges.end(), rater->judge) != judges.end())
          group.raters.push_back(rater);
      }
      if (group.raters.size() < 2) {
        throw ConfigError(
            fmt::format("--group {}: {} of these judges are in the results of {}; two are needed",
                        text, group.raters.size(), set.compared));
      }
      sets.push_back(group);
    }
  }
}

void add_top(std::vector<RaterSet>& sets, int top, const Rater* humans,
             const std::vector<std::string>& dimensions) {
  if (top == 0) return;
  if (humans == nullptr)
    throw ConfigError("--top: the best judges are those that agree most with people: give --human");
  const std::vector<RaterSet> whole = sets;
  for (const RaterSet& set : whole) {
    if (set.group != "all") continue;
    std::vector<std::pair<double, const Rater*>> ranked;
    for (const Rater* rater : set.raters) {
      if (rater == humans) continue;
      if (const auto rho = with_people(*rater, *humans, dimensions))
        ranked.emplace_back(-*rho, rater);
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    RaterSet best{set.compared, fmt::format("top-{}", top), {}};
    for (std::size_t i = 0; i < ranked.size() && i < static_cast<std::size_t>(top); ++i) {
      best.raters.push_back(ranked[i].second);
    }
    if (best.raters.size() >= 2) sets.push_back(best);
  }
}

void check_sets(const std::vector<RaterSet>& sets) {
  for (const RaterSet& set : sets) {
    if (set.raters.size() >= 2) continue;
    throw ConfigError(
        fmt::format("agreement needs two raters, {} has {}: {}; give another file, or --human",
                    set.compared.empty() ? "the file" : set.compared, set.raters.size(),
                    set.raters.empty() ? "none" : set.raters[0]->name));
  }
}

}  // namespace assay::cli
