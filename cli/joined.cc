// Scores beside ratings. Every way in which two files can fail to match is counted and said: ids on
// one side only, dimensions without ratings, the same key in two files, exclusions that name no
// field.
#include "joined.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "assay/error.h"

namespace assay::cli {
namespace {

// Numbers for names, from 0 in order of appearance.
class Numbering {
 public:
  int of(const std::string& name) {
    return index_.emplace(name, static_cast<int>(index_.size())).first->second;
  }

 private:
  std::unordered_map<std::string, int> index_;
};

bool wanted(const std::vector<std::string>& list, const std::string& name) {
  return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

class Joiner {
 public:
  Joiner(const std::vector<ScoreFile>& files, const RatingFile& ratings, const JoinOptions& options)
      : files_(files),
        ratings_(ratings),
        options_(options),
        excluded_(ratings.excluded.ids.begin(), ratings.excluded.ids.end()) {
    for (std::size_t i = 0; i < ratings.rows.size(); ++i) rating_of_.emplace(ratings.rows[i].id, i);
    for (const RatingRow& row : ratings.rows) {
      for (const auto& [dimension, rating] : row.human) {
        if (std::find(rated_.begin(), rated_.end(), dimension) == rated_.end())
          rated_.push_back(dimension);
      }
    }
  }

  Joined run() {
    for (std::size_t f = 0; f < files_.size(); ++f) {
      for (const ScoreRow& row : files_[f].rows) add(static_cast<int>(f), row);
    }
    check_any();
    count_missing();
    remark_unmatched();
    remark_unrated();
    return std::move(joined_);
  }

 private:
  void add(int file, const ScoreRow& row) {
    if (!wanted(options_.methods, row.method) || !wanted(options_.judges, row.judge)) return;
    if (excluded_.contains(row.id)) return;
    ++rows_;
    const auto rating = rating_of_.find(row.id);
    if (rating == rating_of_.end()) {
      if (strangers_.emplace(row.id).second && strangers_.size() == 1) first_stranger_ = row.id;
      return;
    }
    ++matched_;
    if (row.dimension != "*") {
      add_to(file, row, row.dimension, rating->second);
    } else {
      for (const std::string& dimension : rated_) add_to(file, row, dimension, rating->second);
    }
  }

  void add_to(int file, const ScoreRow& row, const std::string& dimension, std::size_t rating) {
    if (!wanted(options_.dimensions, dimension)) return;
    if (std::find(rated_.begin(), rated_.end(), dimension) == rated_.end()) {
      unrated_.insert(dimension);
      return;
    }
    const double* human = find(ratings_.rows[rating].human, dimension);
    if (human == nullptr) return;  // this row was not rated in this dimension
    Column& column = column_of(file, row, dimension);
    check_repeat(file, row, dimension, rating);
    const RatingRow& rated = ratings_.rows[rating];
    Point point;
    point.human = *human;
    point.group = groups_.of(rated.group.empty() ? row.group : rated.group);
    point.system = systems_.of(rated.system.empty() ? row.system : rated.system);
    if (row.score) {
      point.score = *row.score;
      column.points.push_back(point);
      column.row.push_back(static_cast<int>(rating));
    } else {
      column.unscored.push_back(point);
    }
  }

  Column& column_of(int file, const ScoreRow& row, const std::string& dimension) {
    const int shown = options_.repeats ? file : 0;
    const std::string key =
        fmt::format("{}\x1f{}\x1f{}\x1f{}", row.method, row.judge, dimension, shown);
    const auto [place, fresh] = column_index_.emplace(key, joined_.columns.size());
    if (fresh) {
      Column column;
      column.method = row.method;
      column.judge = row.judge;
      column.dimension = dimension;
      column.file = shown;
      joined_.columns.push_back(column);
      seen_.emplace_back();
    }
    return joined_.columns[current_ = place->second];
  }

  // The same key in two files would count a text twice.
  void check_repeat(int file, const ScoreRow& row, const std::string& dimension,
                    std::size_t rating) {
    const auto [earlier, fresh] = seen_[current_].emplace(rating, std::make_pair(file, row.line));
    if (fresh) return;
    throw ConfigError(
        fmt::format("{}:{}: id `{}`, dimension `{}`, method `{}`, judge `{}` was already scored in "
                    "{}:{}; give one of the files, or "
                    "--repeats where they are repeats of one evaluation",
                    files_[file].name, row.line, row.id, dimension, row.method, row.judge,
                    files_[earlier->second.first].name, earlier->second.second));
  }

  void check_any() const {
    if (!joined_.columns.empty()) return;
    if (rows_ == 0)
      throw ConfigError("no row is left to look at: --method, --judge or --exclude leave none");
    if (matched_ == 0) {
      throw ConfigError(fmt::format("no id of {} is in {}: the first is `{}` there and `{}` here",
                                    files_[0].name, ratings_.name, first_stranger_,
                                    ratings_.rows.empty() ? "" : ratings_.rows[0].id));
    }
    std::string rated;
    for (const std::string& dimension : rated_) rated += (rated.empty() ? "" : ", ") + dimension;
    throw ConfigError(
        fmt::format("no dimension of the results has ratings: {} rates {}", ratings_.name, rated));
  }

  void count_missing() {
    for (std::size_t c = 0; c < joined_.columns.size(); ++c) {
      Column& column = joined_.columns[c];
      for (std::size_t i = 0; i < ratings_.rows.size(); ++i) {
        if (find(ratings_.rows[i].human, column.dimension) == nullptr || seen_[c].contains(i))
          continue;
        if (column.missing++ == 0) column.first_missing = ratings_.rows[i].id;
      }
      if (column.missing > 0) {
        joined_.remarks.push_back(
            fmt::format("{}, {}: {} of {} rated rows have no result (the first: `{}`)",
                        title(column.method, column.judge), column.dimension, column.missing,
                        column.missing + seen_[c].size(), column.first_missing));
      }
    }
  }

  void remark_unmatched() {
    if (strangers_.empty()) return;
    joined_.remarks.push_back(fmt::format("{} ids of the results are not in {} (the first: `{}`)",
                                          strangers_.size(), ratings_.name, first_stranger_));
  }

  void remark_unrated() {
    for (const std::string& dimension : unrated_) {
      joined_.remarks.push_back(
          fmt::format("dimension `{}` has no ratings in {}: left out", dimension, ratings_.name));
    }
  }

  const std::vector<ScoreFile>& files_;
  const RatingFile& ratings_;
  const JoinOptions& options_;
  std::unordered_set<std::string> excluded_;
  std::unordered_map<std::string, std::size_t> rating_of_;
  std::vector<std::string> rated_;
  Joined joined_;
  std::unordered_map<std::string, std::size_t> column_index_;
  std::vector<std::map<std::size_t, std::pair<int, std::size_t>>>
      seen_;  // per column: rating -> file, line
  std::size_t current_ = 0;
  std::set<std::string> strangers_;
  std::string first_stranger_;
  std::set<std::string> unrated_;
  std::size_t rows_ = 0;
  std::size_t matched_ = 0;
  Numbering groups_;
  Numbering systems_;
};

}  // namespace

std::string title(const std::string& method, const std::string& judge) {
  if (method.empty() && judge.empty()) return "scores";
  if (judge.empty()) return method;
  return method.empty() ? judge : fmt::format("{} ({})", method, judge);
}

Joined join(const std::vector<ScoreFile>& files, const RatingFile& ratings,
            const JoinOptions& options) {
  return Joiner(files, ratings, options).run();
}

void spread_over_dimensions(std::vector<ScoreFile>& files, const RatingFile& ratings) {
  std::vector<std::string> rated;
  for (const RatingRow& row : ratings.rows) {
    for (const auto& [dimension, rating] : row.human) {
      if (std::find(rated.begin(), rated.end(), dimension) == rated.end())
        rated.push_back(dimension);
    }
  }
  for (ScoreFile& file : files) {
    std::vector<ScoreRow> rows;
    for (const ScoreRow& row : file.rows) {
      if (row.dimension != "*") rows.push_back(row);
      for (std::size_t i = 0; row.dimension == "*" && i < rated.size(); ++i) {
        rows.push_back(row);
        rows.back().dimension = rated[i];
      }
    }
    file.rows = std::move(rows);
  }
}

std::vector<std::string> exclusion_remarks(const std::vector<Exclusion>& exclusions,
                                           const std::vector<const Excluded*>& excluded) {
  std::vector<std::string> remarks;
  for (std::size_t i = 0; i < exclusions.size(); ++i) {
    std::size_t rows = 0;
    bool seen = false;
    for (const Excluded* one : excluded)
      rows = std::max(rows, one->rows[i]), seen = seen || one->seen[i];
    if (!seen) {
      throw ConfigError(fmt::format("--exclude {}={}: no row has a field `{}`", exclusions[i].field,
                                    exclusions[i].value, exclusions[i].field));
    }
    remarks.push_back(
        fmt::format("{} rows left out: {}={}", rows, exclusions[i].field, exclusions[i].value));
  }
  return remarks;
}

}  // namespace assay::cli
