#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/bleu.h"
#include "metrics/rouge155.h"
#include "metrics/scorer.h"
#include "metrics/wordnet.h"

namespace assay {

// What a metric is and can be asked for; the first convention and the first rule are the defaults.
struct MetricInfo {
  struct Convention {
    std::string_view name;                // rouge155 | porter | nlg-eval | standard
    std::vector<std::string_view> rules;  // for several references: mean | max | joint
  };
  std::string_view name;
  std::string_view summary;
  std::vector<Convention> conventions;
  bool has_corpus = false;
};

// Every metric, in the order of listings.
const std::vector<MetricInfo>& metric_list();
bool is_metric(std::string_view name);

// What a user asked for. An option that none of the metrics has is refused, so that nothing is
// ignored.
struct MetricOptions {
  std::vector<std::string> names{};
  std::vector<std::string> conventions{};  // each metric takes the first that it has
  std::string references{};                // mean | max | joint; empty: the metric's own
  std::string against = "references";      // or "source": the source text is the one reference
  std::string measure{};                   // ROUGE: f | precision | recall; empty: f
  std::string smooth{};                    // BLEU: none | floor | add-k | exp; empty: exp
  std::string tokenize{};                  // BLEU: 13a | none; empty: 13a
  bool synonyms = true;                    // METEOR
  std::string wordnet{kWordNetFolder};     // METEOR: folder of the dictionary
  bool corpus = false;                     // one score per system
};

enum class ReferenceRule { kMean, kMax, kJoint };

// One metric, fully decided.
struct MetricSpec {
  std::string name;
  std::string convention;
  ReferenceRule rule = ReferenceRule::kMean;
  bool against_source = false;
  Measure measure = Measure::kF;
  BleuOptions bleu;
  bool synonyms = true;
  std::string wordnet;
};

// One spec per name, in order. ConfigError on an unknown name or a combination that does not exist.
std::vector<MetricSpec> resolve_metrics(const MetricOptions& options);

// Everything that changes values, in one line:
// "bleu-4|standard|references:joint|tok:13a|smooth:exp".
std::string metric_signature(const MetricSpec& spec);

// The dictionary where one of the metrics needs it, otherwise null. ConfigError where it is not
// there.
std::shared_ptr<const WordNet> metric_wordnet(std::span<const MetricSpec> specs);

std::unique_ptr<Scorer> make_scorer(const MetricSpec& spec,
                                    const std::shared_ptr<const WordNet>& wordnet);
// Only for metrics with `has_corpus`.
std::unique_ptr<CorpusScorer> make_corpus_scorer(const MetricSpec& spec);

std::string_view rule_name(ReferenceRule rule);

}  // namespace assay
