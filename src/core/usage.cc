#include "assay/verdict.h"

namespace assay {

Usage& Usage::operator+=(const Usage& other) {
  calls += other.calls;
  prompt_tokens += other.prompt_tokens;
  cached_tokens += other.cached_tokens;
  completion_tokens += other.completion_tokens;
  usd += other.usd;
  ms += other.ms;
  return *this;
}

}  // namespace assay
