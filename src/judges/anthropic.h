#pragma once

#include <memory>
#include <string>

#include "assay/judge.h"
#include "judges/remote_options.h"

namespace assay {

struct AnthropicOptions : RemoteOptions {
  AnthropicOptions() { base_urls = {"https://api.anthropic.com"}; }  // with or without /v1
  // Shared parts from this many bytes on carry a cache mark. The API keeps none below 1,024 tokens
  // (2,048 for the small models), and siblings of a marked request wait for the first answer.
  std::size_t cache_from_bytes = 4096;

  void validate() const;  // throws ConfigError, see validate_remote
};

// A Messages API server ("anthropic:MODEL"). Gives no probabilities. Calls options.validate().
std::unique_ptr<Judge> make_anthropic(AnthropicOptions options);

// One GET of the first base URL's /v1/models, for `assay doctor`; see probe_remote.
std::string probe_anthropic(const AnthropicOptions& options, double timeout_s = 5);

}  // namespace assay
