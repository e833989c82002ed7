#include "methods/registry.h"

#include <fmt/core.h>

#include "assay/error.h"
#include "methods/analyze_rate.h"
#include "methods/direct.h"
#include "methods/geval.h"
#include "methods/metric_method.h"
#include "methods/rating_prepare.h"
#include "methods/seeval.h"

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

std::optional<RatingSetup> rating_setup(const std::string& name, const MethodContext& context) {
  const RateOptions& options = context.options.rating;
  const auto rubric = [&]() -> const Rubric& {
    return context.library.get(context.task, context.dimension);
  };
  const auto setup = [&](RatingKind kind) {
    return RatingSetup(std::move(kind), rubric(), options, context.judge);
  };
  if (name == "seeval") return setup(seeval_kind(rubric()));
  if (name == "g-eval") return setup(geval_kind());
  if (name == "analyze-rate") return setup(analyze_rate_kind());
  if (name == "rate-explain") return setup(rate_explain_kind());
  if (name == "direct") return setup(direct_kind(options));
  if (name == "few-shot") return setup(few_shot_kind(options));
  return std::nullopt;
}

PromptSource prompts_of(const MethodContext& context) {
  return [&library = context.library](const std::string& id) -> const Prompt& {
    return library.prompt(id);
  };
}

// Both read a probability off each answer; where the judge has none the user must say what to do
// without.
void check_probs(const char* name, const ProbSource& probs, const MethodContext& context,
                 const char* instead) {
  if (probs.kind != ProbSource::Kind::kLogprobs || context.judge.probabilities ||
      !context.judge.generation)
    return;
  throw ConfigError(fmt::format(
      "{} reads log-probabilities, which this judge does not give; use {}", name, instead));
}

std::unique_ptr<RowMethod> make_checkeval(const MethodContext& context) {
  const CheckevalOptions& options = context.options.checkeval;
  if (!context.judge.generation) {
    throw ConfigError(
        "checkeval asks questions in words, which this judge cannot read; use another --judge (see "
        "`assay judges`)");
  }
  const Checklist checklist = find_checklist(options.checklists, context.task, context.dimension);
  std::optional<ChecklistWeights> weights;
  if (!options.weights.empty())
    weights = find_checklist_weights(options.weights, context.task, context.dimension);
  return std::make_unique<Checkeval>(context.library.get(context.task, context.dimension),
                                     checklist, std::move(weights), prompts_of(context), options);
}

std::unique_ptr<RowMethod> make_hypoeval(const MethodContext& context) {
  const HypoEvalOptions& options = context.options.hypoeval;
  return std::make_unique<HypoEval>(context.library.get(context.task, context.dimension),
                                    prompts_of(context), options,
                                    banks_for(options.banks, context.task, context.dimension));
}

std::unique_ptr<RowMethod> make_decompeval(const MethodContext& context) {
  check_probs("decompeval", context.options.decompeval.probs, context, "--probs sample:20");
  return std::make_unique<DecompEval>(
      context.library.get(context.task, context.dimension),
      [&](const std::string& id) -> const Prompt& { return context.library.prompt(id); },
      context.options.decompeval);
}

std::unique_ptr<GroupMethod> make_pairs(const MethodContext& context) {
  check_probs("pairs", context.options.pairs.probs, context, "--probs sample:20 or --probs none");
  return std::make_unique<Pairs>(
      context.library.get(context.task, context.dimension),
      [&](const std::string& id) -> const Prompt& { return context.library.prompt(id); },
      context.options.pairs);
}

