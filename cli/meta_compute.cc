// From joined columns to the report: one row each, then what is said of several rows together.
#include "meta_compute.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/error.h"

namespace assay::cli {
namespace {

std::string name_of(const MetaRow& row) {
  return fmt::format("{}, {}{}", title(row.method, row.judge), row.dimension,
                     row.part == "all" ? "" : ", " + row.part + " quality");
}

// Why a correlation has no value, and which groups did not count.
void remark(const MetaRow& row, const LevelOptions& level, std::vector<std::string>& remarks) {
  const Association& a = row.value.association;
  if (!a.value.pearson) {
    const int units = level.level == Level::kSystem ? a.groups : a.n;
    const char* what = level.level == Level::kSystem ? "systems" : "rows";
    std::string why = "the scores or the ratings are constant";
    if (level.level == Level::kGrouped) why = "no group has scores and ratings that both vary";
    if (units < level.min_rows)
      why = fmt::format("{} {}, at least {} are needed", units, what, level.min_rows);
    remarks.push_back(fmt::format("{}: undefined: {}", name_of(row), why));
  }
  if (a.small > 0) {
    remarks.push_back(fmt::format("{}: {} of {} groups have fewer than {} rows and are left out{}",
                                  name_of(row), a.small, a.groups + a.dropped, level.min_rows,
                                  level.min_rows > 2 ? " (--min-rows 2 counts pairs)" : ""));
  }
  if (row.unscored > 0) {
    remarks.push_back(fmt::format("{}: {} rows unscored: left out of the value, shown as bounds",
                                  name_of(row), row.unscored));
  }
}

MetaRow row_of(const Column& column) {
  MetaRow row;
  row.method = column.method;
  row.judge = column.judge;
  row.dimension = column.dimension;
  row.unscored = static_cast<int>(column.unscored.size());
  row.missing = column.missing;
  return row;
}

// The points on one side of the split.
std::vector<Point> side(const std::vector<Point>& points, double split, bool high) {
  std::vector<Point> result;
  for (const Point& point : points) {
    if ((point.human >= split) == high) result.push_back(point);
  }
  return result;
}

void add_rows(const Column& column, const MetaSettings& settings, MetaReport& report) {
  MetaRow row = row_of(column);
  row.value = analyse(column.points, column.unscored, settings.options);
  report.rows.push_back(row);
  if (!settings.split) return;
  for (bool high : {true, false}) {
    MetaRow part = row_of(column);
    part.part = high ? "high" : "low";
    const std::vector<Point> unscored = side(column.unscored, *settings.split, high);
    part.unscored = static_cast<int>(unscored.size());
    part.value = analyse(side(column.points, *settings.split, high), unscored, settings.options);
    report.rows.push_back(part);
  }
}

// Rows of the same method, judge and dimension from several files become one: mean and deviation.
void fold_repeats(MetaReport& report) {
  std::vector<MetaRow> folded;
  std::vector<std::vector<Correlations>> values;
  for (const MetaRow& row : report.rows) {
    const auto same = std::find_if(folded.begin(), folded.end(), [&](const MetaRow& other) {
      return other.method == row.method && other.judge == row.judge &&
             other.dimension == row.dimension && other.part == row.part;
    });
    if (same == folded.end()) {
      folded.push_back(row);
      values.push_back({row.value.association.value});
    } else {
      values[same - folded.begin()].push_back(row.value.association.value);
      same->unscored += row.unscored;
      same->missing += row.missing;
    }
  }
  for (std::size_t i = 0; i < folded.size(); ++i) {
    const Spread over = spread(values[i]);
    folded[i].repeats = over.count;
    if (over.count == 1) continue;
    folded[i].value.association.value = over.mean;
    folded[i].deviation = over.deviation;
    folded[i].value.ci = {};
    folded[i].value.best.reset();
    folded[i].value.worst.reset();
  }
  report.rows = std::move(folded);
}

void add_averages(MetaReport& report) {
  std::vector<std::pair<std::string, std::string>> order;
  std::map<std::pair<std::string, std::string>, std::vector<Correlations>> by_method;
  for (const MetaRow& row : report.rows) {
    if (row.part != "all") continue;
    std::vector<Correlations>& values = by_method[{row.method, row.judge}];
    if (values.empty()) order.emplace_back(row.method, row.judge);
    values.push_back(row.value.association.value);
  }
  for (const auto& key : order) {
    if (by_method[key].size() > 1)
      report.averages.push_back({key.first, key.second, spread(by_method[key])});
  }
}

void add_judges(MetaReport& report) {
  std::vector<std::pair<std::string, std::string>> order;
  std::map<std::pair<std::string, std::string>, std::vector<Correlations>> by_dimension;
  for (const MetaRow& row : report.rows) {
    if (row.part != "all" || row.judge.empty()) continue;
    std::vector<Correlations>& values = by_dimension[{row.method, row.dimension}];
    if (values.empty()) order.emplace_back(row.method, row.dimension);
    values.push_back(row.value.association.value);
  }
  for (const auto& key : order) {
    if (by_dimension[key].size() > 1)
      report.judges.push_back({key.first, key.second, spread(by_dimension[key])});
  }
}

// The rows two columns share, in the order of the first.
std::pair<std::vector<Point>, std::vector<Point>> shared_rows(const Column& a, const Column& b) {
  std::map<int, std::size_t> place;
  for (std::size_t i = 0; i < b.row.size(); ++i) place.emplace(b.row[i], i);
  std::pair<std::vector<Point>, std::vector<Point>> result;
  for (std::size_t i = 0; i < a.row.size(); ++i) {
    const auto found = place.find(a.row[i]);
    if (found == place.end()) continue;
    result.first.push_back(a.points[i]);
    result.second.push_back(b.points[found->second]);
  }
  return result;
}

MetaTest test_pair(const Column& a, const Column& b, const MetaSettings& settings) {
  MetaTest test;
  test.dimension = a.dimension;
  test.a = title(a.method, a.judge);
  test.b = title(b.method, b.judge);
  const auto [pa, pb] = shared_rows(a, b);
  test.n = static_cast<int>(pa.size());
  const Correlations va = associate(pa, settings.options.level).value;
  const Correlations vb = associate(pb, settings.options.level).value;
  for (int s = 0; s < Correlations::kCount; ++s) {
    if (va.at(s) && vb.at(s)) test.difference.at(s) = *va.at(s) - *vb.at(s);
  }
  PermutationOptions options;
  options.permutations = settings.permutations;
  options.seed = settings.options.bootstrap.seed;
  options.threads = settings.options.bootstrap.threads;
  test.permutation_p = permutation_test(pa, pb, settings.options.level, options);
  if (settings.options.level.level == Level::kPooled && va.pearson && vb.pearson) {
    std::vector<double> x;
    std::vector<double> y;
    for (std::size_t i = 0; i < pa.size(); ++i) x.push_back(pa[i].score), y.push_back(pb[i].score);
    const std::optional<double> between = correlate(x, y).pearson;
    if (between) test.williams = williams(*va.pearson, *vb.pearson, *between, test.n);
  }
  return test;
}

void add_tests(const std::vector<Column>& columns, const MetaSettings& settings,
               MetaReport& report) {
  std::map<std::string, std::vector<std::size_t>> by_dimension;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = i + 1; j < columns.size(); ++j) {
      if (columns[i].dimension != columns[j].dimension) continue;
      by_dimension[columns[i].dimension].push_back(report.tests.size());
      report.tests.push_back(test_pair(columns[i], columns[j], settings));
    }
  }
  for (const auto& [dimension, tests] : by_dimension) {
    for (int s = 0; s < Correlations::kCount; ++s) {
      std::vector<double> p;
      std::vector<std::size_t> which;
      for (std::size_t t : tests) {
        if (!report.tests[t].permutation_p.at(s)) continue;
        p.push_back(*report.tests[t].permutation_p.at(s));
        which.push_back(t);
      }
      const std::vector<double> adjusted = holm(p);
      for (std::size_t k = 0; k < which.size(); ++k)
        report.tests[which[k]].holm_p.at(s) = adjusted[k];
    }
  }
}

