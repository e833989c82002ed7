#include "chat.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>

#include "script.h"

namespace fake {
namespace {

using simdjson::dom::element;

// Words, and the runs of other bytes between them: close enough to a tokenizer for first-token
// tests.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> out;
  bool in_word = false;
  for (const char c : text) {
    const bool word = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-';
    if (out.empty() || word != in_word) out.emplace_back();
    out.back() += c;
    in_word = word;
  }
  return out;
}

std::string other_word(const std::string& token) {
  if (token == "yes") return "no";
  if (token == "no") return "yes";
  return token + "x";
}

// 0.90 for the token, 0.04 for its capitalised spelling with a space, 0.05 for the opposite word.
std::string logprobs_of(std::string_view text) {
  std::string out = R"({"content":[)";
  for (const std::string& token : tokens_of(text)) {
    std::string capital = " " + token;
    capital[1] = static_cast<char>(std::toupper(static_cast<unsigned char>(capital[1])));
    out += fmt::format(R"({}{{"token":{},"logprob":{},"top_logprobs":[{{"token":{},"logprob":{}}},)"
                       R"({{"token":{},"logprob":{}}},{{"token":{},"logprob":{}}}]}})",
                       out.back() == '[' ? "" : ",", json_string(token), std::log(0.9),
                       json_string(token), std::log(0.9), json_string(capital), std::log(0.04),
                       json_string(other_word(token)), std::log(0.05));
  }
  return out + "]}";
}

std::string fenced_only(std::string_view prompt) {
  std::string out;
  for (const Fence& fence : fences_of(prompt)) out += (out.empty() ? "" : "\n") + fence.text;
  return out;
}

}  // namespace

int words_in(std::string_view text) {
  int count = 0;
  bool inside = false;
  for (const char c : text) {
    const bool letter = static_cast<unsigned char>(c) > ' ';
    count += letter && !inside ? 1 : 0;
    inside = letter;
  }
  return count;
}

std::string answer_text(const Options& options, std::string_view schema,
                        const std::string& prompt) {
  for (const auto& [needle, reply] : options.answers) {
    if (prompt.find(needle) != std::string::npos) return reply;
  }
  if (options.mode == "echo") return fenced_only(prompt);
  if (options.mode != "scripted") return options.reply;
  return scripted_answer(schema.empty() ? shape_of_prompt(prompt) : shape_of_schema(schema),
                         prompt);
}

struct Chat::Parsed {
  simdjson::dom::parser parser;
  std::string prompt;  // of the user's turns; kept to reuse its memory
};

// For clients that ask through a tool (autoevals): the reply is the call's arguments.
HttpAnswer tool_call(const std::string& arguments) {
  return {
      200,
      {},
      fmt::format(
          R"({{"id":"chatcmpl-fake","object":"chat.completion","choices":[{{"index":0,"message":{{"role":"assistant","content":null,)"
          R"("tool_calls":[{{"id":"call_1","type":"function","function":{{"name":"select_choice","arguments":{}}}}}]}},)"
          R"("finish_reason":"tool_calls"}}],"usage":{{"prompt_tokens":100,"completion_tokens":5,"total_tokens":105}}}})",
          json_string(arguments))};
}

Chat::Chat(const Options& options) : options_(options), parsed_(std::make_unique<Parsed>()) {}
Chat::~Chat() = default;

HttpAnswer Chat::answer(std::string_view body) {
  element root;
  if (parsed_->parser.parse(body.data(), body.size()).get(root) != simdjson::SUCCESS) {
    return error_answer(400, "the body is not JSON", "invalid_request_error", "invalid_json");
  }
  for (const std::string& name : options_.reject) {
    if (root[name].error() == simdjson::SUCCESS) {
      return error_answer(400, fmt::format("Unsupported parameter: '{}' is not supported.", name),
                          "invalid_request_error", "unsupported_parameter", name);
    }
  }
  simdjson::dom::array messages;
  if (root["messages"].get(messages) != simdjson::SUCCESS) {
    return error_answer(400, "messages is missing", "invalid_request_error", "missing");
  }
  int words = 0;
  std::string& prompt = parsed_->prompt;
  prompt.clear();
  for (const element message : messages) {
    std::string_view role;
    std::string_view content;
    if (message["content"].get(content) != simdjson::SUCCESS) continue;
    words += words_in(content);
    if (message["role"].get(role) == simdjson::SUCCESS && role == "user") {
      prompt.append(content).append("\n");
    }
  }
  element schema;
  const bool given =
      root.at_pointer("/response_format/json_schema/schema").get(schema) == simdjson::SUCCESS;
  const std::string text =
      answer_text(options_, given ? simdjson::to_string(schema) : std::string(), prompt);
  if (root["tools"].error() == simdjson::SUCCESS) return tool_call(text);
  std::int64_t n = 1;
  if (root["n"].get(n) != simdjson::SUCCESS || options_.ignore_n) n = 1;
  bool logprobs = false;
  if (root["logprobs"].get(logprobs) != simdjson::SUCCESS) logprobs = false;
  return {200, {}, completion(text, static_cast<int>(n), logprobs, static_cast<int>(words * 1.3))};
}

std::string completion(std::string_view text, int choices, bool logprobs, int prompt_tokens) {
  const std::string content = json_string(text);
  const std::string probs = logprobs ? ",\"logprobs\":" + logprobs_of(text) : "";
  std::string out = R"({"id":"chatcmpl-fake","object":"chat.completion","choices":[)";
  for (int i = 0; i < choices; ++i) {
    fmt::format_to(std::back_inserter(out),
                   R"({}{{"index":{},"message":{{"role":"assistant","content":{}}}{},)"
                   R"("finish_reason":"stop"}})",
                   i > 0 ? "," : "", i, content, probs);
  }
  const int completion_tokens = choices * (static_cast<int>(words_in(text) * 1.3) + 1);
  fmt::format_to(std::back_inserter(out),
                 R"(],"usage":{{"prompt_tokens":{},"completion_tokens":{},"total_tokens":{},)"
                 R"("prompt_tokens_details":{{"cached_tokens":{}}}}}}})",
                 prompt_tokens, completion_tokens, prompt_tokens + completion_tokens,
                 prompt_tokens / 4);
  return out;
}

HttpAnswer refusal_answer() {
  return {200,
          {},
          R"({"choices":[{"index":0,"message":{"role":"assistant","content":null,)"
          R"("refusal":"I cannot help with that."},"finish_reason":"stop"}],)"
          R"("usage":{"prompt_tokens":10,"completion_tokens":5}})"};
}

HttpAnswer error_answer(int status, std::string_view message, std::string_view type,
                        std::string_view code, std::string_view param) {
  return {status,
          {},
          fmt::format(R"({{"error":{{"message":{},"type":{},"code":{},"param":{}}}}})",
                      json_string(message), json_string(type), json_string(code),
                      param.empty() ? "null" : json_string(param))};
}

}  // namespace fake
