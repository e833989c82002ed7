#pragma once

#include <string>
#include <vector>

#include "assay/price.h"
#include "judges/http_client.h"

namespace assay {

// What every judge behind HTTP needs.
struct RemoteOptions {
  std::string model;
  std::vector<std::string> base_urls;  // several: least busy first
  std::string api_key;                 // from the environment; empty: none is sent
  std::string judge_id;  // the user's name for what changes answers beside the model (--judge-id)
  int max_in_flight = 64;
  double timeout_s = 120;  // of one try
  int max_retries = 6;
  double backoff_s =
      0.25;        // first pause; doubled each time, jittered; four times that when throttled
  double rpm = 0;  // fixed limits; 0: only the adaptive one
  double tpm = 0;
  std::string ca_file;  // empty: SSL_CERT_FILE, else the system's
  TokenPrice price;
};

// Throws ConfigError: empty model, no URL, another scheme than http(s), credentials in a URL, a key
// that cannot be a header. No message holds the key or a URL's credentials. `example` is a judge's
// name with a model ("openai:gpt-4o"), `key_name` where its key is read from ("OPENAI_API_KEY").
void validate_remote(const RemoteOptions& options, const std::string& example,
                     const std::string& key_name);

// The first GET of `endpoint`: empty when it was answered with 200, else one line that says what is
// wrong. Blocks up to `timeout_s`.
std::string probe_remote(const RemoteOptions& options, HttpEndpoint endpoint, double timeout_s);

// The URL without slashes at its end.
std::string without_end_slash(std::string url);

}  // namespace assay
