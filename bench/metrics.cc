// Scores per second of one metric, and the scores themselves: the C++ side of bench/metrics.sh.
//   bench_metrics METRIC CONVENTION RULE THREADS PASSES ROWS [bleu options: plain]
// Rows are read before the clock starts. Every pass begins with empty scorers, so nothing prepared
// in one helps the next. Prints one JSON object: seconds of the fastest pass, and the scores by id.

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <vector>

#include "ingest/rows.h"
#include "methods/metric_method.h"
#include "metrics/in_order.h"

namespace {

using assay::MetricSpec;
using assay::Sample;

constexpr std::size_t kBlock = 64;

std::vector<Sample> read_samples(const std::string& path) {
  assay::IngestOptions options;
  options.path = path;
  assay::RowReader reader(options);
  std::vector<Sample> samples;
  while (auto row = reader.next()) samples.push_back(std::move(row->sample));
  return samples;
}

// One pass over all rows; the scores in order.
std::vector<double> score_all(const MetricSpec& spec,
                              const std::shared_ptr<const assay::WordNet>& wordnet,
                              const std::vector<Sample>& samples, std::size_t threads) {
  std::vector<std::unique_ptr<assay::Scorer>> scorers;
  for (std::size_t t = 0; t < threads; ++t) scorers.push_back(assay::make_scorer(spec, wordnet));
  std::vector<double> scores(samples.size());
  std::size_t next = 0;
  assay::in_order(
      threads,
      [&]() -> std::optional<std::size_t> {
        if (next >= samples.size()) return std::nullopt;
        return std::exchange(next, next + kBlock);
      },
      [&](std::size_t thread, std::size_t begin) {
        for (std::size_t i = begin; i < std::min(begin + kBlock, samples.size()); ++i) {
          scores[i] = assay::metric_score(spec, *scorers[thread], samples[i]).score.value_or(0);
        }
        return begin;
      },
      [](std::size_t) {});
  return scores;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7) {
    fmt::print(stderr, "usage: bench_metrics METRIC CONVENTION RULE THREADS PASSES ROWS [plain]\n");
    return 2;
  }
  assay::MetricOptions options;
  options.names = {argv[1]};
  options.conventions = {argv[2]};
  options.references = argv[3];
  if (argc > 7) {  // BLEU as nltk computes it: white-space tokens, no smoothing
    options.tokenize = "none";
    options.smooth = "none";
  }
  const auto specs = assay::resolve_metrics(options);
  const auto wordnet = assay::metric_wordnet(specs);
  const std::vector<Sample> samples = read_samples(argv[6]);
  std::vector<double> scores;
  double fastest = 1e9;
  for (int pass = 0; pass < std::stoi(argv[5]); ++pass) {
    const auto begin = std::chrono::steady_clock::now();
    scores = score_all(specs[0], wordnet, samples, std::stoul(argv[4]));
    fastest = std::min(
        fastest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  fmt::print("{{\"seconds\":{},\"rows\":{},\"scores\":{{", fastest, samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    fmt::print("{}\"{}\":{}", i == 0 ? "" : ",", samples[i].id, scores[i]);
  }
  fmt::print("}}}}\n");
}
