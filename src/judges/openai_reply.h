#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/judge.h"
#include "judges/openai_body.h"

namespace assay {

struct ChatChoice {
  Status status = Status::kOk;  // ok or refused
  std::string text;
  std::vector<OptionProb> probs;
  std::string problem;
};

struct ChatReply {
  std::string problem;  // not empty: this is no chat completion, ask again
  std::vector<ChatChoice> choices;
  std::int64_t prompt_tokens = 0;
  std::int64_t cached_tokens = 0;
  std::int64_t written_tokens = 0;  // into the server's prompt cache; part of prompt_tokens
  std::int64_t completion_tokens = 0;
};

// Reads the body of a 200. Anything may come: HTML, half a reply, JSON of another shape.
ChatReply read_chat(std::string_view body, const AnswerSpec& spec, bool probabilities);

enum class ErrorKind {
  kAgain,      // may pass: 5xx, 408, 409
  kThrottled,  // too much at once: 429, 503, 529
  kQuota,      // nothing left to spend: no retry can help
  kParameter,  // the server does not know a parameter
  kRequest,    // this request is refused for good; others may be answered
  kSetup,      // every request will be refused: key, model, path
};

struct ServerError {
  ErrorKind kind = ErrorKind::kAgain;
  std::optional<Parameter> parameter;
  std::string message;  // the server's words, or ours; not yet redacted
};

// Reads any other status. `sent`: the Parameters in the request.
ServerError read_error(int status, std::string_view body, unsigned sent);

}  // namespace assay
