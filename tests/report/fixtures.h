#pragma once

#include <string>
#include <utility>

#include "assay/result.h"

namespace assay::testing {

// A row and its result as SEAL makes them: two sentence pairs, the second without a link.
inline Sample bridge_sample() {
  Sample sample{"news-07", "news", "lead-3", {}};
  sample.fields.output =
      "The bridge opened on Monday. The mayor cut the ribbon. Bananas are rich in potassium.";
  return sample;
}

inline Evidence unit(std::string label, std::size_t begin, std::size_t end, double value,
                     std::string note) {
  Evidence sub;
  sub.label = label + "/logical-continuity";
  sub.value = value;
  sub.note = std::move(note);
  Evidence unit;
  unit.label = std::move(label);
  unit.op = Op::kWeighted;
  unit.value = value;
  unit.span = Span{"output", begin, end};
  unit.children = {sub};
  return unit;
}

inline Result bridge_result() {
  Result result;
  result.id = "news-07";
  result.group = "news";
  result.system = "lead-3";
  result.dimension = "coherence";
  result.method = "seal";
  result.judge = "builtin";
  result.judge_kind = "lexical baseline, not an LLM";
  result.layout = "shared";
  result.score = 0.5;
  result.scale = Scale{};
  result.evidence.label = "coherence";
  result.evidence.op = Op::kMean;
  result.evidence.value = 0.5;
  result.evidence.children = {
      unit("units/1", 0, 54, 1, ""),
      unit("units/2", 29, 85, 0, "the sentences share no name and no word")};
  result.usage = {3, 100, 20, 7, 0.25, 1.5};
  result.stages = {{"verdicts", {3, 100, 20, 7, 0.25, 1.5}}};
  result.run = "abc";
  return result;
}

}  // namespace assay::testing
