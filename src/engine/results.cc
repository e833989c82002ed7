#include "engine/results.h"

#include <fmt/core.h>

#include <cmath>

namespace assay {
namespace {

void add_usage(Result& result, const RowWork& work) {
  result.usage += work.usage;
  for (const auto& [stage, usage] : work.stages) {
    bool there = false;
    for (auto& [name, sum] : result.stages) {
      if (name == stage) sum += usage, there = true;
    }
    if (!there) result.stages.emplace_back(stage, usage);
  }
}

double deviation_of(const std::vector<Evidence>& repeats, double mean) {
  double squares = 0;
  int n = 0;
  for (const Evidence& repeat : repeats) {
    if (repeat.value) squares += (*repeat.value - mean) * (*repeat.value - mean), ++n;
  }
  return n < 2 ? 0 : std::sqrt(squares / (n - 1));
}

}  // namespace

Result result_header(const Sample& sample, const Method& method, const Judge& judge,
                     const std::string& run) {
  Result result;
  result.id = sample.id;
  result.group = sample.group;
  result.system = sample.system;
  result.dimension = method.dimension();
  result.method = method.name();
  result.judge = judge.name();
  result.judge_kind = judge.kind();
  result.layout = method.layout();
  result.run = run;
  return result;
}

void set_score(Result& result, const Score& score) {
  result.score = score.score;
  result.scale = score.scale;
  result.reason = score.reason;
  result.evidence = score.evidence;
}

Result result_of(std::span<const std::unique_ptr<RowWork>> repeats, const Judge& judge,
                 const std::string& run) {
  const RowWork& one = *repeats.front();
  Result result = result_header(one.row().sample, one.method(), judge, run);
  for (const auto& work : repeats) add_usage(result, *work);
  const Score& first = one.score();
  if (repeats.size() == 1) {
    set_score(result, first);
    return result;
  }
  result.scale = first.scale;
  std::vector<Evidence> trees;
  std::size_t unscored = 0;
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    Evidence tree = repeats[i]->score().evidence;
    tree.label = fmt::format("repeat/{}", i + 1);
    if (!repeats[i]->score().score) {
      ++unscored;
      tree.op = Op::kLeaf;  // what evidence there is must not be added up
      tree.value.reset();
      if (result.reason.empty()) result.reason = repeats[i]->score().reason;
    }
    trees.push_back(std::move(tree));
  }
  result.evidence = node(first.evidence.label, Op::kMean, std::move(trees));
  result.score = result.evidence.value;
  if (!result.score) return result;
  result.reason.clear();
  result.deviation = deviation_of(result.evidence.children, *result.score);
  if (unscored > 0)
    result.evidence.note =
        fmt::format("{} of {} repeats unscored and left out", unscored, repeats.size());
  if (judge.capabilities().deterministic)
    result.evidence.note = "the judge is deterministic: a deviation of 0 says nothing";
  return result;
}

}  // namespace assay
