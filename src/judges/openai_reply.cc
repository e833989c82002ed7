// What chat servers send back, read with suspicion: every field may be missing or of another type.
// Fuzzed in tests/judges/openai_reply_test.cc.
#include "judges/openai_reply.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "judges/json_fields.h"
#include "judges/token_probs.h"

namespace assay {
namespace {

using fields::count_of;
using fields::Json;
using fields::member;
using fields::string_of;

// A content is a string, or a list of parts of which some hold text.
std::optional<std::string> content_of(const Json& content) {
  if (content.is_string()) return content.get<std::string>();
  if (!content.is_array()) return std::nullopt;
  std::string text;
  for (const Json& part : content) text += string_of(member(part, "text"));
  return text;
}

std::vector<TokenChoice> tokens_of(const Json& logprobs) {
  std::vector<TokenChoice> tokens;
  const Json& content = member(logprobs, "content");
  if (!content.is_array()) return tokens;
  for (const Json& item : content) {
    TokenChoice place{string_of(member(item, "token")), {}};
    const Json& top = member(item, "top_logprobs");
    if (top.is_array()) {
      for (const Json& candidate : top) {
        const Json& log = member(candidate, "logprob");
        if (!log.is_number()) continue;
        const double p = std::exp(std::min(0.0, log.get<double>()));
        place.top.push_back({string_of(member(candidate, "token")), std::isfinite(p) ? p : 0});
      }
    }
    tokens.push_back(std::move(place));
  }
  return tokens;
}

std::optional<ChatChoice> choice_of(const Json& item, const AnswerSpec& spec, bool probabilities) {
  const Json& message = member(item, "message");
  if (!message.is_object()) return std::nullopt;
  ChatChoice choice;
  const std::string finish = string_of(member(item, "finish_reason"));
  const std::string refusal = string_of(member(message, "refusal"));
  const auto content = content_of(member(message, "content"));
  if (!refusal.empty()) {
    choice.status = Status::kRefused;
    choice.problem = "the judge declined: " + refusal;
  } else if (finish == "content_filter") {
    choice.status = Status::kRefused;
    choice.problem = "the server's content filter stopped the reply";
  } else if (!content) {
    return std::nullopt;
  }
  choice.text = content.value_or(refusal);
  if (finish == "length") choice.problem = "the reply was cut off at max_tokens";
  if (probabilities) choice.probs = option_probs(spec, tokens_of(member(item, "logprobs")));
  return choice;
}

std::string lower(std::string text) {
  for (char& c : text) c = (c >= 'A' && c <= 'Z') ? static_cast<char>(c + 32) : c;
  return text;
}

template <std::size_t N>
bool has_any(const std::string& text, const std::array<const char*, N>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

struct ErrorBody {
  std::string message, type, code, param;  // all but message in lower case
};

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
}

// {"error":{"message","type","code","param"}}, {"error":"..."}, {"message":"..."}, {"detail":...},
// or no JSON.
ErrorBody error_body(std::string_view body) {
  constexpr std::size_t kLooked = 65536;
  ErrorBody out;
  const Json json = Json::parse(body.substr(0, kLooked), nullptr, false);
  if (!json.is_object()) {
    out.message = fields::is_markup(body) ? "an HTML page" : std::string(body.substr(0, 2000));
    return out;
  }
  const Json& error = member(json, "error");
  const Json& from = error.is_object() ? error : json;
  out.message = string_of(error);
  for (const char* name : {"message", "detail", "error"}) {
    if (out.message.empty()) out.message = text_of(member(from, name));
  }
  out.type = lower(text_of(member(from, "type")));
  out.code = lower(text_of(member(from, "code")));
  out.param = lower(string_of(member(from, "param")));
  return out;
}

struct ParameterWords {
  Parameter parameter;
  std::string_view field;
  std::array<std::string_view, 3> said;  // other spellings in messages
  bool by_value;  // a complaint about its value is one about the parameter: ours cannot be changed
};

// "top_logprobs" stands before "logprobs", whose name it holds.
constexpr std::array<ParameterWords, 10> kParameters = {{
    {kTopLogprobs, "top_logprobs", {"max_logprobs"}, true},
    {kLogprobs, "logprobs", {"log probabilities", "logprob"}, true},
    {kResponseFormat, "response_format", {"json_schema", "structured output", "grammar"}, true},
    {kMaxTokens, "max_tokens", {}, false},
    {kMaxCompletionTokens, "max_completion_tokens", {}, false},
    {kTemperature, "temperature", {}, false},
    {kTopP, "top_p", {}, false},
    {kSeed, "seed", {}, true},
    {kCacheControl, "cache_control", {}, true},
    {kN, "n", {"'n'", "`n`", "\"n\""}, true},
}};

constexpr std::array<const char*, 13> kUnknown = {
    "unsupported",   "not support",  "unknown",       "unrecognized", "unrecognised",
    "not allowed",   "extra input",  "not permitted", "extra fields", "unexpected",
    "not implement", "only the def", "deprecated"};
constexpr std::array<const char*, 6> kBadValue = {"invalid",   "must be", "should be",
                                                  "failed to", "cannot",  "not available"};

bool names(const ParameterWords& words, const ErrorBody& error, const std::string& message) {
  if (error.param == words.field) return true;
  if (error.param.starts_with(std::string(words.field) + ".")) return true;
  // A lone letter is in every message; n counts only in quotes.
  if (words.parameter != kN && message.find(words.field) != std::string::npos) return true;
  return std::any_of(words.said.begin(), words.said.end(), [&](std::string_view said) {
    return !said.empty() && message.find(said) != std::string::npos;
  });
}

std::optional<Parameter> rejected_parameter(const ErrorBody& error, unsigned sent) {
  const std::string message = lower(error.message.substr(0, 1000));
  const bool unknown = has_any(message, kUnknown) || error.code.starts_with("unsupported") ||
                       error.code.starts_with("unknown");
  const bool bad_value = has_any(message, kBadValue);
  for (const ParameterWords& words : kParameters) {
    if ((sent & words.parameter) == 0 || !names(words, error, message)) continue;
    if (unknown || (bad_value && words.by_value)) return words.parameter;
  }
  return std::nullopt;
}

bool too_long(const ErrorBody& error) {
  constexpr std::array<const char*, 5> kWords = {"context length", "maximum context",
                                                 "context size", "too long", "context window"};
  return error.code == "context_length_exceeded" || has_any(lower(error.message), kWords);
}

bool quota_spent(int status, const ErrorBody& error) {
  constexpr std::array<const char*, 4> kWords = {"quota", "billing", "insufficient_funds",
                                                 "credit"};
  return status == 402 ||
         (status == 429 && (has_any(error.type, kWords) || has_any(error.code, kWords)));
}

ErrorKind kind_of(int status, const ErrorBody& error) {
  if (quota_spent(status, error)) return ErrorKind::kQuota;
  if (status == 429 || status == 503 || status == 504 || status == 529)
    return ErrorKind::kThrottled;
  if (status >= 500 || status == 408 || status == 409 || status == 425) return ErrorKind::kAgain;
  if (status == 400 || status == 413 || status == 422) return ErrorKind::kRequest;
  return ErrorKind::kSetup;
}

// What the user can do about it, before the server's own words.
const char* remedy(int status, const ErrorBody& error) {
  if (status >= 300 && status < 400)
    return "the server redirects and no redirect is followed: check the base URL";
  if (status == 401) return "the server does not accept the API key";
  if (status == 403) return "the API key may not do this";
  if (status == 404) return "no such model or path: check the model and the base URL";
  if (too_long(error)) return "the question is too long for the model's context";
  return "";
}

}  // namespace

ChatReply read_chat(std::string_view body, const AnswerSpec& spec, bool probabilities) {
  ChatReply reply;
  Json json;
  reply.problem = fields::parse(body, json);
  if (!reply.problem.empty()) return reply;
  const Json& choices = member(json, "choices");
  if (!choices.is_array()) {
    reply.problem = "the reply holds no choices";
    return reply;
  }
  for (const Json& item : choices) {
    if (auto choice = choice_of(item, spec, probabilities)) {
      reply.choices.push_back(std::move(*choice));
    }
  }
  if (reply.choices.empty()) {
    reply.problem = choices.empty() ? "the list of choices is empty" : "no choice holds a message";
  }
  const Json& usage = member(json, "usage");
  reply.prompt_tokens = count_of(member(usage, "prompt_tokens"));
  reply.completion_tokens = count_of(member(usage, "completion_tokens"));
  reply.cached_tokens = count_of(member(member(usage, "prompt_tokens_details"), "cached_tokens"));
  reply.cached_tokens = std::min(reply.cached_tokens, reply.prompt_tokens);
  return reply;
}

ServerError read_error(int status, std::string_view body, unsigned sent) {
  const ErrorBody error = error_body(body);
  ServerError out;
  out.kind = kind_of(status, error);
  const bool may_name = status == 400 || status == 422 || status == 500 || status == 501;
  if (may_name && !too_long(error)) out.parameter = rejected_parameter(error, sent);
  if (out.parameter) out.kind = ErrorKind::kParameter;
  const std::string hint = remedy(status, error);
  out.message = hint.empty()            ? error.message
                : error.message.empty() ? hint
                                        : fmt::format("{} ({})", hint, error.message);
  return out;
}

}  // namespace assay
