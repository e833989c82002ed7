#include "pairs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "assay/error.h"
#include "stats/correlation.h"

namespace assay::cli {
namespace {

constexpr const char* kNames[] = {"file", "method", "judge", "system"};

const std::string& value_of(const ScoreRow& row, const ScoreFile& file, By by) {
  switch (by) {
    case By::kMethod:
      return row.method;
    case By::kJudge:
      return row.judge;
    case By::kSystem:
      return row.system;
    default:
      return file.name;
  }
}

// Values of a field in order of appearance.
std::vector<std::string> values_of(const std::vector<ScoreFile>& files, By by) {
  std::vector<std::string> values;
  std::set<std::string> seen;
  for (const ScoreFile& file : files) {
    for (const ScoreRow& row : file.rows) {
      if (seen.insert(value_of(row, file, by)).second) values.push_back(value_of(row, file, by));
    }
  }
  return values;
}

By choose(const std::vector<ScoreFile>& files) {
  if (files.size() > 1) return By::kFile;
  std::vector<By> several;
  for (By by : {By::kMethod, By::kJudge, By::kSystem}) {
    if (values_of(files, by).size() > 1) several.push_back(by);
  }
  if (several.size() == 1) return several[0];
  if (several.empty())
    throw ConfigError(
        fmt::format("{}: one method, judge and system: nothing to compare", files[0].name));
  throw ConfigError(
      fmt::format("{}: holds several methods, judges or systems; say which to compare with --by "
                  "method|judge|system",
                  files[0].name));
}

// What a row is paired by: everything but the side, as far as the files tell rows apart by it.
class Pairing {
 public:
  Pairing(const std::vector<ScoreFile>& files, By by) : by_(by) {
    // A file that holds one method and judge is compared whatever these are called.
    for (const ScoreFile& file : files) {
      std::set<std::pair<std::string, std::string>> kinds;
      for (const ScoreRow& row : file.rows) kinds.emplace(row.method, row.judge);
      several_ = several_ || kinds.size() > 1;
    }
  }
  std::string key(const ScoreRow& row) const {
    const std::string what = by_ == By::kSystem ? row.group : row.id;
    const std::string method = by_ == By::kMethod || !several_ ? "" : row.method;
    const std::string judge = by_ == By::kJudge || !several_ ? "" : row.judge;
    return fmt::format("{}\x1f{}\x1f{}", what, method, judge);
  }

