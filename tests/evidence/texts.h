#pragma once

#include <deque>
#include <string_view>

#include "evidence/evidence.h"
#include "evidence/kinds.h"

namespace assay {

// The texts of one test, by hand: `in` is what a measure is called with, the unit being the whole
// output.
struct Texts {
  explicit Texts(std::string_view output, std::string_view source = {}) : analyzer(words) {
    in.output = of(output);
    in.unit = whole(*in.output);
    if (!source.empty()) in.source = of(source);
  }
  const Analysis* of(std::string_view text) { return &kept.emplace_back(analyzer.analyse(text)); }
  // The unit is sentences [first, last], counted from 0.
  Texts& unit(std::size_t first, std::size_t last) {
    in.unit = {in.output, in.output->sentences[first].first, in.output->sentences[last].last};
    return *this;
  }

  WordList words;
  Analyzer analyzer;
  std::deque<Analysis> kept;
  EvidenceInput in;
};

}  // namespace assay
