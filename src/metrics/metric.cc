// The list of metrics, and the reading of what a user asks of them. Everything is decided and
// checked here, before the first row. Tested in tests/metrics/metric_test.cc.

#include "metrics/metric.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "assay/error.h"
#include "metrics/chrf.h"
#include "metrics/meteor.h"
#include "metrics/rouge.h"

namespace assay {
namespace {

bool is_rouge(std::string_view name) { return name.starts_with("rouge"); }
bool is_bleu(std::string_view name) { return name.starts_with("bleu"); }

std::vector<MetricInfo> build_list() {
  const MetricInfo::Convention porter{"porter", {"mean", "max"}};
  const MetricInfo::Convention rouge155{"rouge155", {"mean", "max"}};
  const MetricInfo::Convention nlg_rouge{"nlg-eval", {"joint", "mean", "max"}};
  const MetricInfo::Convention bleu{"standard", {"joint", "mean", "max"}};
  const MetricInfo::Convention nlg_bleu{"nlg-eval", {"joint", "mean", "max"}};
  const MetricInfo::Convention best{"standard", {"max", "mean"}};
  return {
      {"rouge-1", "shared words (ROUGE-1)", {porter, rouge155}, false},
      {"rouge-2", "shared pairs of words (ROUGE-2)", {porter, rouge155}, false},
      {"rouge-l", "longest common subsequence (ROUGE-L)", {porter, rouge155, nlg_rouge}, false},
      {"bleu-1", "BLEU of orders 1 to 1", {bleu, nlg_bleu}, true},
      {"bleu-2", "BLEU of orders 1 to 2", {bleu, nlg_bleu}, true},
      {"bleu-3", "BLEU of orders 1 to 3", {bleu, nlg_bleu}, true},
      {"bleu-4", "BLEU of orders 1 to 4", {bleu, nlg_bleu}, true},
      {"meteor", "words aligned by form, stem and WordNet synonym (METEOR 2005)", {best}, false},
      {"chrf", "character n-grams of orders 1 to 6 (chrF2)", {best}, true},
  };
}

const MetricInfo& find_metric(std::string_view name) {
  std::vector<std::string_view> names;
  for (const MetricInfo& info : metric_list()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  throw ConfigError(
      fmt::format("unknown metric \"{}\"; there are {}", name, fmt::join(names, ", ")));
}

const MetricInfo::Convention* find_convention(const MetricInfo& info, std::string_view name) {
  for (const auto& convention : info.conventions) {
    if (convention.name == name) return &convention;
  }
  return nullptr;
}

const MetricInfo::Convention& choose_convention(const MetricInfo& info,
                                                const std::vector<std::string>& wanted) {
  if (wanted.empty()) return info.conventions.front();
  for (const std::string& name : wanted) {
    if (const auto* convention = find_convention(info, name)) return *convention;
  }
  std::vector<std::string_view> names;
  for (const auto& convention : info.conventions) names.push_back(convention.name);
  throw ConfigError(fmt::format("{} has no convention \"{}\"; it has {}", info.name,
                                fmt::join(wanted, ","), fmt::join(names, ", ")));
}

ReferenceRule choose_rule(const MetricInfo& info, const MetricInfo::Convention& convention,
                          std::string_view wanted) {
  const std::string_view name = wanted.empty() ? convention.rules.front() : wanted;
  if (std::find(convention.rules.begin(), convention.rules.end(), name) == convention.rules.end()) {
    throw ConfigError(
        fmt::format("{} in convention {} cannot combine references by \"{}\"; it can by {}",
                    info.name, convention.name, name, fmt::join(convention.rules, ", ")));
  }
  return name == "mean"  ? ReferenceRule::kMean
         : name == "max" ? ReferenceRule::kMax
                         : ReferenceRule::kJoint;
}

template <class T>
T choose(std::string_view option, std::string_view wanted, T fallback,
         std::initializer_list<std::pair<std::string_view, T>> values) {
  if (wanted.empty()) return fallback;
  std::vector<std::string_view> names;
  for (const auto& [name, value] : values) {
    if (name == wanted) return value;
    names.push_back(name);
  }
  throw ConfigError(
      fmt::format("--{} is one of {}, not \"{}\"", option, fmt::join(names, ", "), wanted));
}

MetricSpec resolve(const std::string& name, const MetricOptions& options) {
  const MetricInfo& info = find_metric(name);
  if (options.corpus && !info.has_corpus) {
    throw ConfigError(
        fmt::format("{} has no corpus level; bleu-1 to bleu-4 and chrf have one", name));
  }
  const MetricInfo::Convention& convention = choose_convention(info, options.conventions);
  MetricSpec spec;
  spec.name = name;
  spec.convention = convention.name;
  spec.rule = choose_rule(info, convention, options.references);
  spec.against_source =
      choose("against", options.against, false, {{"references", false}, {"source", true}});
  spec.measure = choose(
      "measure", options.measure, Measure::kF,
      {{"f", Measure::kF}, {"precision", Measure::kPrecision}, {"recall", Measure::kRecall}});
  if (is_bleu(name)) spec.bleu.order = static_cast<std::size_t>(name.back() - '0');
  spec.bleu.nlg_eval = spec.convention == "nlg-eval";
  spec.bleu.smooth = choose("smooth", options.smooth, Smooth::kExp,
                            {{"none", Smooth::kNone},
                             {"floor", Smooth::kFloor},
                             {"add-k", Smooth::kAddK},
                             {"exp", Smooth::kExp}});
  spec.bleu.smooth_value = spec.bleu.smooth == Smooth::kAddK ? 1 : 0.1;
  spec.bleu.tokenize_13a =
      choose("tokenize", options.tokenize, true, {{"13a", true}, {"none", false}});
  spec.synonyms = options.synonyms;
  spec.wordnet = options.wordnet;
  return spec;
}

// Refuses an option that none of the metrics reads.
void check_used(const MetricOptions& options, const std::vector<MetricSpec>& specs) {
  const auto any = [&](auto test) { return std::any_of(specs.begin(), specs.end(), test); };
  const auto refuse = [](std::string_view option, std::string_view who) {
    throw ConfigError(fmt::format("--{} is for {}, and none of the metrics is one", option, who));
  };
  if (!options.measure.empty() && !any([](const auto& s) { return is_rouge(s.name); })) {
    refuse("measure", "ROUGE");
  }
  const bool standard = any([](const auto& s) { return is_bleu(s.name) && !s.bleu.nlg_eval; });
  if (!options.smooth.empty() && !standard) refuse("smooth", "BLEU in the standard convention");
  if (!options.tokenize.empty() && !standard) refuse("tokenize", "BLEU in the standard convention");
  if (!options.synonyms && !any([](const auto& s) { return s.name == "meteor"; })) {
    refuse("no-synonyms", "METEOR");
  }
  for (const std::string& name : options.conventions) {
    if (!any([&](const auto& s) { return s.convention == name; })) {
      throw ConfigError(fmt::format("--convention {}: none of the metrics uses it", name));
    }
  }
}

}  // namespace

const std::vector<MetricInfo>& metric_list() {
  static const std::vector<MetricInfo> list = build_list();
  return list;
}

bool is_metric(std::string_view name) {
  return std::any_of(metric_list().begin(), metric_list().end(),
                     [&](const auto& m) { return m.name == name; });
}

std::vector<MetricSpec> resolve_metrics(const MetricOptions& options) {
  if (options.names.empty()) throw ConfigError("no metric named; assay metric --help lists them");
  std::vector<MetricSpec> specs;
  for (const std::string& name : options.names) {
    if (std::any_of(specs.begin(), specs.end(), [&](const auto& s) { return s.name == name; })) {
      throw ConfigError(fmt::format("metric {} is named twice", name));
    }
    specs.push_back(resolve(name, options));
    if (options.corpus && specs.back().rule == ReferenceRule::kMean) {
      throw ConfigError(fmt::format("{} at corpus level has no mean over references", name));
    }
  }
  check_used(options, specs);
  return specs;
}

std::string_view rule_name(ReferenceRule rule) {
  return rule == ReferenceRule::kMean ? "mean" : rule == ReferenceRule::kMax ? "max" : "joint";
}

std::string metric_signature(const MetricSpec& spec) {
  std::string text = fmt::format("{}|{}", spec.name, spec.convention);
  text +=
      spec.against_source ? "|against:source" : fmt::format("|references:{}", rule_name(spec.rule));
  if (is_rouge(spec.name)) {
    text += spec.measure == Measure::kF           ? "|f"
            : spec.measure == Measure::kPrecision ? "|precision"
                                                  : "|recall";
  }
  if (is_bleu(spec.name) && !spec.bleu.nlg_eval) {
    const std::string_view smooth[] = {"none", "floor", "add-k", "exp"};
    text += fmt::format("|tok:{}|smooth:{}", spec.bleu.tokenize_13a ? "13a" : "none",
                        smooth[static_cast<int>(spec.bleu.smooth)]);
  }
  if (spec.name == "meteor") text += spec.synonyms ? "|synonyms:wordnet" : "|synonyms:none";
  return text;
}

std::shared_ptr<const WordNet> metric_wordnet(std::span<const MetricSpec> specs) {
  for (const MetricSpec& spec : specs) {
    if (spec.name == "meteor" && spec.synonyms) return WordNet::load(spec.wordnet);
  }
  return nullptr;
}

std::unique_ptr<Scorer> make_scorer(const MetricSpec& spec,
                                    const std::shared_ptr<const WordNet>& wordnet) {
  if (is_rouge(spec.name)) {
    const RougeKind kind = spec.name == "rouge-1"   ? RougeKind::k1
                           : spec.name == "rouge-2" ? RougeKind::k2
                                                    : RougeKind::kL;
    if (spec.convention == "rouge155") return make_rouge155(kind, spec.measure);
    if (spec.convention == "nlg-eval") return make_rouge_nlg_eval(spec.measure);
    return make_rouge_porter(kind, spec.measure);
  }
  if (is_bleu(spec.name)) return make_bleu(spec.bleu);
  if (spec.name == "chrf") return make_chrf();
  return make_meteor(spec.synonyms ? wordnet : nullptr);
}

std::unique_ptr<CorpusScorer> make_corpus_scorer(const MetricSpec& spec) {
  if (spec.name == "chrf") return make_corpus_chrf();
  return make_corpus_bleu(spec.bleu);
}

}  // namespace assay
