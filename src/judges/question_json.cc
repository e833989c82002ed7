// Requests as JSON text, written straight into a string: prompts are long, there are thousands a
// second, and a document tree would copy each of them twice.
#include "judges/question_json.h"

#include <fmt/format.h>

#include "core/content_key.h"
#include "text/utf8.h"

namespace assay {
namespace {

// True where JSON takes the byte as it is. Bytes from 0x80 on are part of UTF-8 sequences.
constexpr bool plain(unsigned char c) { return c >= 0x20 && c != '"' && c != '\\'; }

void append_escape(std::string& out, unsigned char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", c);
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t good = find_bad_utf8(text).value_or(text.size());
    std::size_t from = 0;
    for (std::size_t i = 0; i < good; ++i) {
      const auto c = static_cast<unsigned char>(text[i]);
      if (plain(c)) continue;
      out.append(text.substr(from, i - from));
      append_escape(out, c);
      from = i + 1;
    }
    out.append(text.substr(from, good - from));
    if (good < text.size()) out += "\xEF\xBF\xBD";
    text.remove_prefix(std::min(text.size(), good + 1));
  }
  out += '"';
}

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
    append_json_string(out, message.text);
    out += '}';
  }
  out += ']';
}

std::string question_json(const Request& request) {
  std::string out = R"({"messages":)";
  append_messages(out, request.messages);
  out += R"(,"answer":)";
  append_json_string(out, describe(request.answer));
  const Sampling& sampling = request.sampling;
  fmt::format_to(std::back_inserter(out),
                 R"(,"sampling":{{"temperature":{},"top_p":{},"max_tokens":{},"seed":{},)"
                 R"("probabilities":{}}},"draw":{},"attempt":{}}})",
                 sampling.temperature, sampling.top_p, sampling.max_tokens, sampling.seed,
                 sampling.probabilities, request.draw, request.attempt);
  return out;
}

}  // namespace assay