 private:
  By by_;
  bool several_ = false;
};

void add_row(Sides& sides, const ScoreRow& row, const std::string& name, const std::string& key,
             const ScoreFile& file) {
  if (sides.by == By::kSystem && row.group.empty()) {
    throw ConfigError(
        fmt::format("{}:{}: field `group` is missing; systems are paired by the source they share",
                    file.name, row.line));
  }
  auto side = std::find_if(sides.sides.begin(), sides.sides.end(),
                           [&](const Side& s) { return s.name == name; });
  if (side == sides.sides.end()) side = sides.sides.insert(sides.sides.end(), Side{name, {}});
  if (std::find(sides.dimensions.begin(), sides.dimensions.end(), row.dimension) ==
      sides.dimensions.end()) {
    sides.dimensions.push_back(row.dimension);
  }
  Side::Cell cell{row.score, row.id, row.group.empty() ? row.id : row.group};
  if (!side->cells[row.dimension].emplace(key, cell).second) {
    throw ConfigError(
        fmt::format("{}:{}: `{}` has two scores for {} `{}` in `{}`; compare with another --by",
                    file.name, row.line, name, sides.by == By::kSystem ? "group" : "id",
                    sides.by == By::kSystem ? row.group : row.id, row.dimension));
  }
}

void keep_largest(Comparison& comparison, int rows) {
  comparison.largest = comparison.paired;
  std::stable_sort(comparison.largest.begin(), comparison.largest.end(),
                   [](const RowDifference& x, const RowDifference& y) {
                     return std::abs(x.a - x.b) > std::abs(y.a - y.b);
                   });
  if (comparison.largest.size() > static_cast<std::size_t>(rows)) comparison.largest.resize(rows);
  std::erase_if(comparison.largest, [](const RowDifference& row) { return tied(row.a, row.b); });
}

Comparison compare(const Side& a, const Side& b, const std::string& dimension,
                   const CompareOptions& options) {
  Comparison result;
  result.dimension = dimension;
  result.a = a.name;
  result.b = b.name;
  static const std::map<std::string, Side::Cell> kNone;
  const auto of = [&](const Side& side) -> const std::map<std::string, Side::Cell>& {
    const auto found = side.cells.find(dimension);
    return found == side.cells.end() ? kNone : found->second;
  };
  std::vector<double> x;
  std::vector<double> y;
  std::vector<int> group;
  std::map<std::string, int> groups;
  std::size_t shared = 0;
  for (const auto& [key, cell] : of(a)) {
    const auto other = of(b).find(key);
    if (other == of(b).end()) continue;
    ++shared;
    if (!cell.score || !other->second.score) {
      ++result.unscored;
      continue;
    }
    x.push_back(*cell.score);
    y.push_back(*other->second.score);
    group.push_back(groups.emplace(cell.group, static_cast<int>(groups.size())).first->second);
    result.paired.push_back({cell.id, x.back(), y.back()});
    if (tied(x.back(), y.back())) {
      ++result.ties;
    } else {
      ++(x.back() > y.back() ? result.wins : result.losses);
    }
  }
  result.alone = static_cast<int>(of(a).size() + of(b).size() - 2 * shared);
  if (!x.empty()) result.mean_a = mean_of(x), result.mean_b = mean_of(y);
  result.difference = paired_difference(x, y, group, options.bootstrap);
  keep_largest(result, options.rows);
  return result;
}

}  // namespace

std::optional<By> by_of(const std::string& name) {
  for (int i = 0; i < 4; ++i) {
    if (name == kNames[i]) return static_cast<By>(i);
  }
  return std::nullopt;
}

const char* by_name(By by) { return kNames[static_cast<int>(by)]; }

std::string Comparison::verdict(double alpha) const {
  if (!difference.p) return "undecided";
  if (holm_p.value_or(*difference.p) >= alpha) return "tied";
  return difference.mean > 0 ? "a" : "b";
}

Sides sides_of(const std::vector<ScoreFile>& files, const std::optional<By>& by) {
  Sides sides;
  sides.by = by ? *by : choose(files);
  const Pairing pairing(files, sides.by);
  for (const ScoreFile& file : files) {
    for (const ScoreRow& row : file.rows) {
      add_row(sides, row, value_of(row, file, sides.by), pairing.key(row), file);
    }
  }
  if (sides.sides.size() < 2) {
    throw ConfigError(fmt::format("only one {} (`{}`): nothing to compare", by_name(sides.by),
                                  sides.sides[0].name));
  }
  return sides;
}

std::vector<Comparison> compare_all(const Sides& sides, const CompareOptions& options) {
  std::vector<Comparison> all;
  for (const std::string& dimension : sides.dimensions) {
    const std::size_t begin = all.size();
    for (std::size_t i = 0; i < sides.sides.size(); ++i) {
      for (std::size_t j = i + 1; j < sides.sides.size(); ++j) {
        all.push_back(compare(sides.sides[i], sides.sides[j], dimension, options));
      }
    }
    std::vector<double> p;
    std::vector<std::size_t> which;
    for (std::size_t k = begin; k < all.size(); ++k) {
      if (all[k].difference.p) p.push_back(*all[k].difference.p), which.push_back(k);
    }
    const std::vector<double> adjusted = holm(p);
    for (std::size_t k = 0; k < which.size(); ++k) all[which[k]].holm_p = adjusted[k];
  }
  return all;
}

}  // namespace assay::cli
