#pragma once

#include <memory>
#include <string>

#include "assay/judge.h"
#include "judges/remote_options.h"

namespace assay {

struct OpenAiOptions : RemoteOptions {
  OpenAiOptions() { base_urls = {"https://api.openai.com/v1"}; }
  bool merge_draws = true;  // draws of one question as one request with n

  void validate() const;  // throws ConfigError, see validate_remote
};

// A chat-completions server ("openai:MODEL"). Calls options.validate().
std::unique_ptr<Judge> make_openai(OpenAiOptions options);

// One GET of the first base URL's /models, for `assay doctor`: empty when the server answered, else
// one line that says what is wrong. Blocks up to `timeout_s`.
std::string probe_openai(const OpenAiOptions& options, double timeout_s = 5);

}  // namespace assay
