#include "methods/registry.h"

#include <fmt/core.h>

#include "assay/error.h"
#include "methods/metric_method.h"

namespace assay {
namespace {

std::unique_ptr<RowMethod> make_seal(const MethodContext& context) {
  SealOptions options = context.options.seal;
  options.lexical = !context.judge.generation && !context.judge.grades;
  // A batched answer carries no probabilities, except a lexical judge's.
  options.probabilities = context.judge.probabilities &&
                          (options.lexical || options.ask == SealOptions::Asking::kAtomic);
  return std::make_unique<Seal>(
      context.library.get(context.task, context.dimension),
      [&](const std::string& id) -> const Prompt& { return context.library.prompt(id); }, options);
}

std::vector<MethodInfo> evaluators() {
  return {
      {"seal", Arity::kRow, "semantic units, yes/no sub-dimensions, weights by the judge, added up by a fixed rule",
       "SEAL: Structured Evaluation via LLMs for Text Generation"},
  };
}

// Known by their published scores only: `assay meta` and `assay compare` read them.
std::vector<MethodInfo> imported_scores() {
  const auto imported = [](const char* name, const char* why) {
    return MethodInfo{name, Arity::kImported, fmt::format("scores imported, not computed: {}", why), ""};
  };
  return {imported("usr", "its trained models are not redistributed"),
          imported("factcc", "its trained classifier is not redistributed"),
          imported("qags", "its question generation and answering models are not redistributed"),
          imported("tigerscore", "its 7B and 13B weights are too large to bring along"),
          imported("hd-eval", "its trained aggregators are not released"),
          imported("bartscore", "needs an encoder-decoder model in the process"),
          imported("ctrleval", "needs an encoder-decoder model in the process"),
          imported("unieval", "needs a T5 model in the process")};
}

}  // namespace

std::vector<MethodInfo> method_list() {
  std::vector<MethodInfo> all = evaluators();
  for (const MetricInfo& metric : metric_list()) {
    all.push_back({std::string(metric.name), Arity::kMetric, std::string(metric.summary), "reference metric (docs/metrics.md)"});
  }
  for (MethodInfo& imported : imported_scores()) all.push_back(std::move(imported));
  return all;
}

const MethodInfo& method_info(const std::string& name) {
  static const std::vector<MethodInfo> all = method_list();
  std::string known;
  for (const MethodInfo& info : all) {
    if (info.name == name) return info;
    known += (known.empty() ? "" : ", ") + info.name;
  }
  throw ConfigError(fmt::format("--method {}: there is no such method; known: {}", name, known));
}

std::unique_ptr<PrepareMethod> make_preparation(const std::string& name, const MethodContext& context) {
  (void)context;
  method_info(name);
  return nullptr;
}

std::unique_ptr<RowMethod> make_method(const std::string& name, const MethodContext& context) {
  if (name == "seal") return make_seal(context);
  if (is_metric(name)) return make_metric_method(resolve_metrics({.names = {name}})[0], context.dimension);
  throw ConfigError(fmt::format("--method {}: it scores no single rows; see `assay methods`", method_info(name).name));
}

std::unique_ptr<GroupMethod> make_group_method(const std::string& name, const MethodContext& context) {
  (void)context;
  throw ConfigError(fmt::format("--method {}: it ranks no groups; see `assay methods`", method_info(name).name));
}

void check_needs(const Method& method, const std::string& judge, const Capabilities& can) {
  const Needs needs = method.needs();
  const auto lacks = [&](const char* what) {
    throw ConfigError(fmt::format("{} needs a judge that {}; {} does not", method.name(), what, judge));
  };
  if (needs.generation && !can.generation) lacks("writes text");
  if (needs.grades && !can.grades) lacks("grades on a scale");
  if (needs.probabilities && !can.probabilities) lacks("gives probabilities");
  if (needs.log_likelihood && !can.log_likelihood) lacks("gives log-likelihoods");
}

}  // namespace assay
