// assay meta: how far scores agree with people.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "answer/released_parsers.h"
#include "assay/error.h"
#include "commands.h"
#include "ingest/scores.h"
#include "joined.h"
#include "meta_compute.h"
#include "meta_report.h"
#include "output_options.h"

namespace assay::cli {
namespace {

struct MetaArgs {
  std::vector<std::string> results;
  std::string human;
  std::string level = "pooled";
  std::string constant = "skip";
  OutputArgs output;
  std::vector<std::string> exclude;
  std::vector<std::string> fields;
  JoinOptions join;
  int resamples = 1000;
  double confidence = 0.95;
  std::uint64_t seed = 7;
  int min_rows = 3;
  int threads = 0;
  std::string split;
  bool tests = false;
  int permutations = 1000;
  bool ceiling = false;
  std::string raters;
  std::string parser;
  std::string unparsed;
  std::string scale;
  std::string write_scores;
  std::vector<std::string> wide;
};

constexpr const char* kExamples = R"(Examples:
  assay meta results.jsonl --human rows.jsonl --level grouped
  assay meta rouge.jsonl --score rougeL_f --human rows.jsonl --exclude system="Original Ground Truth" --format json
  assay meta replies.jsonl --parser chiang-lee --human rows.jsonl --level grouped --wide pearson,kendall_b
  assay meta a.jsonl b.jsonl --human rows.jsonl --tests --ceiling)";

ScoreOptions score_options(const MetaArgs& args, const std::vector<Exclusion>& exclude) {
  ScoreOptions options;
  options.fields = args.fields;
  options.exclude = exclude;
  if (args.parser.empty()) {
    if (!args.unparsed.empty())
      throw ConfigError("--unparsed says how --parser reads replies: give --parser too");
    return options;
  }
  const std::optional<ReplyRule> rule = reply_rule_of(args.parser);
  if (!rule)
    throw ConfigError(
        fmt::format("--parser {}: expected strict, chiang-lee or geval", args.parser));
  Unparsed unparsed = Unparsed::kByRule;
  if (args.unparsed == "drop") unparsed = Unparsed::kDrop;
  if (args.unparsed == "zero") unparsed = Unparsed::kZero;
  options.parse_replies = [rule = *rule, unparsed](const std::vector<std::string>& replies) {
    return score_of_replies(replies, rule, unparsed);
  };
  return options;
}

void write_scores(const std::string& path, const std::vector<ScoreFile>& files) {
  std::string text;
  for (const ScoreFile& file : files) {
    for (const ScoreRow& row : file.rows) {
      nlohmann::ordered_json line = {{"id", row.id},         {"group", row.group},
                                     {"system", row.system}, {"dimension", row.dimension},
                                     {"method", row.method}, {"judge", row.judge}};
      line["score"] =
          row.score ? nlohmann::ordered_json(*row.score) : nlohmann::ordered_json(nullptr);
      line["status"] = row.score ? "scored" : "unscored";
      text += line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    }
  }
  write_output(path, text);
}

MetaSettings settings_of(const MetaArgs& args) {
  MetaSettings settings;
  const std::optional<Level> level = level_of(args.level);
  const std::optional<ConstantRule> constant = constant_rule_of(args.constant);
  if (!level)
    throw ConfigError(fmt::format("--level {}: expected pooled, grouped or system", args.level));
  if (!constant)
    throw ConfigError(
        fmt::format("--constant {}: expected skip, zero or human-one", args.constant));
  settings.options.level = {*level, *constant, args.min_rows};
  settings.options.bootstrap = {args.resamples, args.confidence, args.seed, args.threads};
  if (!args.split.empty()) settings.split = parse_number(args.split, "--split");
  settings.tests = args.tests;
  settings.permutations = args.permutations;
  settings.ceiling = args.ceiling || !args.raters.empty();
  settings.raters = args.raters;
  return settings;
}

// A level needs what it groups by.
void check_level(const MetaSettings& settings, const RatingFile& ratings,
                 const std::vector<ScoreFile>& files) {
  const bool grouped = settings.options.level.level == Level::kGrouped;
  if (settings.options.level.level == Level::kPooled) return;
  for (const RatingRow& row : ratings.rows) {
    if (!(grouped ? row.group : row.system).empty()) return;
  }
  for (const ScoreFile& file : files) {
    for (const ScoreRow& row : file.rows) {
      if (!(grouped ? row.group : row.system).empty()) return;
    }
  }
  const char* field = grouped ? "group" : "system";
  throw ConfigError(fmt::format("--level {}: no row of {} has a field `{}`",
                                grouped ? "grouped" : "system", ratings.name, field));
}

std::vector<int> wide_statistics(const std::vector<std::string>& names) {
  std::vector<int> result;
  for (const std::string& name : names) {
    int found = -1;
    for (int s = 0; s < Correlations::kCount; ++s) {
      if (name == statistic_name(s)) found = s;
    }
    if (found < 0) {
      throw ConfigError(
          fmt::format("--wide {}: expected pearson, spearman, kendall_b or kendall_c", name));
    }
    result.push_back(found);
  }
  return result;
}

int run(const MetaArgs& args) {
  const Format format = args.output.resolved();
  const MetaSettings settings = settings_of(args);
  const std::vector<int> wide = wide_statistics(args.wide);
  std::vector<Exclusion> exclude;
  for (const std::string& text : args.exclude) exclude.push_back(parse_exclusion(text));
  const ScoreOptions reading = score_options(args, exclude);
  const RatingFile ratings =
      read_ratings(args.human, {exclude, parse_scale(args.scale, "--human-scale")});
  std::vector<ScoreFile> files;
  std::vector<const Excluded*> excluded = {&ratings.excluded};
  for (const std::string& path : args.results) files.push_back(read_scores(path, reading));
  for (const ScoreFile& file : files) excluded.push_back(&file.excluded);
  const std::vector<std::string> left_out = exclusion_remarks(exclude, excluded);
  check_level(settings, ratings, files);
  if (!args.write_scores.empty()) write_scores(args.write_scores, files);
  MetaReport report = compute_meta(join(files, ratings, args.join), ratings, settings);
  report.remarks.insert(report.remarks.begin(), left_out.begin(), left_out.end());
  args.output.print_remarks(report.remarks);
  if (format == Format::kJson) {
    args.output.write(meta_json(report));
  } else if (!wide.empty()) {
    args.output.write(meta_wide(report, wide, format, args.output.colour()));
  } else {
    args.output.write(meta_tables(report, format, args.output.colour()));
  }
  return kWell;
}

void add_reading_options(CLI::App& sub, MetaArgs& args) {
  sub.add_option("results", args.results,
                 "results files, or any JSON Lines/CSV with id, dimension, score; - is stdin")
      ->required();
  sub.add_option("--human", args.human, "rows with ratings: human {dimension: score}")->required();
  sub.add_option("--human-scale", args.scale, "LOW,HIGH: refuse ratings outside");
  sub.add_option("--score", args.fields, "take these fields as scores, each as a method")
      ->delimiter(',')
      ->allow_extra_args(false);
  sub.add_option("--parser", args.parser,
                 "read verbatim replies (`responses`): strict, chiang-lee, geval");
  sub.add_option("--unparsed", args.unparsed,
                 "replies the parser cannot read: drop or zero (default: as the parser)")
      ->check(CLI::IsMember({"drop", "zero"}));
  sub.add_option("--write-scores", args.write_scores,
                 "also write the scores that were read, as results rows");
  sub.add_option("--exclude", args.exclude, "FIELD=VALUE: leave such rows out; repeatable")
      ->allow_extra_args(false);
  sub.add_option("--method", args.join.methods, "only these methods")
      ->delimiter(',')
      ->allow_extra_args(false);
  sub.add_option("--judge", args.join.judges, "only these judges")
      ->delimiter(',')
      ->allow_extra_args(false);
  sub.add_option("--dimension", args.join.dimensions, "only these dimensions")
      ->delimiter(',')
      ->allow_extra_args(false);
  sub.add_flag("--repeats", args.join.repeats,
               "the files are repeats of one evaluation: mean ± std over them");
}

void add_statistics_options(CLI::App& sub, MetaArgs& args) {
  sub.add_option("--level", args.level, "pooled (default), grouped or system");
  sub.add_option("--constant", args.constant,
                 "a group with constant scores or ratings: skip, zero or human-one");
  sub.add_option("--min-rows", args.min_rows, "a correlation needs this many rows (default 3)")
      ->check(CLI::Range(2, 1000000));
  sub.add_option("--bootstrap", args.resamples,
                 "resamples for the intervals (default 1000; 0: none)")
      ->check(CLI::Range(0, 100000000));
  sub.add_option("--confidence", args.confidence, "of the intervals (default 0.95)")
      ->check(CLI::Range(0.5, 0.9999));
  sub.add_option("--seed", args.seed, "of resamples and permutations (default 7)");
  sub.add_option("-j,--jobs", args.threads, "threads (default: all cores); changes no number")
      ->check(CLI::Range(0, 1024));
  sub.add_option("--split", args.split,
                 "also apart for ratings from this value on (high) and below (low)");
  sub.add_flag("--tests", args.tests,
               "test every two methods against each other: permutation, Williams");
  sub.add_option("--permutations", args.permutations, "for --tests (default 1000)")
      ->check(CLI::Range(1, 10000000));
  sub.add_flag("--ceiling", args.ceiling, "the noise ceiling from single ratings (human_raw)");
  sub.add_option("--raters", args.raters, "the ceiling of these raters, as named in human_raw");
}

}  // namespace

void add_meta(CLI::App& app, int& exit_code) {
  CLI::App* sub =
      app.add_subcommand("meta", "how far scores agree with people: correlations, with intervals");
  auto args =
      std::make_shared<MetaArgs>();  // outlives this function: the callback runs after parsing
  add_reading_options(*sub, *args);
  add_statistics_options(*sub, *args);
  sub->add_option("--wide", args->wide,
                  "the papers' form: these statistics, a column per dimension")
      ->delimiter(',')
      ->allow_extra_args(false);
  args->output.add_to(*sub);
  sub->footer(kExamples);
  sub->callback([args, &exit_code] { exit_code = run(*args); });
}

}  // namespace assay::cli
