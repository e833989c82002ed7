#include "judges/question_json.h"

#include <fmt/format.h>

#include "core/content_key.h"
#include "text/json_text.h"

namespace assay {

std::string_view role_name(Role role) {
  switch (role) {
    case Role::kSystem:
      return "system";
    case Role::kUser:
      return "user";
    case Role::kAssistant:
      return "assistant";
  }
  return "user";
}

std::string_view status_name(Status status) {
  switch (status) {
    case Status::kOk:
      return "ok";
    case Status::kUnparsable:
      return "unparsable";
    case Status::kRefused:
      return "refused";
    case Status::kTransport:
      return "transport";
  }
  return "transport";
}

void append_messages(std::string& out, const std::vector<Message>& messages) {
  out += '[';
  for (const Message& message : messages) {
    if (out.back() != '[') out += ',';
    out.append(R"({"role":")").append(role_name(message.role)).append(R"(","content":)");
    append_json_text(out, message.text);
    out += '}';
  }
  out += ']';
}

std::string begin_body(const std::string& model, const std::vector<Message>& messages) {
  std::size_t size = 1024;
  for (const Message& message : messages) size += message.text.size() + 64;
  std::string out;
  out.reserve(size);
  out += R"({"model":)";
  append_json_text(out, model);
  return out;
}

std::string question_json(const Request& request) {
  std::string out = R"({"messages":)";
  append_messages(out, request.messages);
  out += R"(,"answer":)";
  append_json_text(out, describe(request.answer));
  const Sampling& sampling = request.sampling;
  fmt::format_to(std::back_inserter(out),
                 R"(,"sampling":{{"temperature":{},"top_p":{},"max_tokens":{},"seed":{},)"
                 R"("probabilities":{}}},"draw":{},"attempt":{}}})",
                 sampling.temperature, sampling.top_p, sampling.max_tokens, sampling.seed,
                 sampling.probabilities, request.draw, request.attempt);
  return out;
}

}  // namespace assay
