// `assay metric`: reference metrics as columns beside judge scores. Options only; metric_run.cc
// does the work.

#include <fmt/format.h>

#include "commands.h"
#include "metric_run.h"

namespace assay::cli {
namespace {

struct Typed {
  MetricRun run;
  std::string input_format = "auto";
  std::string on_error = "stop";
  std::string level = "row";
  std::vector<std::string> map;
  bool no_synonyms = false;
};

void add_rows(CLI::App& app, Typed& t) {
  MetricRun& run = t.run;
  app.add_option("rows", run.ingest.path,
                 "JSON Lines or CSV with `output` and `references`; - for standard input")
      ->required();
  app.add_option("-o,--output", run.outputs,
                 "write results: .jsonl, .csv or .md by extension, - for JSON Lines on standard "
                 "output; repeatable");
  app.add_option("-d,--dimension", run.dimensions,
                 "one results row for each of these [one for all: *]")
      ->delimiter(',');
  app.add_option("--map", t.map, "FIELD=KEY: where a field stands in your rows; repeatable");
  app.add_option("--input-format", t.input_format, "auto, jsonl, csv or tsv")
      ->capture_default_str();
  app.add_option("--on-error", t.on_error,
                 "a bad row stops before anything is written, or is skipped and listed")
      ->check(CLI::IsMember({"stop", "skip"}))
      ->capture_default_str();
  app.add_option("--limit", run.ingest.limit, "score only the first N rows");
  app.add_option("-j,--jobs", run.jobs, "threads [all cores]; results do not depend on it");
  app.add_flag("-q,--quiet", run.quiet, "no table");
  app.add_flag("--no-color", run.no_color, "no colour, also on a terminal [NO_COLOR]");
}

void add_metrics(CLI::App& app, Typed& t) {
  MetricOptions& o = t.run.metrics;
  app.add_option("-m,--metric", o.names, "one or more, comma-separated")
      ->required()
      ->delimiter(',');
  app.add_option("--convention", o.conventions,
                 "whose rules: rouge155 | porter | nlg-eval | standard; of several, each metric "
                 "takes the first it has")
      ->delimiter(',');
  app.add_option("--references", o.references,
                 "several references: mean | max | joint [the metric's own]");
  app.add_option("--against", o.against, "compare with the references, or with the source")
      ->capture_default_str();
  app.add_option("--measure", o.measure, "ROUGE: f | precision | recall [f]");
  app.add_option("--smooth", o.smooth, "BLEU: none | floor | add-k | exp [exp]");
  app.add_option("--tokenize", o.tokenize, "BLEU: 13a | none, which is white space [13a]");
  app.add_option("--level", t.level,
                 "a score per row, or one per system over all its rows (BLEU, chrF)")
      ->check(CLI::IsMember({"row", "corpus"}))
      ->capture_default_str();
  app.add_option("--wordnet", o.wordnet, "METEOR: folder of the WordNet dictionary")
      ->capture_default_str();
  app.add_flag("--no-synonyms", t.no_synonyms,
               "METEOR without its synonym stage; every result says so");
}

std::string footer() {
  std::string text = "Metrics (conventions, the first is the default):\n";
  for (const MetricInfo& info : metric_list()) {
    std::string conventions;
    for (const auto& convention : info.conventions) {
      conventions += (conventions.empty() ? "" : ", ") + std::string(convention.name);
    }
    text += fmt::format("  {:8} {} ({})\n", info.name, info.summary, conventions);
  }
  return text +
         "Examples:\n"
         "  assay metric rows.jsonl --metric rouge-l,bleu-4 -o scores.jsonl\n"
         "  assay metric rows.jsonl --metric rouge-1,rouge-2,rouge-l --convention rouge155 -o "
         "scores.jsonl\n"
         "  assay metric rows.jsonl --metric rouge-2 --convention rouge155 --against source -o "
         "scores.jsonl\n"
         "  assay metric rows.jsonl --metric bleu-4 --level corpus";
}

// One value after each option, so that `-m rouge-l rows.jsonl` leaves the file alone.
void take_one_value(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) option->allow_extra_args(false);
  }
}

MetricRun complete(const Typed& typed) {
  MetricRun run = typed.run;
  run.ingest.format = parse_row_format(typed.input_format);
  run.ingest.skip_bad = typed.on_error == "skip";
  for (const std::string& entry : typed.map) run.ingest.map.push_back(parse_map(entry));
  run.ingest.validate();
  run.metrics.corpus = typed.level == "corpus";
  run.metrics.synonyms = !typed.no_synonyms;
  return run;
}

}  // namespace

void add_metric(CLI::App& app, int& exit_code) {
  CLI::App* metric =
      app.add_subcommand("metric", "compare outputs with references: ROUGE, BLEU, METEOR, chrF");
  auto typed = std::make_shared<Typed>();  // shared with the callback, which outlives this function
  add_metrics(*metric, *typed);
  add_rows(*metric, *typed);
  take_one_value(*metric);
  metric->footer(footer());
  metric->callback([typed, &exit_code] { exit_code = run_metrics(complete(*typed)); });
}

}  // namespace assay::cli
