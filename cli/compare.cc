// assay compare: is one system, method, judge or run better than another, or are they tied?
#include <fmt/core.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "assay/error.h"
#include "commands.h"
#include "joined.h"
#include "output_options.h"
#include "pairs.h"
#include "stats/levels.h"
#include "table.h"

namespace assay::cli {
namespace {

struct CompareArgs {
  std::vector<std::string> files;
  std::string by;
  std::string human;
  std::vector<std::string> dimensions;
  std::vector<std::string> exclude;
  std::vector<std::string> fields;
  int resamples = 10000;
  double confidence = 0.95;
  std::uint64_t seed = 7;
  int threads = 0;
  int rows = 5;
  std::string level = "pooled";
  OutputArgs output;
};

constexpr const char* kExamples = R"(Examples:
  assay compare old.jsonl new.jsonl
  assay compare results.jsonl --by system --dimension coherence --format json
  assay compare a.jsonl b.jsonl --human rows.jsonl        # also: which agrees better with people)";

// How both sides stand to people, on the rows they share.
struct WithPeople {
  int n = 0;
  Correlations a;
  Correlations b;
  Correlations p;  // permutation test of the difference
};

using Ratings = std::map<std::string, const RatingRow*>;

WithPeople with_people(const Comparison& comparison, const Ratings& ratings,
                       const LevelOptions& level, const CompareArgs& args) {
  std::vector<Point> a;
  std::vector<Point> b;
  std::map<std::string, int> groups;
  std::map<std::string, int> systems;
  for (const RowDifference& row : comparison.paired) {
    const auto found = ratings.find(row.id);
    const double* human =
        found == ratings.end() ? nullptr : find(found->second->human, comparison.dimension);
    if (human == nullptr) continue;
    const int group =
        groups.emplace(found->second->group, static_cast<int>(groups.size())).first->second;
    const int system =
        systems.emplace(found->second->system, static_cast<int>(systems.size())).first->second;
    a.push_back({row.a, *human, group, system});
    b.push_back({row.b, *human, group, system});
  }
  WithPeople result;
  result.n = static_cast<int>(a.size());
  result.a = associate(a, level).value;
  result.b = associate(b, level).value;
  if (result.n > 0) result.p = permutation_test(a, b, level, {1000, args.seed, args.threads});
  return result;
}

struct CompareReport {
  Sides sides;
  std::vector<Comparison> comparisons;
  std::vector<WithPeople> people;  // one per comparison, or none
  double alpha = 0.05;
  std::vector<std::string> remarks;
};

nlohmann::ordered_json number(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json four(const Correlations& values) {
  nlohmann::ordered_json object;
  for (int s = 0; s < Correlations::kCount; ++s) object[statistic_name(s)] = number(values.at(s));
  return object;
}

nlohmann::ordered_json json_row(const CompareReport& report, std::size_t i) {
  const Comparison& c = report.comparisons[i];
  nlohmann::ordered_json object = {
      {"dimension", c.dimension}, {"a", c.a}, {"b", c.b}, {"n", c.difference.n}};
  object["mean_a"] = number(c.mean_a);
  object["mean_b"] = number(c.mean_b);
  object["difference"] = c.difference.n > 0 ? nlohmann::ordered_json(c.difference.mean) : nullptr;
  object["std"] = number(c.difference.deviation);
  object["ci"] = nullptr;
  if (c.difference.interval) object["ci"] = {c.difference.interval->lo, c.difference.interval->hi};
  object["p"] = number(c.difference.p);
  object["p_holm"] = number(c.holm_p);
  object["verdict"] = c.verdict(report.alpha);
  object["wins"] = c.wins;
  object["ties"] = c.ties;
  object["losses"] = c.losses;
  object["unscored"] = c.unscored;
  object["alone"] = c.alone;
  object["rows"] = nlohmann::ordered_json::array();
  for (const RowDifference& row : c.largest) {
    object["rows"].push_back(
        {{"id", row.id}, {"a", row.a}, {"b", row.b}, {"difference", row.a - row.b}});
  }
  object["human"] = nullptr;
  if (!report.people.empty()) {
    const WithPeople& people = report.people[i];
    object["human"] = {
        {"n", people.n}, {"a", four(people.a)}, {"b", four(people.b)}, {"p", four(people.p)}};
  }
  return object;
}

std::string json_of(const CompareReport& report) {
  nlohmann::ordered_json document;
  document["by"] = by_name(report.sides.by);
  document["comparisons"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < report.comparisons.size(); ++i) {
    document["comparisons"].push_back(json_row(report, i));
  }
  document["remarks"] = report.remarks;
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string verdict_text(const Comparison& c, double alpha) {
  const std::string verdict = c.verdict(alpha);
  return verdict == "a" ? "a higher" : verdict == "b" ? "b higher" : verdict;
}

Table main_table(const CompareReport& report, bool csv) {
  const auto value = [csv](const std::optional<double>& v) { return csv ? exact(v) : fixed(v); };
  Table table;
  for (const char* name : {"dimension", "a", "b"}) table.column(name, false);
  for (const char* name : {"n", "mean a", "mean b", "a - b", "low", "high", "p", "p (Holm)"})
    table.column(name, true);
  table.column("verdict", false);
  for (const Comparison& c : report.comparisons) {
    const std::optional<Interval>& ci = c.difference.interval;
    const auto p = [&](const std::optional<double>& v) { return csv ? exact(v) : p_text(v); };
    table.rows.push_back(
        {c.dimension, c.a, c.b, std::to_string(c.difference.n), value(c.mean_a), value(c.mean_b),
         value(c.difference.n > 0 ? std::optional(c.difference.mean) : std::nullopt),
         value(ci ? std::optional(ci->lo) : std::nullopt),
         value(ci ? std::optional(ci->hi) : std::nullopt), p(c.difference.p), p(c.holm_p),
         verdict_text(c, report.alpha)});
  }
  return table;
}

std::string people_text(const CompareReport& report, Format format, bool colour) {
  if (report.people.empty()) return "";
  Table table;
  for (const char* name : {"dimension", "a", "b"}) table.column(name, false);
  table.column("n", true);
  for (const char* name : {"Pearson", "Spearman", "Kendall b"})
    table.column(std::string(name) + " a, b (p)", true);
  for (std::size_t i = 0; i < report.people.size(); ++i) {
    const Comparison& c = report.comparisons[i];
    const WithPeople& people = report.people[i];
    table.rows.push_back({c.dimension, c.a, c.b, std::to_string(people.n)});
    for (int s = 0; s < 3; ++s) {
      table.rows.back().push_back(fmt::format("{}, {} ({})", fixed(people.a.at(s)),
                                              fixed(people.b.at(s)), p_text(people.p.at(s))));
    }
  }
  return "\nAgreement with people\n" + render(table, format, colour);
}

std::string rows_text(const CompareReport& report, Format format, bool colour) {
  Table table;
  for (const char* name : {"dimension", "a", "b", "id"}) table.column(name, false);
  for (const char* name : {"score a", "score b", "a - b"}) table.column(name, true);
  for (const Comparison& c : report.comparisons) {
    for (const RowDifference& row : c.largest) {
      table.rows.push_back(
          {c.dimension, c.a, c.b, row.id, fixed(row.a), fixed(row.b), fixed(row.a - row.b)});
    }
  }
  return table.rows.empty() ? "" : "\nRows that differ most\n" + render(table, format, colour);
}

std::vector<std::string> remarks_of(const std::vector<Comparison>& comparisons) {
  std::vector<std::string> remarks;
  for (const Comparison& c : comparisons) {
    const std::string name = fmt::format("{}: {} against {}", c.dimension, c.a, c.b);
    if (c.alone > 0)
      remarks.push_back(fmt::format("{}: {} rows only one of them has: left out", name, c.alone));
    if (c.unscored > 0)
      remarks.push_back(
          fmt::format("{}: {} rows unscored on one side: left out", name, c.unscored));
    if (!c.difference.p)
      remarks.push_back(fmt::format("{}: undecided: fewer than two units to compare", name));
  }
  return remarks;
}

CompareReport compute(const CompareArgs& args) {
  std::vector<Exclusion> exclude;
  for (const std::string& text : args.exclude) exclude.push_back(parse_exclusion(text));
  ScoreOptions reading;
  reading.fields = args.fields;
  reading.exclude = exclude;
  std::vector<ScoreFile> files;
  for (const std::string& path : args.files) files.push_back(read_scores(path, reading));
  std::optional<RatingFile> rated;
  if (!args.human.empty()) {
    rated = read_ratings(args.human, {exclude, std::nullopt});
    spread_over_dimensions(files, *rated);
  }
  std::optional<By> by;
  if (!args.by.empty()) {
    by = by_of(args.by);
    if (!by)
      throw ConfigError(fmt::format("--by {}: expected file, method, judge or system", args.by));
  }
  const std::optional<Level> level = level_of(args.level);
  if (!level)
    throw ConfigError(fmt::format("--level {}: expected pooled, grouped or system", args.level));
  CompareReport report;
  report.alpha = 1 - args.confidence;
  report.sides = sides_of(files, by);
  if (!args.dimensions.empty()) report.sides.dimensions = args.dimensions;
  CompareOptions options;
  options.bootstrap = {args.resamples, args.confidence, args.seed, args.threads};
  options.rows = args.rows;
  report.comparisons = compare_all(report.sides, options);
  report.remarks = remarks_of(report.comparisons);
  if (!rated) return report;
  if (report.sides.by == By::kSystem) {
    throw ConfigError(
        "--human: systems are different texts, so their agreement with people cannot be paired; "
        "leave it out");
  }
  Ratings ratings;
  for (const RatingRow& row : rated->rows) ratings.emplace(row.id, &row);
  LevelOptions level_options;
  level_options.level = *level;
  for (const Comparison& c : report.comparisons) {
    report.people.push_back(with_people(c, ratings, level_options, args));
    if (report.people.back().n == 0) {
      report.remarks.push_back(
          fmt::format("{}: no shared row has a rating in {}", c.dimension, rated->name));
    }
  }
  return report;
}

int run(const CompareArgs& args) {
  const Format format = args.output.resolved();
  const CompareReport report = compute(args);
  args.output.print_remarks(report.remarks);
  if (format == Format::kJson) {
    args.output.write(json_of(report));
    return kWell;
  }
  const bool colour = args.output.colour();
  std::string text = render(main_table(report, format == Format::kCsv), format, colour);
  if (format != Format::kCsv)
    text += people_text(report, format, colour) + rows_text(report, format, colour);
  args.output.write(text);
  return kWell;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  CLI::App* sub =
      app.add_subcommand("compare", "is A better than B, or are they tied: paired, with intervals");
  auto args =
      std::make_shared<CompareArgs>();  // outlives this function: the callback runs after parsing
  sub->add_option("results", args->files, "results files")->required();
  sub->add_option("--by", args->by, "what is compared: file, method, judge or system");
  sub->add_option("--human", args->human,
                  "rows with ratings: also which of two agrees better with people");
  sub->add_option("--level", args->level, "with --human: pooled (default), grouped or system");
  sub->add_option("--dimension", args->dimensions, "only these dimensions")
      ->delimiter(',')
      ->allow_extra_args(false);
  sub->add_option("--score", args->fields, "take these fields as scores, each as a method")
      ->delimiter(',')
      ->allow_extra_args(false);
  sub->add_option("--exclude", args->exclude, "FIELD=VALUE: leave such rows out; repeatable")
      ->allow_extra_args(false);
  sub->add_option("--bootstrap", args->resamples, "resamples and permutations (default 10000)")
      ->check(CLI::Range(100, 100000000));
  sub->add_option("--confidence", args->confidence,
                  "of the interval; also how sure a verdict must be (default 0.95)")
      ->check(CLI::Range(0.5, 0.9999));
  sub->add_option("--seed", args->seed, "of resamples and permutations (default 7)");
  sub->add_option("-j,--jobs", args->threads, "threads (default: all cores); changes no number")
      ->check(CLI::Range(0, 1024));
  sub->add_option("--rows", args->rows, "how many of the rows that differ most (default 5)")
      ->check(CLI::Range(0, 100000));
  args->output.add_to(*sub);
  sub->footer(kExamples);
  sub->callback([args, &exit_code] { exit_code = run(*args); });
}

}  // namespace assay::cli
