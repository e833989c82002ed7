#pragma once

#include "assay/question.h"
#include "assay/verdict.h"

namespace assay {

// A made-up answer, for plans: which further questions a method asks depends on what it hears, so
// it is stepped once with answers that lead to few questions and once with answers that lead to
// many. Never a score, never stored.
enum class Leaning { kFew, kMany };
Verdict imagined(const Question& question, Leaning leaning);

// How many tokens a reply of this shape takes, at least and at most, where nothing goes wrong.
struct ReplySize {
  std::int64_t least = 1;
  std::int64_t most = 1;
};
ReplySize reply_size(const Question& question);

}  // namespace assay
