#include "methods/registry.h"

#include <fmt/core.h>

#include "assay/error.h"

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

}  // namespace

std::vector<MethodInfo> method_list() {
  return {
      {"seal", Arity::kRow, "semantic units, yes/no sub-dimensions, weights by the judge, added up by a fixed rule",
       "SEAL: Structured Evaluation via LLMs for Text Generation"},
  };
}

std::unique_ptr<RowMethod> make_method(const std::string& name, const MethodContext& context) {
  if (name == "seal") return make_seal(context);
  std::string known;
  for (const MethodInfo& info : method_list()) known += (known.empty() ? "" : ", ") + info.name;
  throw ConfigError(fmt::format("--method {}: there is no such method; known: {}", name, known));
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
