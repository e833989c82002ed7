// The tables of `assay meta`: for reading (terminal, Markdown, LaTeX) with three decimals, for
// machines (CSV) with every digit. In CSV only the main table is printed, because a CSV file holds
// one table.
#include <fmt/core.h>

#include <algorithm>

#include "joined.h"
#include "meta_report.h"

namespace assay::cli {
namespace {

constexpr const char* kShort[] = {"Pearson", "Spearman", "Kendall b", "Kendall c"};

bool any(const std::vector<MetaRow>& rows, bool (*test)(const MetaRow&)) {
  return std::any_of(rows.begin(), rows.end(), test);
}

// "0.444 [0.363, 0.517]", "0.444 ± 0.012", "-".
std::string value_cell(const MetaRow& row, int s) {
  const std::string value = fixed(row.value.association.value.at(s));
  if (row.repeats > 1) return fmt::format("{} ± {}", value, fixed(row.deviation.at(s)));
  const std::optional<Interval>& ci = row.value.ci.of[s];
  // tau-c stands beside tau-b only to show the difference: no room for its interval.
  if (!ci || s == 3) return value;
  return fmt::format("{} [{}, {}]", value, fixed(ci->lo), fixed(ci->hi));
}

Table main_table(const MetaReport& report) {
  const bool methods = any(report.rows, [](const MetaRow& r) { return !r.method.empty(); });
  const bool judges = any(report.rows, [](const MetaRow& r) { return !r.judge.empty(); });
  const bool parts = any(report.rows, [](const MetaRow& r) { return r.part != "all"; });
  const bool unscored = any(report.rows, [](const MetaRow& r) { return r.unscored > 0; });
  const bool grouped = report.level.level == Level::kGrouped;
  Table table;
  if (methods) table.column("method", false);
  if (judges) table.column("judge", false);
  table.column("dimension", false);
  if (parts) table.column("quality", false);
  table.column("n", true);
  if (report.level.level != Level::kPooled) table.column(grouped ? "groups" : "systems", true);
  if (grouped) table.column("dropped", true);
  for (const char* name : kShort) table.column(name, true);
  if (unscored) table.column("unscored", true);
  if (unscored) table.column("Spearman worst..best", true);
  for (const MetaRow& row : report.rows) {
    std::vector<std::string> cells;
    if (methods) cells.push_back(row.method);
    if (judges) cells.push_back(row.judge);
    cells.push_back(row.dimension);
    if (parts) cells.push_back(row.part);
    cells.push_back(std::to_string(row.value.association.n));
    if (report.level.level != Level::kPooled)
      cells.push_back(std::to_string(row.value.association.groups));
    if (grouped) cells.push_back(std::to_string(row.value.association.dropped));
    for (int s = 0; s < Correlations::kCount; ++s) cells.push_back(value_cell(row, s));
    if (unscored) cells.push_back(std::to_string(row.unscored));
    if (unscored) {
      cells.push_back(row.value.best ? fmt::format("{} .. {}", fixed(row.value.worst->spearman),
                                                   fixed(row.value.best->spearman))
                                     : "-");
    }
    table.rows.push_back(cells);
  }
  return table;
}

Table csv_table(const MetaReport& report) {
  Table table;
  for (const char* name : {"method", "judge", "dimension", "level", "constant", "part", "n",
                           "groups", "dropped", "unscored", "missing"}) {
    table.column(name, false);
  }
  for (int s = 0; s < Correlations::kCount; ++s) {
    for (const char* suffix : {"", "_lo", "_hi", "_p", "_std"}) {
      table.column(std::string(statistic_name(s)) + suffix, true);
    }
  }
  for (const MetaRow& row : report.rows) {
    const Association& a = row.value.association;
    std::vector<std::string> cells = {row.method,
                                      row.judge,
                                      row.dimension,
                                      level_name(report.level.level),
                                      constant_rule_name(report.level.constant),
                                      row.part};
    for (int count : {a.n, a.groups, a.dropped, row.unscored, row.missing})
      cells.push_back(std::to_string(count));
    for (int s = 0; s < Correlations::kCount; ++s) {
      const std::optional<Interval>& ci = row.value.ci.of[s];
      cells.push_back(exact(a.value.at(s)));
      cells.push_back(ci ? exact(ci->lo) : "");
      cells.push_back(ci ? exact(ci->hi) : "");
      cells.push_back(exact(row.value.p.at(s)));
      cells.push_back(exact(row.deviation.at(s)));
    }
    table.rows.push_back(cells);
  }
  return table;
}

void spread_columns(Table& table) {
  for (const char* name : kShort) table.column(name, true);
}

void spread_cells(std::vector<std::string>& cells, const Spread& over) {
  for (int s = 0; s < Correlations::kCount; ++s) {
    cells.push_back(fmt::format("{} ± {}", fixed(over.mean.at(s)), fixed(over.deviation.at(s))));
  }
}

std::string averages_text(const MetaReport& report, Format format, bool colour) {
  if (report.averages.empty()) return "";
  Table table;
  table.column("method", false);
  table.column("dimensions", true);
  spread_columns(table);
  for (const MetaAverage& average : report.averages) {
    table.rows.push_back(
        {title(average.method, average.judge), std::to_string(average.over.count)});
    for (int s = 0; s < Correlations::kCount; ++s)
      table.rows.back().push_back(fixed(average.over.mean.at(s)));
  }
  return "\nMean over dimensions\n" + render(table, format, colour);
}

std::string judges_text(const MetaReport& report, Format format, bool colour) {
  if (report.judges.empty()) return "";
  Table table;
  table.column("method", false);
  table.column("dimension", false);
  table.column("judges", true);
  spread_columns(table);
  for (const MetaJudges& judges : report.judges) {
    table.rows.push_back({judges.method, judges.dimension, std::to_string(judges.over.count)});
    spread_cells(table.rows.back(), judges.over);
  }
  return "\nSpread over judges (mean ± standard deviation)\n" + render(table, format, colour);
}

std::string ceilings_text(const MetaReport& report, Format format, bool colour) {
  if (report.ceilings.empty()) return "";
  Table table;
  table.column("dimension", false);
  table.column("raters", false);
  table.column("n", true);
  for (const char* name : kShort) table.column(name, true);
  for (const MetaCeiling& ceiling : report.ceilings) {
    table.rows.push_back({ceiling.dimension,
                          fmt::format("{} {}", ceiling.value.raters, ceiling.raters),
                          std::to_string(ceiling.value.n)});
    for (int s = 0; s < Correlations::kCount; ++s) {
      table.rows.back().push_back(fmt::format("{} .. {}", fixed(ceiling.value.lower.at(s)),
                                              fixed(ceiling.value.upper.at(s))));
    }
  }
  return "\nNoise ceiling (one rater with the others .. with all)\n" +
         render(table, format, colour);
}

std::string tests_text(const MetaReport& report, Format format, bool colour) {
  if (report.tests.empty()) return "";
  Table table;
  for (const char* name : {"dimension", "a", "b"}) table.column(name, false);
  table.column("n", true);
  for (const char* name : kShort) table.column(fmt::format("{} a-b (p)", name), true);
  table.column("Williams p", true);
  for (const MetaTest& test : report.tests) {
    table.rows.push_back({test.dimension, test.a, test.b, std::to_string(test.n)});
    for (int s = 0; s < Correlations::kCount; ++s) {
      table.rows.back().push_back(
          fmt::format("{} ({})", fixed(test.difference.at(s)), p_text(test.holm_p.at(s))));
    }
    table.rows.back().push_back(test.williams ? p_text(test.williams->p) : "-");
  }
  return "\nDifferences between methods (permutation p, Holm-corrected)\n" +
         render(table, format, colour);
}

const MetaRow* row_of(const MetaReport& report, const MetaRow& key, const std::string& dimension) {
  for (const MetaRow& row : report.rows) {
    if (row.method == key.method && row.judge == key.judge && row.part == key.part &&
        row.dimension == dimension) {
      return &row;
    }
  }
  return nullptr;
}

}  // namespace

std::string meta_tables(const MetaReport& report, Format format, bool colour) {
  if (format == Format::kCsv) return render(csv_table(report), format, false);
  return render(main_table(report), format, colour) + averages_text(report, format, colour) +
         judges_text(report, format, colour) + ceilings_text(report, format, colour) +
         tests_text(report, format, colour);
}

std::string meta_wide(const MetaReport& report, const std::vector<int>& statistics, Format format,
                      bool colour) {
  constexpr const char* kSymbols[] = {"r", "ρ", "τ", "τc"};
  std::vector<std::string> dimensions;
  std::vector<const MetaRow*> keys;
  for (const MetaRow& row : report.rows) {
    if (std::find(dimensions.begin(), dimensions.end(), row.dimension) == dimensions.end()) {
      dimensions.push_back(row.dimension);
    }
    const auto same = [&](const MetaRow* key) {
      return key->method == row.method && key->judge == row.judge && key->part == row.part;
    };
    if (std::none_of(keys.begin(), keys.end(), same)) keys.push_back(&row);
  }
  Table table;
  table.column("method", false);
  std::vector<std::string> columns = dimensions;
  columns.emplace_back("average");
  for (const std::string& dimension : columns) {
    for (int s : statistics) table.column(fmt::format("{} {}", dimension, kSymbols[s]), true);
  }
  for (const MetaRow* key : keys) {
    std::vector<std::string> cells = {title(key->method, key->judge) +
                                      (key->part == "all" ? "" : ", " + key->part)};
    std::vector<Correlations> values;
    for (const std::string& dimension : dimensions) {
      const MetaRow* row = row_of(report, *key, dimension);
      values.push_back(row == nullptr ? Correlations{} : row->value.association.value);
    }
    values.push_back(spread(values).mean);
    for (const Correlations& value : values) {
      for (int s : statistics)
        cells.push_back(format == Format::kCsv ? exact(value.at(s)) : fixed(value.at(s)));
    }
    table.rows.push_back(cells);
  }
  return render(table, format, colour);
}

}  // namespace assay::cli
