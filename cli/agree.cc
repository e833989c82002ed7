// assay agree: how far raters agree with each other: judges, repeats, people.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "assay/error.h"
#include "commands.h"
#include "joined.h"
#include "output_options.h"
#include "rater_sets.h"
#include "table.h"

namespace assay::cli {
namespace {

struct AgreeArgs {
  std::vector<std::string> files;
  std::string human;
  std::string on = "scores";
  std::string metric;
  std::string binarise = "none";
  std::string scale;
  std::string human_scale;
  std::string by;
  std::vector<std::string> groups;
  int top = 0;
  bool rescale = false;
  std::vector<std::string> dimensions;
  std::vector<std::string> exclude;
  std::vector<std::string> fields;
  OutputArgs output;
};

constexpr const char* kExamples = R"(Examples:
  assay agree gpt.jsonl llama.jsonl builtin.jsonl
  assay agree judges.jsonl --on verdicts --group large=openai:a,openai:b --format json
  assay agree judges.jsonl --human rows.jsonl --top 3 --binarise both --scale 1,5)";

struct AgreeRow {
  RaterSet set;
  std::string dimension;
  Scheme scheme = Scheme::kAsGiven;
  Agreement value;
};

struct AgreeReport {
  std::string on;
  Metric metric = Metric::kInterval;
  std::vector<AgreeRow> rows;
  std::vector<std::string> remarks;
};

std::vector<Scheme> schemes_of(const std::string& name) {
  if (name == "none") return {Scheme::kAsGiven};
  if (name == "low") return {Scheme::kMiddleLow};
  if (name == "high") return {Scheme::kMiddleHigh};
  if (name == "both") return {Scheme::kAsGiven, Scheme::kMiddleLow, Scheme::kMiddleHigh};
  throw ConfigError(fmt::format("--binarise {}: expected none, low, high or both", name));
}

AgreeReport compute(const std::vector<RaterSet>& sets, const std::vector<std::string>& dimensions,
                    const AgreeArgs& args) {
  AgreeReport report;
  report.on = args.on;
  const std::string metric = !args.metric.empty()    ? args.metric
                             : args.on == "verdicts" ? "nominal"
                                                     : "interval";
  const std::optional<Metric> known = metric_of(metric);
  if (!known)
    throw ConfigError(
        fmt::format("--metric {}: expected nominal, ordinal, interval or ratio", metric));
  report.metric = *known;
  UnitOptions options;
  options.verdicts = args.on == "verdicts";
  options.rescale = args.rescale;
  options.scale = parse_scale(args.scale, "--scale");
  for (Scheme scheme : schemes_of(args.binarise)) {
    options.scheme = scheme;
    for (const RaterSet& set : sets) {
      for (const std::string& dimension : dimensions) {
        AgreeRow row{set, dimension, scheme,
                     agreement(units_of(set.raters, dimension, options), report.metric)};
        if (row.value.units == 0) {
          report.remarks.push_back(fmt::format("{}, {}, {}: no {} with two values", set.compared,
                                               set.group, dimension,
                                               options.verdicts ? "verdict" : "text"));
        } else if (!row.value.alpha) {
          report.remarks.push_back(
              fmt::format("{}, {}, {}: alpha is undefined: all values are the same", set.compared,
                          set.group, dimension));
        }
        if (row.value.complete < row.value.units) {
          report.remarks.push_back(
              fmt::format("{}, {}, {}: Fleiss over the {} of {} units that every rater judged",
                          set.compared, set.group, dimension, row.value.complete, row.value.units));
        }
        report.rows.push_back(row);
      }
    }
  }
  return report;
}

nlohmann::ordered_json number(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

std::string json_of(const AgreeReport& report) {
  nlohmann::ordered_json document;
  document["rows"] = nlohmann::ordered_json::array();
  for (const AgreeRow& row : report.rows) {
    nlohmann::ordered_json raters = nlohmann::ordered_json::array();
    for (const Rater* rater : row.set.raters) raters.push_back(rater->name);
    document["rows"].push_back({{"compared", row.set.compared},
                                {"group", row.set.group},
                                {"dimension", row.dimension},
                                {"on", report.on},
                                {"scheme", scheme_name(row.scheme)},
                                {"metric", metric_name(report.metric)},
                                {"raters", raters},
                                {"units", row.value.units},
                                {"values", row.value.values},
                                {"alpha", number(row.value.alpha)},
                                {"fleiss", number(row.value.fleiss)},
                                {"complete_units", row.value.complete},
                                {"cohen", number(row.value.cohen)},
                                {"percent", number(row.value.percent)}});
  }
  document["remarks"] = report.remarks;
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Table table_of(const AgreeReport& report, Format format) {
  Table table;
  for (const char* name : {"compared", "group", "dimension", "values"}) table.column(name, false);
  for (const char* name : {"raters", "units"}) table.column(name, true);
  table.column(fmt::format("alpha ({})", metric_name(report.metric)), true);
  for (const char* name : {"Fleiss", "Cohen", "percent"}) table.column(name, true);
  for (const AgreeRow& row : report.rows) {
    table.rows.push_back({row.set.compared, row.set.group, row.dimension, scheme_name(row.scheme),
                          std::to_string(row.set.raters.size()), std::to_string(row.value.units)});
    for (const auto& value :
         {row.value.alpha, row.value.fleiss, row.value.cohen, row.value.percent}) {
      table.rows.back().push_back(format == Format::kCsv ? exact(value) : fixed(value));
    }
  }
  return table;
}

int run(const AgreeArgs& args) {
  const Format format = args.output.resolved();
  if (args.on != "scores" && args.on != "verdicts") {
    throw ConfigError(fmt::format("--on {}: expected scores or verdicts", args.on));
  }
  if (args.on == "verdicts" && !args.human.empty()) {
    throw ConfigError(
        "--on verdicts: people rated texts, not verdicts: leave --human out, or use --on scores");
  }
  std::vector<Exclusion> exclude;
  for (const std::string& text : args.exclude) exclude.push_back(parse_exclusion(text));
  ScoreOptions reading;
  reading.fields = args.fields;
  reading.exclude = exclude;
  reading.verdicts = args.on == "verdicts";
  std::vector<ScoreFile> files;
  for (const std::string& path : args.files) files.push_back(read_scores(path, reading));
  Rater humans;
  if (!args.human.empty()) {
    const auto scale = parse_scale(args.human_scale, "--human-scale");
    const RatingFile ratings = read_ratings(args.human, {exclude, scale});
    humans = people(ratings, scale);
    spread_over_dimensions(files, ratings);
  }
  const std::vector<Rater> raters = raters_of(files);
  const Rater* with = args.human.empty() ? nullptr : &humans;
  const std::vector<std::string> dimensions =
      args.dimensions.empty() ? dimensions_of(files) : args.dimensions;
  std::vector<RaterSet> sets = partitions(raters, with, args.by);
  check_sets(sets);
  add_named_groups(sets, args.groups);
  add_top(sets, args.top, with, dimensions);
  const AgreeReport report = compute(sets, dimensions, args);
  args.output.print_remarks(report.remarks);
  args.output.write(format == Format::kJson
                        ? json_of(report)
                        : render(table_of(report, format), format, args.output.colour()));
  return kWell;
}

}  // namespace

void add_agree(CLI::App& app, int& exit_code) {
  CLI::App* sub =
      app.add_subcommand("agree", "how far judges, repeats or people agree: alpha, kappa, percent");
  auto args =
      std::make_shared<AgreeArgs>();  // outlives this function: the callback runs after parsing
  sub->add_option("results", args->files, "results files; each method and judge in them is a rater")
      ->required();
  sub->add_option("--human", args->human, "rows with ratings: people are a rater too");
  sub->add_option("--on", args->on, "scores (default), or verdicts: the leaves of the evidence");
  sub->add_option("--metric", args->metric, "of alpha: nominal, ordinal, interval, ratio");
  sub->add_option("--by", args->by,
                  "method: judges of one method are compared; all: every rater with every other")
      ->check(CLI::IsMember({"method", "all"}));
  sub->add_option("--group", args->groups, "NAME=JUDGE,JUDGE: also these judges alone; repeatable")
      ->allow_extra_args(false);
  sub->add_option("--top", args->top,
                  "also the N judges that agree most with people (needs --human)")
      ->check(CLI::Range(2, 1000));
  sub->add_option("--binarise", args->binarise,
                  "Likert scores to 0/1, the middle low, high or both ways");
  sub->add_flag("--rescale", args->rescale, "every rater's scores to 0..1 by its scale");
  sub->add_option("--scale", args->scale, "LOW,HIGH of scores whose rows declare none");
  sub->add_option("--human-scale", args->human_scale, "LOW,HIGH of the ratings");
  sub->add_option("--score", args->fields, "take these fields as scores, each as a method")
      ->delimiter(',')
      ->allow_extra_args(false);
  sub->add_option("--dimension", args->dimensions, "only these dimensions")
      ->delimiter(',')
      ->allow_extra_args(false);
  sub->add_option("--exclude", args->exclude, "FIELD=VALUE: leave such rows out; repeatable")
      ->allow_extra_args(false);
  args->output.add_to(*sub);
  sub->footer(kExamples);
  sub->callback([args, &exit_code] { exit_code = run(*args); });
}

}  // namespace assay::cli
