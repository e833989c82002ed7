#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "options.h"

namespace fake {

struct HttpAnswer {
  int status = 200;
  std::string headers;  // extra lines, each with \r\n
  std::string body;
};

// Answers the body of a chat-completions request. Not thread-safe.
class Chat {
 public:
  explicit Chat(const Options& options);
  ~Chat();
  HttpAnswer answer(std::string_view body);

 private:
  struct Parsed;
  const Options& options_;
  std::unique_ptr<Parsed> parsed_;
};

// The answer to a prompt (the user's turns) whose shape a schema names, or else the prompt's words.
std::string answer_text(const Options& options, std::string_view schema, const std::string& prompt);
int words_in(std::string_view text);

HttpAnswer error_answer(int status, std::string_view message, std::string_view type,
                        std::string_view code, std::string_view param = {});
// A completion with this text, or with a refusal.
HttpAnswer refusal_answer();
std::string completion(std::string_view text, int choices, bool logprobs, int prompt_tokens);

}  // namespace fake
