#pragma once

#include "assay/engine.h"

namespace assay {

// Draws of one repeat stay below this, so that repeats never share a draw.
constexpr int kDrawsPerRepeat = 1'000'000;

inline int draw_of(const Question& question, const Work& work) {
  return question.draw + work.repeat() * kDrawsPerRepeat;
}

}  // namespace assay
