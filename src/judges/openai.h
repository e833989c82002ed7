#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assay/judge.h"

namespace assay {

// US dollars per million tokens; all zero: not known.
struct TokenPrice {
  double input = 0;
  double cached = 0;  // prompt tokens the server had in its cache
  double output = 0;
};

struct OpenAiOptions {
  std::string model;
  std::vector<std::string> base_urls = {"https://api.openai.com/v1"};  // several: least busy first
  std::string api_key;   // from the environment; empty: none is sent
  std::string judge_id;  // the user's name for what changes answers beside the model (--judge-id)
  int max_in_flight = 64;
  double timeout_s = 120;  // of one try
  int max_retries = 6;
  double backoff_s =
      0.25;        // first pause; doubled each time, jittered; four times that when throttled
  double rpm = 0;  // fixed limits; 0: only the adaptive one
  double tpm = 0;
  bool merge_draws = true;  // draws of one question as one request with n
  std::string ca_file;      // empty: SSL_CERT_FILE, else the system's
  TokenPrice price;

  // Throws ConfigError: empty model, no URL, another scheme than http(s), credentials in a URL, a
  // key that cannot be a header. No message holds the key or a URL's credentials.
  void validate() const;
};

// A chat-completions server ("openai:MODEL"). Calls options.validate().
std::unique_ptr<Judge> make_openai(OpenAiOptions options);

// One GET of the first base URL's /models, for `assay doctor`: empty when the server answered, else
// one line that says what is wrong. Blocks up to `timeout_s`.
std::string probe_openai(const OpenAiOptions& options, double timeout_s = 5);

}  // namespace assay
