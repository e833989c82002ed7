#include "judges/openai_body.h"

#include <fmt/format.h>

#include "answer/schema.h"
#include "core/content_key.h"
#include "judges/question_json.h"

namespace assay {
namespace {

// Grammar-constrained decoding changes the probabilities of the first token on some servers, and
// puts JSON punctuation before the answer on all: where they are wanted, these shapes are asked for
// in plain words.
bool answered_in_a_word(const AnswerSpec& spec) {
  return std::holds_alternative<YesNo>(spec) || std::holds_alternative<Number>(spec) ||
         std::holds_alternative<Choice>(spec);
}

template <class... Args>
void put(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

void put_format(ChatBody& body, const Request& request) {
  if (request.sampling.probabilities && answered_in_a_word(request.answer)) return;
  const std::string schema = answer_schema(request.answer);
  if (schema.empty()) return;
  body.json += R"(,"response_format":{"type":"json_schema","json_schema":{"name":"answer",)"
               R"("strict":true,"schema":)";
  body.json.append(schema).append("}}");
  body.sent |= kResponseFormat;
}

void put_limit(ChatBody& body, const Sampling& sampling, const Dialect& dialect) {
  const Parameter parameter = dialect.completion_tokens ? kMaxCompletionTokens : kMaxTokens;
  if (!dialect.sends(parameter)) return;
  put(body.json, ",\"{}\":{}", dialect.completion_tokens ? "max_completion_tokens" : "max_tokens",
      sampling.max_tokens);
  body.sent |= parameter;
}

}  // namespace

std::string learn(Dialect& dialect, Parameter parameter) {
  if (!dialect.sends(parameter)) return {};
  switch (parameter) {
    case kTopLogprobs:
      if (dialect.top_logprobs > 5) {
        dialect.top_logprobs = 5;
        return "the server rejects 20 candidate tokens: asked for 5";
      }
      return learn(dialect, kLogprobs);
    case kMaxTokens:
      if (dialect.completion_tokens) return {};
      dialect.completion_tokens = true;
      return "the server rejects max_tokens: asked with max_completion_tokens";
    default:
      break;
  }
  dialect.without |= parameter;
  switch (parameter) {
    case kResponseFormat:
      return "the server rejects response_format: asked without it, replies are only parsed";
    case kSeed:
      return "the server rejects seed: asked without it";
    case kLogprobs:
      return "the server rejects logprobs: asked without them, answers carry no probabilities";
    case kTemperature:
      return "the server rejects temperature: asked without it, at the server's own";
    case kTopP:
      return "the server rejects top_p: asked without it";
    case kN:
      return "the server does not take n: draws are asked one by one";
    case kCacheControl:
      return "the server rejects cache_control: asked without it, nothing is kept in its prompt "
             "cache";
    default:
      return "the server rejects a limit on the reply's length: asked without it";
  }
}

ChatBody chat_body(const std::string& model, const Request& request, const Dialect& dialect,
                   int draws) {
  ChatBody body{begin_body(model, request.messages)};
  std::string& out = body.json;
  const Sampling& sampling = request.sampling;
  out += R"(,"messages":)";
  append_messages(out, request.messages);
  if (dialect.sends(kTemperature)) {
    put(out, ",\"temperature\":{}", sampling.temperature);
    body.sent |= kTemperature;
  }
  if (dialect.sends(kTopP) && sampling.top_p != 1) {
    put(out, ",\"top_p\":{}", sampling.top_p);
    body.sent |= kTopP;
  }
  put_limit(body, sampling, dialect);
  if (dialect.sends(kResponseFormat)) put_format(body, request);
  if (dialect.sends(kLogprobs) && sampling.probabilities) {
    put(out, ",\"logprobs\":true,\"top_logprobs\":{}", dialect.top_logprobs);
    body.sent |= kLogprobs | kTopLogprobs;
  }
  if (dialect.sends(kSeed)) {
    put(out, ",\"seed\":{}", sampling.seed + request.draw);
    body.sent |= kSeed;
  }
  if (draws > 1) {
    put(out, ",\"n\":{}", draws);
    body.sent |= kN;
  }
  out += '}';
  return body;
}

}  // namespace assay
