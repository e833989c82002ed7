#include "engine/works.h"

#include <stdexcept>

namespace assay {
namespace {

Judge& judge_for(const JudgeRoles& judges, const std::string& role) {
  auto found = judges.find(role);
  if (found == judges.end()) found = judges.find("judge");
  if (found == judges.end()) throw std::logic_error("no judge was given for the role " + role);
  return *found->second;
}

// The end of a step: either more questions, or the result is kept.
template <class StepType, class Result>
std::optional<Ask> keep(StepType step, Result& result) {
  if (auto* ask = std::get_if<Ask>(&step)) return std::move(*ask);
  result = std::move(std::get<Result>(step));
  return std::nullopt;
}

}  // namespace

std::optional<Ask> RowWork::step(const Transcript& transcript) {
  return keep(method_.next(row_->sample, transcript), score_);
}
Judge& RowWork::judge(const std::string& role) { return judge_for(judges_, role); }

std::optional<Ask> GroupWork::step(const Transcript& transcript) {
  return keep(method_.next(samples_, transcript), scores_);
}
Judge& GroupWork::judge(const std::string& role) { return judge_for(judges_, role); }

std::optional<Ask> PrepareWork::step(const Transcript& transcript) {
  return keep(method_.next(preparation_, transcript), artefact_);
}
Judge& PrepareWork::judge(const std::string& role) { return judge_for(judges_, role); }

}  // namespace assay
