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
