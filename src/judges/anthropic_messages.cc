// The Messages API on the wire. System turns stand apart from the others; the end of the shared
// part is a block of its own with a cache mark, so that the server keeps everything before it.
// Replies are read with suspicion: every field may be missing or of another type. Tested and fuzzed
// in tests/judges/anthropic_messages_test.cc.
#include "judges/anthropic_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "judges/json_fields.h"
#include "judges/question_json.h"
#include "text/json_text.h"

namespace assay {
namespace {

using fields::count_of;
using fields::Json;
using fields::member;
using fields::string_of;

bool blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// How much of message `index` stands before the mark: all of it, a part, or nothing known.
enum class Side { kBefore, kEndsHere, kAfter };
Side side_of(const Request& request, std::size_t index) {
  if (index + 1 < request.shared_messages) return Side::kBefore;
  return index + 1 == request.shared_messages ? Side::kEndsHere : Side::kAfter;
}

void put_block(std::string& out, std::string_view text, bool mark) {
  if (blank(text)) return;  // the API refuses blocks of white space
  if (out.back() != '[') out += ',';
  out += R"({"type":"text","text":)";
  append_json_text(out, text);
  out += mark ? R"(,"cache_control":{"type":"ephemeral"}})" : "}";
}

// The blocks of one message: one, or two where the shared part ends inside it.
void put_blocks(std::string& out, const Request& request, std::size_t index, bool mark) {
  const std::string& text = request.messages[index].text;
  if (!mark || side_of(request, index) != Side::kEndsHere) return put_block(out, text, false);
  const std::string_view whole = text;
  const std::size_t cut = std::min(request.shared_bytes, whole.size());
  put_block(out, whole.substr(0, cut), true);
  put_block(out, whole.substr(cut), false);
}

void put_system(std::string& out, const Request& request, bool mark) {
  std::string blocks = "[";
  for (std::size_t i = 0; i < request.messages.size(); ++i) {
    if (request.messages[i].role == Role::kSystem) put_blocks(blocks, request, i, mark);
  }
  if (blocks.size() > 1) out.append(R"(,"system":)").append(blocks).append("]");
}

void put_turns(std::string& out, const Request& request, bool mark) {
  out += R"(,"messages":[)";
  for (std::size_t i = 0; i < request.messages.size(); ++i) {
    const Message& message = request.messages[i];
    if (message.role == Role::kSystem || blank(message.text)) continue;
    if (out.back() != '[') out += ',';
    out.append(R"({"role":")").append(role_name(message.role)).append(R"(","content":[)");
    put_blocks(out, request, i, mark);
    out += "]}";
  }
  out += ']';
}

// The API counts what was read from the cache and what was written to it apart from the rest.
void read_usage(const Json& usage, ChatReply& reply) {
  reply.cached_tokens = count_of(member(usage, "cache_read_input_tokens"));
  reply.written_tokens = count_of(member(usage, "cache_creation_input_tokens"));
  reply.prompt_tokens =
      count_of(member(usage, "input_tokens")) + reply.cached_tokens + reply.written_tokens;
  reply.completion_tokens = count_of(member(usage, "output_tokens"));
}

}  // namespace

bool worth_caching(const Request& request, std::size_t from_bytes) {
  if (request.shared_messages == 0 || request.shared_messages > request.messages.size()) {
    return false;
  }
  std::size_t before = request.shared_bytes;
  for (std::size_t i = 0; i + 1 < request.shared_messages; ++i) {
    before += request.messages[i].text.size();
  }
  const bool goes_on = request.shared_messages < request.messages.size() ||
                       request.shared_bytes < request.messages.back().text.size();
  return goes_on && before >= from_bytes;
}

ChatBody messages_body(const std::string& model, const Request& request, const Dialect& dialect,
                       bool mark) {
  ChatBody body{begin_body(model, request.messages)};
  std::string& out = body.json;
  const Sampling& sampling = request.sampling;
  fmt::format_to(std::back_inserter(out), ",\"max_tokens\":{}", sampling.max_tokens);
  if (dialect.sends(kTemperature)) {
    // The API's scale ends at 1.
    fmt::format_to(std::back_inserter(out), ",\"temperature\":{}",
                   std::min(1.0, sampling.temperature));
    body.sent |= kTemperature;
  }
  if (dialect.sends(kTopP) && sampling.top_p != 1) {
    fmt::format_to(std::back_inserter(out), ",\"top_p\":{}", sampling.top_p);
    body.sent |= kTopP;
  }
  mark = mark && dialect.sends(kCacheControl);
  if (mark) body.sent |= kCacheControl;
  put_system(out, request, mark);
  put_turns(out, request, mark);
  out += '}';
  return body;
}

ChatReply read_message(std::string_view body) {
  ChatReply reply;
  Json json;
  reply.problem = fields::parse(body, json);
  if (!reply.problem.empty()) return reply;
  const Json& content = member(json, "content");
  if (!content.is_array()) {
    reply.problem = "the reply holds no content";
    return reply;
  }
  ChatChoice choice;
  for (const Json& block : content) {  // blocks of thought are no part of the answer
    if (string_of(member(block, "type")) == "text") choice.text += string_of(member(block, "text"));
  }
  const std::string stop = string_of(member(json, "stop_reason"));
  if (stop == "refusal") {
    choice.status = Status::kRefused;
    choice.problem = "the judge declined to answer";
  } else if (stop == "max_tokens") {
    choice.problem = "the reply was cut off at max_tokens";
  } else if (stop == "model_context_window_exceeded") {
    choice.problem = "the reply was cut off at the end of the model's context";
  }
  reply.choices.push_back(std::move(choice));
  read_usage(member(json, "usage"), reply);
  return reply;
}

ServerError read_messages_error(int status, std::string_view body, unsigned sent) {
  ServerError error = read_error(status, body, sent);
  const bool balance = error.message.find("credit balance") != std::string::npos;
  if ((status == 400 || status == 403) && balance) error.kind = ErrorKind::kQuota;
  // Some models take one of the two; the temperature is the one methods speak of.
  const bool both = error.message.find("cannot both be specified") != std::string::npos;
  if (status == 400 && both && (sent & kTopP) != 0) {
    error.kind = ErrorKind::kParameter;
    error.parameter = kTopP;
  }
  return error;
}

}  // namespace assay
