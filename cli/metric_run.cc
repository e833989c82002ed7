// The work of `assay metric`: rows are read in blocks, scored by all cores with one scorer per
// thread and metric, and written in input order, so that the bytes do not depend on the number of
// threads.

#include "metric_run.h"

#include <fmt/format.h>

#include <thread>

#include "assay/error.h"
#include "assay/result.h"
#include "commands.h"
#include "core/hash.h"
#include "methods/metric_method.h"
#include "metric_output.h"
#include "metrics/in_order.h"
#include "report/json.h"
#include "table.h"

namespace assay::cli {
namespace {

// A block is handed to one thread: long enough that neighbouring rows meet the references that it
// has prepared, short enough that memory stays flat.
constexpr std::size_t kBlockRows = 64;
constexpr std::size_t kBlockBytes = std::size_t{4} << 20;

class Metrics {
 public:
  explicit Metrics(const MetricRun& run)
      : run_(run),
        specs_(resolve_metrics(run.metrics)),
        wordnet_(metric_wordnet(specs_)),
        reader_(run.ingest),
        threads_(run.jobs > 0 ? run.jobs : std::max(1U, std::thread::hardware_concurrency())),
        means_(specs_.size()) {
    if (run_.dimensions.empty())
      dimensions_ = {"*"};
    else
      dimensions_ = run_.dimensions;
  }

  int run() {
    check();
    Outputs outputs(run_.outputs);
    run_.metrics.corpus ? score_corpus(outputs) : score_rows(outputs);
    outputs.finish();
    if (!run_.quiet && !outputs.takes_stdout()) print_table();
    return remarks();
  }

 private:
  // Reads everything once: bad rows are refused before anything is written, and the run gets its
  // name.
  void check() {
    std::string hash = sha256_hex("assay metric");
    while (const std::optional<Row> row = reader_.next()) {
      const Sample& s = row->sample;
      Hasher one;
      one.add(hash).add(s.id).add(s.group).add(s.system).add(s.fields.source).add(s.fields.output);
      for (const std::string& reference : s.fields.references) one.add(reference);
      hash = one.hex();
      if (run_.metrics.corpus) check_corpus_row(*row);
    }
    for (const BadRow& bad : reader_.skipped())
      fmt::print(stderr, "assay: skipped {}\n", bad.problem);
    if (reader_.skipped_count() > 0) {
      fmt::print(stderr, "assay: {} of {} rows skipped\n", reader_.skipped_count(),
                 reader_.skipped_count() + reader_.rows());
    }
    Hasher all;
    all.add(hash);
    for (const MetricSpec& spec : specs_) all.add(metric_signature(spec));
    for (const std::string& dimension : dimensions_) all.add(dimension);
    name_ = all.hex().substr(0, 16);
    reader_.rewind();
  }

  // A corpus score without some of its rows would not be the corpus's.
  void check_corpus_row(const Row& row) const {
    const bool source = specs_[0].against_source;
    if (source ? !row.sample.fields.source.empty() : !row.sample.fields.references.empty()) return;
    throw ConfigError(
        fmt::format("{}:{}: no {} to compare with; --level corpus needs them in every row",
                    reader_.name(), row.line, source ? "source" : "references"));
  }

  std::optional<Block> read() {
    Block block;
    std::size_t bytes = 0;
    while (block.samples.size() < kBlockRows && bytes < kBlockBytes) {
      std::optional<Row> row = reader_.next();
      if (!row) break;
      const Fields& fields = row->sample.fields;
      bytes += fields.source.size() + fields.output.size();
      for (const std::string& reference : fields.references) bytes += reference.size();
      block.systems.push_back(systems_.number(row->sample.system));
      block.samples.push_back(std::move(row->sample));
    }
    if (block.samples.empty()) return std::nullopt;
    return block;
  }

  Result result_of(const Sample& sample, const MetricSpec& spec, const Score& score) const {
    Result result;
    result.id = sample.id;
    result.group = sample.group;
    result.system = sample.system;
    result.method = spec.name;
    result.judge = "none";
    result.judge_kind = "reference metric";
    result.score = score.score;
    result.scale = score.scale;
    result.reason = score.reason;
    result.evidence = score.evidence;
    result.run = name_;
    return result;
  }

  void score_rows(Outputs& outputs) {
    std::vector<std::vector<std::unique_ptr<Scorer>>> scorers(threads_);
    for (auto& own : scorers) {
      for (const MetricSpec& spec : specs_) own.push_back(make_scorer(spec, wordnet_));
    }
    in_order(
        threads_, [&] { return read(); },
        [&](std::size_t thread, Block block) {
          Scored scored{std::move(block), {}, {}};
          for (const Sample& sample : scored.block.samples) {
            for (std::size_t m = 0; m < specs_.size(); ++m) {
              Result result = result_of(sample, specs_[m],
                                        metric_score(specs_[m], *scorers[thread][m], sample));
              for (const std::string& dimension : dimensions_) {
                result.dimension = dimension;
                scored.results.push_back(result);
              }
            }
          }
          if (outputs.wants_lines()) write_lines(scored);
          return scored;
        },
        [&](Scored scored) {
          count(scored);
          outputs.write(scored);
        });
  }

