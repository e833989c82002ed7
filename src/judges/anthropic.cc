// The Messages protocol: where it is spoken, and what the judge can do. Bodies are written and read
// in anthropic_messages.cc; the calls themselves are chat_client.cc's.
#include "judges/anthropic.h"

#include "judges/anthropic_messages.h"
#include "judges/chat_client.h"

namespace assay {
namespace {

constexpr const char* kVersion = "anthropic-version: 2023-06-01";
// The API keeps a marked part for five minutes after its last use; half a minute is set aside for
// clocks and queues.
constexpr double kKeptSeconds = 270;

HttpEndpoint endpoint_of(const std::string& base_url, const char* path, const std::string& api_key,
                         bool post) {
  std::string url = without_end_slash(base_url);
  if (!url.ends_with("/v1")) url += "/v1";
  HttpEndpoint endpoint{url + path, {kVersion}, post};
  if (post) endpoint.headers.emplace_back("Content-Type: application/json");
  if (!api_key.empty()) endpoint.headers.push_back("x-api-key: " + api_key);
  return endpoint;
}

class AnthropicProtocol : public ChatProtocol {
 public:
  explicit AnthropicProtocol(AnthropicOptions options) : options_(std::move(options)) {}

  std::string provider() const override { return "anthropic"; }
  Capabilities capabilities() const override { return {}; }  // writes, grades, weighs; no more
  HttpEndpoint endpoint(const std::string& base_url) const override {
    return endpoint_of(base_url, "/messages", options_.api_key, /*post=*/true);
  }
  ChatBody body(const Request& request, const Dialect& dialect, int /*draws*/) const override {
    return messages_body(options_.model, request, dialect,
                         worth_caching(request, options_.cache_from_bytes));
  }
  ChatReply read(std::string_view body, const Request& /*request*/) const override {
    return read_message(body);
  }
  ServerError read_error(int status, std::string_view body, unsigned sent) const override {
    return read_messages_error(status, body, sent);
  }
  double cached_for(const Request& request, const Dialect& dialect) const override {
    const bool marked =
        dialect.sends(kCacheControl) && worth_caching(request, options_.cache_from_bytes);
    return marked ? kKeptSeconds : 0;
  }

 private:
  const AnthropicOptions options_;
};

}  // namespace

void AnthropicOptions::validate() const {
  validate_remote(*this, "anthropic:claude-sonnet-4-5", "ANTHROPIC_API_KEY");
}

std::unique_ptr<Judge> make_anthropic(AnthropicOptions options) {
  options.validate();
  RemoteOptions remote = options;
  return make_chat_judge(std::move(remote),
                         std::make_unique<AnthropicProtocol>(std::move(options)));
}

std::string probe_anthropic(const AnthropicOptions& options, double timeout_s) {
  options.validate();
  return probe_remote(
      options, endpoint_of(options.base_urls.front(), "/models", options.api_key, /*post=*/false),
      timeout_s);
}

}  // namespace assay
