#include "raters.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "assay/error.h"
#include "joined.h"
#include "stats/correlation.h"

namespace assay::cli {
namespace {

using Key = std::pair<std::string, std::string>;

bool overlap(const Rater& rater, const std::map<Key, ScoreRow>& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const auto& row) { return rater.rows.contains(row.first); });
}

void add_file(std::vector<Rater>& raters, const ScoreFile& file) {
  std::vector<std::pair<std::string, std::string>> order;
  std::map<std::pair<std::string, std::string>, std::map<Key, ScoreRow>> by_rater;
  for (const ScoreRow& row : file.rows) {
    auto& rows = by_rater[{row.method, row.judge}];
    if (rows.empty()) order.emplace_back(row.method, row.judge);
    rows.emplace(Key(row.dimension, row.id), row);
  }
  for (const auto& [method, judge] : order) {
    const auto& rows = by_rater[{method, judge}];
    int repeat = 0;
    Rater* place = nullptr;
    for (Rater& rater : raters) {
      if (rater.method != method || rater.judge != judge) continue;
      repeat = rater.repeat + 1;
      if (place == nullptr && !overlap(rater, rows)) place = &rater;
    }
    if (place == nullptr) {
      raters.push_back({"", method, judge, repeat, {}});
      place = &raters.back();
    }
    place->rows.insert(rows.begin(), rows.end());
  }
}

std::pair<double, double> need_scale(const Rater& rater, const ScoreRow& row,
                                     const UnitOptions& options) {
  const std::optional<std::pair<double, double>> scale = row.scale ? row.scale : options.scale;
  if (!scale || scale->second <= scale->first) {
    throw ConfigError(
        fmt::format("{}: its rows declare no scale; say it with --scale LOW,HIGH", rater.name));
  }
  return *scale;
}

std::optional<double> value_of(const Rater& rater, const ScoreRow& row,
                               const UnitOptions& options) {
  if (!row.score) return std::nullopt;
  double value = *row.score;
  if (options.scheme == Scheme::kAsGiven && !options.rescale) return value;
  const auto [lo, hi] = need_scale(rater, row, options);
  if (options.rescale) value = (value - lo) / (hi - lo);
  const bool binary_scale =
      lo == 0 && hi == 1;  // CheckEval converts only scales that are not binary already
  if (options.scheme == Scheme::kAsGiven || binary_scale) return value;
  const double middle = options.rescale ? 0.5 : lo + (hi - lo) / 2;
  if (tied(value, middle)) return options.scheme == Scheme::kMiddleHigh ? 1 : 0;
  return value > middle ? 1 : 0;
}

std::set<std::string> ids_of(const std::vector<const Rater*>& raters,
                             const std::string& dimension) {
  std::set<std::string> ids;
  for (const Rater* rater : raters) {
    for (auto row = rater->rows.lower_bound({dimension, ""});
         row != rater->rows.end() && row->first.first == dimension; ++row) {
      ids.insert(row->first.second);
    }
  }
  return ids;
}

// The verdicts of one text, a unit each; false where two raters judged different units.
bool add_verdicts(const std::vector<const ScoreRow*>& rows, std::vector<Unit>& units) {
  std::vector<std::string> labels;
  for (const ScoreRow* row : rows) {
    if (row == nullptr || row->verdicts.empty()) continue;
    std::vector<std::string> own;
    for (const auto& [label, value] : row->verdicts) own.push_back(label);
    if (labels.empty()) labels = own;
    if (labels != own) return false;
  }
  for (std::size_t k = 0; k < labels.size(); ++k) {
    Unit unit;
    for (const ScoreRow* row : rows) {
      unit.push_back(row == nullptr || row->verdicts.empty()
                         ? std::nullopt
                         : std::optional<double>(row->verdicts[k].second >= 0.5 ? 1 : 0));
    }
    units.push_back(unit);
  }
  return true;
}

}  // namespace

const char* scheme_name(Scheme scheme) {
  constexpr const char* kNames[] = {"as given", "middle=0", "middle=1"};
  return kNames[static_cast<int>(scheme)];
}

std::vector<Rater> raters_of(const std::vector<ScoreFile>& files) {
  std::vector<Rater> raters;
  raters.reserve(64);
  for (const ScoreFile& file : files) add_file(raters, file);
  for (Rater& rater : raters) {
    rater.name = title(rater.method, rater.judge);
    const bool repeated = std::any_of(raters.begin(), raters.end(), [&](const Rater& other) {
      return &other != &rater && other.method == rater.method && other.judge == rater.judge;
    });
    if (repeated) rater.name += fmt::format(" #{}", rater.repeat + 1);
  }
  return raters;
}

Rater people(const RatingFile& ratings, const std::optional<std::pair<double, double>>& scale) {
  Rater rater;
  rater.name = "people";
  rater.judge = "people";
  for (const RatingRow& row : ratings.rows) {
    for (const auto& [dimension, rating] : row.human) {
      ScoreRow score;
      score.id = row.id;
      score.dimension = dimension;
      score.score = rating;
      score.scale = scale;
      rater.rows.emplace(Key(dimension, row.id), score);
    }
  }
  return rater;
}

std::vector<Unit> units_of(const std::vector<const Rater*>& raters, const std::string& dimension,
                           const UnitOptions& options) {
  std::vector<Unit> units;
  std::size_t differing = 0;
  std::string first;
  const std::set<std::string> ids = ids_of(raters, dimension);
  for (const std::string& id : ids) {
    std::vector<const ScoreRow*> rows;
    for (const Rater* rater : raters) {
      const auto found = rater->rows.find({dimension, id});
      rows.push_back(found == rater->rows.end() ? nullptr : &found->second);
    }
    if (options.verdicts) {
      if (!add_verdicts(rows, units) && differing++ == 0) first = id;
      continue;
    }
    Unit unit;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      unit.push_back(rows[r] == nullptr ? std::nullopt : value_of(*raters[r], *rows[r], options));
    }
    units.push_back(unit);
  }
  if (differing > 0) {
    throw ConfigError(
        fmt::format("--on verdicts: the units of {} of {} rows differ between raters in {} (the "
                    "first: `{}`); verdicts can be "
                    "compared only on the same units: use --on scores",
                    differing, ids.size(), dimension, first));
  }
  return units;
}

std::vector<std::string> dimensions_of(const std::vector<ScoreFile>& files) {
  std::vector<std::string> dimensions;
  for (const ScoreFile& file : files) {
    for (const ScoreRow& row : file.rows) {
      if (std::find(dimensions.begin(), dimensions.end(), row.dimension) == dimensions.end()) {
        dimensions.push_back(row.dimension);
      }
    }
  }
  return dimensions;
}

}  // namespace assay::cli
