#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assay/judge.h"
#include "assay/method.h"
#include "methods/checkeval.h"
#include "methods/decompeval.h"
#include "methods/hypoeval.h"
#include "methods/pairs.h"
#include "methods/rating.h"
#include "methods/seal.h"
#include "rubric/library.h"

namespace assay {

enum class Arity { kRow, kGroup, kMetric, kImported };

struct MethodInfo {
  std::string name;
  Arity arity = Arity::kRow;
  std::string summary;
  std::string source;  // the paper, or why it is there
};

// Options of every method; each reads its own.
struct MethodOptions {
  SealOptions seal;
  CheckevalOptions checkeval;
  RateOptions rating;  // seeval, g-eval, analyze-rate, rate-explain, direct, few-shot
  HypoEvalOptions hypoeval;
  DecompEvalOptions decompeval;
  PairsOptions pairs;
};

// What a method is made for.
struct MethodContext {
  const RubricLibrary& library;
  std::string task;
  std::string dimension;
  Capabilities judge;
  MethodOptions options;
  std::optional<Artefact> artefact;  // what make_preparation's method gave, or the user's own
};

// Every method, in the order shown. A new one is a line here and in make_method.
std::vector<MethodInfo> method_list();
const MethodInfo& method_info(
    const std::string& name);  // throws ConfigError, naming the known ones

// What must be prepared once for all rows before the method can be made; null where nothing must
// be.
std::unique_ptr<PrepareMethod> make_preparation(const std::string& name,
                                                const MethodContext& context);

// Throws ConfigError: an unknown name (with the known ones), a rubric without the part the method
// needs, or a judge that cannot do what it asks for. Row methods and group methods each have their
// own.
std::unique_ptr<RowMethod> make_method(const std::string& name, const MethodContext& context);
std::unique_ptr<GroupMethod> make_group_method(const std::string& name,
                                               const MethodContext& context);

// Throws ConfigError where the judge lacks what the method needs.
void check_needs(const Method& method, const std::string& judge, const Capabilities& can);

}  // namespace assay
