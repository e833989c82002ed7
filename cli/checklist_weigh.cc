// `assay checklist weigh`: what each question should count for, by linear regression of people's
// ratings on the answers (CheckEval, appendix C.2). The paper draws 20 % of the labelled rows with
// each of five seeds and finds no reliable gain; the table this prints says whether there is one
// here, on the rows that were not drawn.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <set>

#include "assay/error.h"
#include "checklist.h"
#include "commands.h"
#include "ingest/scores.h"
#include "methods/checkeval_fit.h"
#include "report/json.h"
#include "rubric/checklist_weights.h"
#include "stats/correlation.h"
#include "stats/random.h"
#include "table.h"

namespace assay::cli {
namespace {

// Fewer rows than this say nothing about some thirty questions.
constexpr std::size_t kFewest = 10;

struct WeighOptions {
  std::string results;
  std::string human;
  std::string task = "summarization";
  std::string dimension;
  std::string judge;
  std::string output;
  double share = 0.2;
  int seeds = 5;
  std::uint64_t seed = 1;
};

struct Labelled {
  std::vector<std::string> ids;
  std::vector<std::vector<double>> answers;
  std::vector<double> ratings;
  std::vector<ChecklistWeights::Weight> questions;  // id and text
  std::size_t unscored = 0;
  std::size_t unrated = 0;
};

std::string after_slash(const std::string& label) { return label.substr(label.rfind('/') + 1); }

// The answers of one result, which must be to the same questions as those before it.
std::vector<double> answers_of(const Result& result, const std::string& where, Labelled& all) {
  std::vector<double> answers;
  std::vector<ChecklistWeights::Weight> questions;
  for (const Evidence& leaf : result.evidence.children) {
    if (leaf.label == "intercept") continue;
    if (leaf.op != Op::kLeaf || !leaf.value) {
      throw ConfigError(
          fmt::format("{}: \"{}\" is no answer to a question; weights are fitted on results of one "
                      "run of checkeval, without --repeat",
                      where, leaf.label));
    }
    questions.push_back({after_slash(leaf.label), leaf.note, 0, 0});
    answers.push_back(*leaf.value);
  }
  if (all.questions.empty()) all.questions = questions;
  const auto same = [](const auto& a, const auto& b) { return a.id == b.id && a.text == b.text; };
  if (!std::equal(questions.begin(), questions.end(), all.questions.begin(), all.questions.end(),
                  same)) {
    throw ConfigError(
        fmt::format("{}: it was asked other questions than the results before it; weights are for "
                    "one checklist",
                    where));
  }
  return answers;
}

bool is_wanted(const Result& result, WeighOptions& options) {
  if (result.method != "checkeval") return false;
  if (options.dimension.empty()) options.dimension = result.dimension;
  if (options.judge.empty()) options.judge = result.judge;
  return result.dimension == options.dimension && result.judge == options.judge;
}

Labelled read_labelled(WeighOptions& options) {
  std::map<std::string, const RatingRow*> ratings;
  const RatingFile human = read_ratings(options.human, {});
  for (const RatingRow& row : human.rows) ratings[row.id] = &row;
  std::ifstream in(options.results);
  if (!in) throw ConfigError(fmt::format("{}: cannot be read", options.results));
  Labelled all;
  std::size_t number = 0;
  std::set<std::string> seen;
  for (std::string line; std::getline(in, line);) {
    const std::string where = fmt::format("{}:{}", options.results, ++number);
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const Result result = parse_result(line, where);
    if (!is_wanted(result, options)) continue;
    if (!seen.insert(result.id).second)
      throw ConfigError(fmt::format("{}: \"{}\" comes twice", where, result.id));
    const auto rated = ratings.find(result.id);
    const double* rating =
        rated == ratings.end() ? nullptr : find(rated->second->human, result.dimension);
    if (!result.score) {
      ++all.unscored;
    } else if (rating == nullptr) {
      ++all.unrated;
    } else {
      all.answers.push_back(answers_of(result, where, all));
      all.ratings.push_back(*rating);
      all.ids.push_back(result.id);
    }
  }
  return all;
}

void check(const Labelled& all, std::size_t drawn, const WeighOptions& options) {
  if (all.ids.empty()) {
    throw ConfigError(
        fmt::format("{}: no result of checkeval{} is scored there and rated in {}", options.results,
                    options.dimension.empty() ? "" : " for " + options.dimension, options.human));
  }
  if (drawn < kFewest) {
    throw ConfigError(
        fmt::format("{} labelled rows, of which a share of {} is {}: at least {} are needed; label "
                    "more rows, or raise --share",
                    all.ids.size(), options.share, drawn, kFewest));
  }
  const auto [least, most] = std::minmax_element(all.ratings.begin(), all.ratings.end());
  if (*least == *most)
    throw ConfigError(fmt::format("{}: every rating of {} is {}: nothing can be fitted to that",
                                  options.human, options.dimension, *least));
}

// The first `count` of a seeded shuffle of 0..n-1, in order.
std::set<std::size_t> draw(std::size_t n, std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  Random random(seed, 0);
  for (std::size_t i = 0; i < count; ++i)
    std::swap(order[i], order[i + random.below(static_cast<std::uint32_t>(n - i))]);
  return {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count)};
}

double predicted(const LinearFit& fit, const std::vector<double>& answers) {
  double sum = fit.intercept;
  for (std::size_t i = 0; i < answers.size(); ++i) sum += fit.weights[i] * answers[i];
  return sum;
}

double plain(const std::vector<double>& answers) {
  double sum = 0;
  for (const double answer : answers) sum += answer;
  return sum / static_cast<double>(answers.size());
}

struct Fitted {
  LinearFit fit;
  Correlations plain;  // on the rows that were not drawn
  Correlations weighted;
};

Fitted fit_one(const Labelled& all, const std::set<std::size_t>& drawn) {
  std::vector<std::vector<double>> x;
  std::vector<double> y, rated, even, weighted;
  for (const std::size_t i : drawn) x.push_back(all.answers[i]), y.push_back(all.ratings[i]);
  Fitted fitted;
  fitted.fit = fit_linear(x, y);
  for (std::size_t i = 0; i < all.ids.size(); ++i) {
    if (drawn.contains(i)) continue;
    rated.push_back(all.ratings[i]);
    even.push_back(plain(all.answers[i]));
    weighted.push_back(predicted(fitted.fit, all.answers[i]));
  }
  PairTable::Scratch scratch;
  fitted.plain = PairTable(even, rated).correlations({}, scratch);
  fitted.weighted = PairTable(weighted, rated).correlations({}, scratch);
  return fitted;
}

void print_gain(const std::vector<Fitted>& fits, const WeighOptions& options) {
  Table table;
  table.column("seed", true);
  for (const char* name :
       {"spearman, even", "spearman, weighted", "pearson, even", "pearson, weighted"})
    table.column(name, true);
  for (std::size_t i = 0; i < fits.size(); ++i) {
    const Fitted& f = fits[i];
    table.rows.push_back({std::to_string(options.seed + i), fixed(f.plain.spearman),
                          fixed(f.weighted.spearman), fixed(f.plain.pearson),
                          fixed(f.weighted.pearson)});
  }
  fmt::print(stderr, "{}on the rows not drawn; the paper found no reliable gain from weights\n",
             render(table, Format::kTable, false));
}

void weigh(WeighOptions options) {
  const Labelled all = read_labelled(options);
  const auto drawn =
      static_cast<std::size_t>(std::lround(options.share * static_cast<double>(all.ids.size())));
  check(all, drawn, options);
  std::vector<Fitted> fits;
  std::vector<LinearFit> lines;
  std::set<std::size_t> used;
  for (int i = 0; i < options.seeds; ++i) {
    const std::set<std::size_t> rows =
        draw(all.ids.size(), drawn, options.seed + static_cast<std::uint64_t>(i));
    fits.push_back(fit_one(all, rows));
    lines.push_back(fits.back().fit);
    used.insert(rows.begin(), rows.end());
  }
  const LinearFit fit = mean_fit(lines);
  ChecklistWeights weights{
      options.task, options.dimension, "", fit.intercept, all.questions, {}, ""};
  for (std::size_t i = 0; i < fit.weights.size(); ++i) weights.weights[i].weight = fit.weights[i];
  for (const std::size_t i : used) weights.rows.push_back(all.ids[i]);
  weights.made = fmt::format(
      "least squares on {} of {} labelled rows, the mean over {} seeds from {}; answers of {}; {} "
      "questions say nothing of their own and have weight 0",
      drawn, all.ids.size(), options.seeds, options.seed, options.judge, fit.left_out.size());
  write_output(options.output, checklist_weights_yaml(weights));
  print_gain(fits, options);
  if (drawn <= all.questions.size())
    fmt::print(stderr,
               "{} rows were drawn for {} questions: such a fit says little; label more rows or "
               "raise --share\n",
               drawn, all.questions.size());
  if (all.unscored + all.unrated > 0)
    fmt::print(stderr, "{} results unscored, {} without a rating: left out\n", all.unscored,
               all.unrated);
}

}  // namespace

void add_checklist_weigh(CLI::App& checklist, int&) {
  CLI::App* command = checklist.add_subcommand(
      "weigh", "fit what each question counts for, on results of checkeval and people's ratings");
  auto options =
      std::make_shared<WeighOptions>();  // shared with the callback, which outlives this function
  command
      ->add_option("results", options->results, "results of `assay eval -m checkeval`, JSON Lines")
      ->required();
  command->add_option("--human", options->human, "rows with people's ratings")->required();
  command->add_option("-t,--task", options->task, "the task of the checklist")
      ->capture_default_str();
  command->add_option("-d,--dimension", options->dimension,
                      "which dimension of the results [the first]");
  command->add_option("--judge", options->judge,
                      "whose results, where there are several [the first]");
  command
      ->add_option("--share", options->share,
                   "the share of the labelled rows that is drawn for a fit")
      ->check(CLI::Range(0.01, 1.0))
      ->capture_default_str();
  command->add_option("--seeds", options->seeds, "how many draws; the weights are their mean")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "the first seed")->capture_default_str();
  command->add_option("-o,--output", options->output, "the file to write [standard output]");
  command->callback([options] { weigh(*options); });
}

}  // namespace assay::cli