std::vector<MethodInfo> evaluators() {
  return {
      {"seal", Arity::kRow,
       "semantic units, yes/no sub-dimensions, weights by the judge, added up by a fixed rule",
       "SEAL: Structured Evaluation via LLMs for Text Generation"},
      {"checkeval", Arity::kRow,
       "a checklist of yes/no questions; the score is the share answered with yes",
       "CheckEval: A reliable LLM-as-a-Judge framework for evaluating text generation using "
       "checklists"},
      {"hypoeval", Arity::kRow,
       "hypotheses learned from labelled rows (`assay learn`) score the text; the mean is the "
       "score",
       "HypoEval: Hypothesis-Guided Evaluation for Natural Language Generation"},
      {"decompeval", Arity::kRow,
       "a yes/no question about each sentence, then P(yes) of the whole with those answers as "
       "evidence",
       "DecompEval: Evaluating Generated Texts as Unsupervised Decomposed Question Answering"},
      {"pairs", Arity::kGroup,
       "ranks the rows of a group by pairwise preference along a merge sort (`assay rank`)",
       "PairS: Aligning with Human Judgement: The Role of Pairwise Preference in Large Language "
       "Model Evaluators"},
      {"seeval", Arity::kRow,
       "the judge explains the task to itself once, then rates each row in the same dialogue",
       "SEEval: Advancing LLM Text Evaluation Efficiency and Accuracy through Self-Explanation "
       "Prompting"},
      {"g-eval", Arity::kRow,
       "criterion and generated steps; the expected score over the scale's points",
       "G-Eval: NLG Evaluation using GPT-4 with Better Human Alignment"},
      {"analyze-rate", Arity::kRow, "an analysis of the text, then its rating",
       "A Closer Look into Automatic Evaluation Using Large Language Models"},
      {"rate-explain", Arity::kRow, "a rating, then the reasons for it",
       "A Closer Look into Automatic Evaluation Using Large Language Models"},
      {"direct", Arity::kRow, "a number on the scale, with or without reasons: the plain baseline",
       "baseline"},
      {"few-shot", Arity::kRow, "a number on the scale after a few labelled rows", "baseline"},
  };
}

// Known by their published scores only: `assay meta` and `assay compare` read them.
std::vector<MethodInfo> imported_scores() {
  const auto imported = [](const char* name, const char* why) {
    return MethodInfo{name, Arity::kImported, fmt::format("scores imported, not computed: {}", why),
                      ""};
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
    all.push_back({std::string(metric.name), Arity::kMetric, std::string(metric.summary),
                   "reference metric (docs/metrics.md)"});
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

std::unique_ptr<PrepareMethod> make_preparation(const std::string& name,
                                                const MethodContext& context) {
  method_info(name);
  if (auto rating = rating_setup(name, context); rating && rating->prepares()) {
    return std::make_unique<RatingPreparation>(std::move(*rating), prompts_of(context));
  }
  return nullptr;
}

std::unique_ptr<RowMethod> make_method(const std::string& name, const MethodContext& context) {
  if (name == "seal") return make_seal(context);
  if (name == "checkeval") return make_checkeval(context);
  if (name == "hypoeval") return make_hypoeval(context);
  if (name == "decompeval") return make_decompeval(context);
  if (auto rating = rating_setup(name, context)) {
    return std::make_unique<RatingMethod>(std::move(*rating), prompts_of(context),
                                          context.artefact);
  }
  if (is_metric(name))
    return make_metric_method(resolve_metrics({.names = {name}})[0], context.dimension);
  throw ConfigError(fmt::format("--method {}: it scores no single rows; see `assay methods`",
                                method_info(name).name));
}

std::unique_ptr<GroupMethod> make_group_method(const std::string& name,
                                               const MethodContext& context) {
  if (name == "pairs") return make_pairs(context);
  throw ConfigError(
      fmt::format("--method {}: it ranks no groups; see `assay methods`", method_info(name).name));
}

void check_needs(const Method& method, const std::string& judge, const Capabilities& can) {
  const Needs needs = method.needs();
  const auto lacks = [&](const char* what) {
    throw ConfigError(
        fmt::format("{} needs a judge that {}; {} does not", method.name(), what, judge));
  };
  if (needs.generation && !can.generation) lacks("writes text");
  if (needs.grades && !can.grades) lacks("grades on a scale");
  if (needs.probabilities && !can.probabilities) lacks("gives probabilities");
  if (needs.log_likelihood && !can.log_likelihood) lacks("gives log-likelihoods");
}

}  // namespace assay
