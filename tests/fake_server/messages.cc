#include "messages.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "script.h"

namespace fake {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;

HttpAnswer bad(std::string_view message) {
  return message_error(400, "invalid_request_error", message);
}

int tokens_in(std::string_view text) { return static_cast<int>(words_in(text) * 1.3); }

// Everything the request says, in order, and where its last cache mark stands.
struct Content {
  std::string all;
  std::string prompt;  // of the user's turns
  std::string kept;    // up to the last mark
  int marks = 0;
  std::string problem;

  void add_text(std::string_view text, bool user) {
    all.append(text);
    if (user) prompt.append(text);
  }

  void add_blocks(const element& content, bool user) {
    std::string_view text;
    if (content.get(text) == simdjson::SUCCESS) return add_text(text, user);
    array blocks;
    if (content.get(blocks) != simdjson::SUCCESS || blocks.size() == 0) {
      problem = "content: must be a string or a list of blocks";
      return;
    }
    for (const element block : blocks) {
      std::string_view type;
      if (block["type"].get(type) != simdjson::SUCCESS || type != "text" ||
          block["text"].get(text) != simdjson::SUCCESS) {
        problem = "content: a block needs a type and a text";
      } else if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        problem = "text content blocks must contain non-whitespace text";
      } else {
        add_text(text, user);
      }
      if (block["cache_control"].error() != simdjson::SUCCESS) continue;
      ++marks;
      kept = all;
    }
  }
};

Content content_of(const element& root) {
  Content content;
  element system;
  if (root["system"].get(system) == simdjson::SUCCESS) content.add_blocks(system, false);
  array messages;
  if (root["messages"].get(messages) != simdjson::SUCCESS || messages.size() == 0) {
    content.problem = "messages: at least one message is required";
    return content;
  }
  for (const element message : messages) {
    std::string_view role;
    element blocks;
    if (message["role"].get(role) != simdjson::SUCCESS || (role != "user" && role != "assistant")) {
      content.problem = fmt::format("messages: Unexpected role \"{}\"", role);
    } else if (message["content"].get(blocks) != simdjson::SUCCESS) {
      content.problem = "messages: content is missing";
    } else {
      content.add_blocks(blocks, role == "user");
      if (role == "user") content.prompt += '\n';
    }
  }
  if (content.marks > 4)
    content.problem = "A maximum of 4 blocks with cache_control may be provided";
  return content;
}

// What the API does not know is an error, as in the real one.
std::string unknown_key(const element& root) {
  simdjson::dom::object object;
  if (root.get(object) != simdjson::SUCCESS) return "the body";
  for (const auto field : object) {
    bool known = false;
    for (const char* name : {"model", "max_tokens", "temperature", "top_p", "system", "messages"}) {
      known = known || field.key == name;
    }
    if (!known) return std::string(field.key);
  }
  return {};
}

}  // namespace

struct Messages::Parsed {
  simdjson::dom::parser parser;
};

Messages::Messages(const Options& options)
    : options_(options), parsed_(std::make_unique<Parsed>()) {}
Messages::~Messages() = default;

HttpAnswer Messages::answer(std::string_view body, double now) {
  element root;
  if (parsed_->parser.parse(body.data(), body.size()).get(root) != simdjson::SUCCESS) {
    return bad("The request body is not valid JSON");
  }
  if (const std::string key = unknown_key(root); !key.empty()) {
    return bad(key + ": Extra inputs are not permitted");
  }
  for (const std::string& name : options_.reject) {
    const bool nested = name == "cache_control" && body.find("\"cache_control\"") != body.npos;
    if (nested || root[name].error() == simdjson::SUCCESS) {
      return bad(name + ": Extra inputs are not permitted");
    }
  }
  std::int64_t limit = 0;
  if (root["max_tokens"].get(limit) != simdjson::SUCCESS) return bad("max_tokens: Field required");
  const Content content = content_of(root);
  if (!content.problem.empty()) return bad(content.problem);

  const int total = tokens_in(content.all);
  const int marked = tokens_in(content.kept);
  int read = 0;
  int written = 0;
  if (content.marks > 0) {
    const auto [known, fresh] = kept_.try_emplace(content.kept, now + options_.latency_ms / 1000);
    (!fresh && known->second <= now ? read : written) = marked;
  }
  const std::string text = answer_text(options_, {}, content.prompt);
  return {
      200,
      {},
      fmt::format(
          R"({{"id":"msg_fake","type":"message","role":"assistant","content":[{{"type":"text",)"
          R"("text":{}}}],"stop_reason":"end_turn","usage":{{"input_tokens":{},)"
          R"("cache_creation_input_tokens":{},"cache_read_input_tokens":{},"output_tokens":{}}}}})",
          json_string(text), total - marked, written, read, tokens_in(text) + 1)};
}

HttpAnswer message_error(int status, std::string_view type, std::string_view message) {
  return {status,
          {},
          fmt::format(R"({{"type":"error","error":{{"type":{},"message":{}}}}})", json_string(type),
                      json_string(message))};
}

std::optional<HttpAnswer> message_fault(const std::string& kind, const std::string& key) {
  const auto limited = [](const char* headers) {
    HttpAnswer answer =
        message_error(429, "rate_limit_error", "This request would exceed the limit");
    answer.headers = headers;
    return answer;
  };
  if (kind == "429") return limited("");
  if (kind == "429-retry-after") return limited("Retry-After: 1\r\n");
  if (kind == "429-retry-ms") return limited("retry-after-ms: 20\r\n");
  if (kind == "529") return message_error(529, "overloaded_error", "Overloaded");
  if (kind == "500") return message_error(500, "api_error", "Internal server error");
  if (kind == "401") return message_error(401, "authentication_error", "invalid x-api-key: " + key);
  if (kind == "404") return message_error(404, "not_found_error", "model: nobody");
  if (kind == "context") return bad("prompt is too long: 300000 tokens > 200000 maximum");
  if (kind == "credit") return bad("Your credit balance is too low to access the API");
  if (kind == "refusal") {
    return HttpAnswer{200,
                      {},
                      R"({"type":"message","content":[],"stop_reason":"refusal",)"
                      R"("usage":{"input_tokens":10,"output_tokens":1}})"};
  }
  if (kind == "empty-choices") {
    return HttpAnswer{200, {}, R"({"type":"message","stop_reason":"end_turn","usage":{}})"};
  }
  if (kind == "invalid-json") return HttpAnswer{200, {}, R"({"content":[{"type":"text")"};
  if (kind == "wrong-shape") return HttpAnswer{200, {}, R"({"content":{"text":"yes"}})"};
  return std::nullopt;
}

}  // namespace fake