  static void write_lines(Scored& scored) {
    for (const Result& result : scored.results) {
      append_result_json(scored.lines, result);
      scored.lines.push_back('\n');
    }
  }

  void count(const Scored& scored) {
    const std::size_t each = specs_.size() * dimensions_.size();
    for (std::size_t i = 0; i < scored.results.size(); i += dimensions_.size()) {
      means_.add(scored.block.systems[i / each], i % each / dimensions_.size(),
                 scored.results[i].score);
    }
    results_ += scored.results.size() / dimensions_.size();
  }

  void score_corpus(Outputs& outputs) {
    std::vector<std::vector<std::unique_ptr<CorpusScorer>>> scorers(threads_);
    for (auto& own : scorers) {
      for (const MetricSpec& spec : specs_) own.push_back(make_corpus_scorer(spec));
    }
    in_order(
        threads_, [&] { return read(); },
        [&](std::size_t thread, Block block) {
          for (std::size_t i = 0; i < block.samples.size(); ++i) {
            const Fields& fields = block.samples[i].fields;
            const std::vector<std::string> source{fields.source};
            for (std::size_t m = 0; m < specs_.size(); ++m) {
              scorers[thread][m]->add(block.systems[i], fields.output,
                                      specs_[m].against_source ? source : fields.references);
            }
          }
          return block.samples.size();
        },
        [](std::size_t) {});
    for (std::size_t thread = 1; thread < threads_; ++thread) {
      for (std::size_t m = 0; m < specs_.size(); ++m) scorers[0][m]->merge(*scorers[thread][m]);
    }
    write_corpus(outputs, scorers[0]);
  }

  void write_corpus(Outputs& outputs, const std::vector<std::unique_ptr<CorpusScorer>>& scorers) {
    Scored scored;
    for (std::size_t system = 0; system < systems_.names().size(); ++system) {
      Sample sample;
      sample.system = systems_.names()[system];
      sample.id = sample.system.empty() ? "corpus" : "corpus/" + sample.system;
      sample.group = "corpus";
      for (std::size_t m = 0; m < specs_.size(); ++m) {
        const Compared compared = scorers[m]->score(system);
        Score score;
        score.score = compared.value;
        score.evidence =
            leaf(specs_[m].name, *compared.value, 1,
                 fmt::format("{}|corpus; {}", metric_signature(specs_[m]), compared.note));
        Result result = result_of(sample, specs_[m], score);
        for (const std::string& dimension : dimensions_) {
          result.dimension = dimension;
          scored.results.push_back(result);
        }
      }
      scored.block.samples.push_back(sample);
      scored.block.systems.push_back(system);
    }
    write_lines(scored);
    count(scored);
    outputs.write(scored);
  }

  void print_table() const {
    Table table;
    table.column("system", false);
    table.column(run_.metrics.corpus ? "corpora" : "rows", true);
    for (const MetricSpec& spec : specs_) table.column(spec.name, true);
    for (std::size_t system = 0; system < systems_.names().size(); ++system) {
      const std::string& name = systems_.names()[system];
      std::vector<std::string> cells{name.empty() ? "-" : name,
                                     std::to_string(means_.count(system, 0))};
      for (std::size_t m = 0; m < specs_.size(); ++m)
        cells.push_back(fixed(means_.mean(system, m), 4));
      table.rows.push_back(std::move(cells));
    }
    fmt::print("{}", render(table, Format::kTable, wants_colour(run_.no_color)));
  }

  int remarks() const {
    if (means_.unscored() == 0) return kWell;
    const bool none = means_.unscored() == results_ && !specs_[0].against_source;
    fmt::print(stderr, "assay: {} of {} results are unscored; each says why in `reason`{}\n",
               means_.unscored(), results_,
               none ? " (--against source compares with the source instead of references)" : "");
    return kUnscored;
  }

  const MetricRun& run_;
  std::vector<MetricSpec> specs_;
  std::shared_ptr<const WordNet> wordnet_;  // shared by the scorers of all threads
  RowReader reader_;
  std::size_t threads_;
  std::vector<std::string> dimensions_;
  Systems systems_;
  Means means_;
  std::size_t results_ = 0;
  std::string name_;  // of the run
};

}  // namespace

int run_metrics(const MetricRun& run) { return Metrics(run).run(); }

}  // namespace assay::cli
