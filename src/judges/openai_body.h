#pragma once

#include <string>

#include "assay/judge.h"

namespace assay {

// Request parameters that servers are known to reject, as bits.
enum Parameter : unsigned {
  kResponseFormat = 1U << 0U,
  kSeed = 1U << 1U,
  kLogprobs = 1U << 2U,
  kTopLogprobs = 1U << 3U,  // the number of candidates, not the feature
  kTemperature = 1U << 4U,
  kTopP = 1U << 5U,
  kMaxTokens = 1U << 6U,
  kMaxCompletionTokens = 1U << 7U,
  kN = 1U << 8U,
  kCacheControl = 1U << 9U,
};

// What a server was found to reject. It starts by trusting it with everything.
struct Dialect {
  unsigned without = 0;
  int top_logprobs = 20;
  bool completion_tokens = false;  // max_completion_tokens in the place of max_tokens

  bool operator==(const Dialect&) const = default;
  bool sends(Parameter parameter) const { return (without & parameter) == 0; }
};

// Notes a rejection and says what changes for the user; empty when it was known before.
std::string learn(Dialect& dialect, Parameter parameter);

struct ChatBody {
  std::string json;
  unsigned sent = 0;  // Parameters in it
};

// The body of one chat-completions request; `draws` > 1 sends n. Draws sent one by one differ in
// the seed, or a server that honours it would repeat itself.
ChatBody chat_body(const std::string& model, const Request& request, const Dialect& dialect,
                   int draws);

}  // namespace assay