// Names under which a dimension's single ratings stand, with how often their mean is the row's
// rating.
std::string best_raters(const RatingFile& ratings, const std::string& dimension) {
  std::vector<std::pair<std::string, int>> found;
  for (const RatingRow& row : ratings.rows) {
    for (const auto& [name, values] : row.raw) {
      if (name != dimension && !name.ends_with("/" + dimension)) continue;
      auto place = std::find_if(found.begin(), found.end(),
                                [&](const auto& one) { return one.first == name; });
      if (place == found.end()) place = found.insert(found.end(), {name, 0});
      const double* human = find(row.human, dimension);
      if (human != nullptr && std::abs(mean_of(values) - *human) < 1e-6) ++place->second;
    }
  }
  const auto best = std::max_element(
      found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return best == found.end() ? "" : best->first;
}

void add_ceilings(const std::vector<Column>& columns, const RatingFile& ratings,
                  const MetaSettings& settings, MetaReport& report) {
  std::vector<std::string> done;
  for (const Column& column : columns) {
    if (std::find(done.begin(), done.end(), column.dimension) != done.end()) continue;
    done.push_back(column.dimension);
    const std::string name = settings.raters.empty() ? best_raters(ratings, column.dimension)
                                                     : settings.raters + "/" + column.dimension;
    std::vector<RatedRow> rows;
    std::map<std::string, int> groups;
    std::map<std::string, int> systems;
    for (const RatingRow& row : ratings.rows) {
      const std::vector<double>* values = find(row.raw, name);
      if (values == nullptr) continue;
      rows.push_back({*values,
                      groups.emplace(row.group, static_cast<int>(groups.size())).first->second,
                      systems.emplace(row.system, static_cast<int>(systems.size())).first->second});
    }
    if (rows.empty()) {
      report.remarks.push_back(
          fmt::format("{}: no single ratings (`human_raw`) in {}: no noise ceiling",
                      column.dimension, ratings.name));
      continue;
    }
    const std::string raters =
        name == column.dimension ? "" : name.substr(0, name.size() - column.dimension.size() - 1);
    report.ceilings.push_back(
        {column.dimension, raters, noise_ceiling(rows, settings.options.level)});
  }
}

}  // namespace

MetaReport compute_meta(Joined joined, const RatingFile& ratings, const MetaSettings& settings) {
  MetaReport report;
  report.level = settings.options.level;
  report.bootstrap = settings.options.bootstrap;
  report.remarks = std::move(joined.remarks);
  for (const Column& column : joined.columns) add_rows(column, settings, report);
  fold_repeats(report);
  for (const MetaRow& row : report.rows) remark(row, report.level, report.remarks);
  add_averages(report);
  add_judges(report);
  if (settings.ceiling) add_ceilings(joined.columns, ratings, settings, report);
  if (settings.tests) add_tests(joined.columns, settings, report);
  return report;
}

}  // namespace assay::cli
