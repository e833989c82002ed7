// The chat-completions protocol: where it is spoken, and what the judge can do. Bodies are written
// in openai_body.cc and read in openai_reply.cc; the calls themselves are chat_client.cc's.
#include "judges/openai.h"

#include "judges/chat_client.h"

namespace assay {
namespace {

HttpEndpoint endpoint_of(const std::string& base_url, const char* path, const std::string& api_key,
                         bool post) {
  HttpEndpoint endpoint{without_end_slash(base_url) + path, {}, post};
  if (post) endpoint.headers.emplace_back("Content-Type: application/json");
  if (!api_key.empty()) endpoint.headers.push_back("Authorization: Bearer " + api_key);
  return endpoint;
}

class OpenAiProtocol : public ChatProtocol {
 public:
  explicit OpenAiProtocol(OpenAiOptions options) : options_(std::move(options)) {}

  std::string provider() const override { return "openai"; }
  Capabilities capabilities() const override {
    Capabilities capabilities;
    capabilities.probabilities = true;
    return capabilities;
  }
  HttpEndpoint endpoint(const std::string& base_url) const override {
    return endpoint_of(base_url, "/chat/completions", options_.api_key, /*post=*/true);
  }
  bool merges_draws() const override { return options_.merge_draws; }
  ChatBody body(const Request& request, const Dialect& dialect, int draws) const override {
    return chat_body(options_.model, request, dialect, draws);
  }
  ChatReply read(std::string_view body, const Request& request) const override {
    return read_chat(body, request.answer, request.sampling.probabilities);
  }
  ServerError read_error(int status, std::string_view body, unsigned sent) const override {
    return assay::read_error(status, body, sent);
  }

 private:
  const OpenAiOptions options_;
};

}  // namespace

void OpenAiOptions::validate() const { validate_remote(*this, "openai:gpt-4o", "OPENAI_API_KEY"); }

std::unique_ptr<Judge> make_openai(OpenAiOptions options) {
  options.validate();
  RemoteOptions remote = options;
  return make_chat_judge(std::move(remote), std::make_unique<OpenAiProtocol>(std::move(options)));
}

std::string probe_openai(const OpenAiOptions& options, double timeout_s) {
  options.validate();
  return probe_remote(
      options, endpoint_of(options.base_urls.front(), "/models", options.api_key, /*post=*/false),
      timeout_s);
}

}  // namespace assay
