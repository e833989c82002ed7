// What is wrong with a remote judge's options, said before anything is sent; and the one request
// that `assay doctor` makes.
#include <fmt/core.h>

#include <future>

#include "assay/error.h"
#include "judges/http_client.h"
#include "judges/openai.h"
#include "judges/openai_reply.h"
#include "judges/redact.h"

namespace assay {
namespace {

// Says which URL by its place, not by its text: the text may hold a password.
void check_url(const std::string& url, std::size_t place) {
  const std::string which = fmt::format("base URL {}", place);
  const std::size_t scheme = url.find("://");
  const std::string name = url.substr(0, scheme == std::string::npos ? 0 : scheme);
  if (name != "http" && name != "https") {
    throw ConfigError(which + " must begin with http:// or https://");
  }
  const std::size_t begin = scheme + 3;
  const std::string authority = url.substr(begin, url.find_first_of("/?#", begin) - begin);
  if (authority.find('@') != std::string::npos) {
    throw ConfigError(which + " holds a user name or password: put the key in OPENAI_API_KEY");
  }
  if (authority.empty() || authority.front() == ':') throw ConfigError(which + " names no host");
  if (url.find_first_of("?#") != std::string::npos) {
    throw ConfigError(which + " must not have a query (?) or fragment (#)");
  }
  for (const char c : url) {
    if (static_cast<unsigned char>(c) <= ' ' || c == 0x7f) {
      throw ConfigError(which + " holds a space or control character");
    }
  }
}

}  // namespace

void OpenAiOptions::validate() const {
  if (model.empty()) throw ConfigError("openai: needs a model, as in --judge openai:gpt-4o");
  if (base_urls.empty()) throw ConfigError("openai: needs a base URL (--base-url)");
  for (std::size_t i = 0; i < base_urls.size(); ++i) check_url(base_urls[i], i + 1);
  for (const char c : api_key) {
    if (static_cast<unsigned char>(c) <= ' ' || static_cast<unsigned char>(c) >= 0x7f) {
      throw ConfigError("the API key holds a space, line end or other character no key has");
    }
  }
  const auto refuse = [](bool bad, const char* what) {
    if (bad) throw ConfigError(what);
  };
  refuse(max_in_flight < 1 || max_in_flight > 65536, "calls in flight must be from 1 to 65536");
  refuse(!(timeout_s > 0), "the timeout of a call must be above 0 seconds");
  refuse(max_retries < 0, "the number of retries must be 0 or more");
  refuse(rpm < 0 || tpm < 0, "rpm and tpm must be 0 (no limit) or more");
  refuse(price.input < 0 || price.cached < 0 || price.output < 0, "a price must be 0 or more");
}

std::string probe_openai(const OpenAiOptions& options, double timeout_s) {
  options.validate();
  std::string url = options.base_urls.front();
  while (url.ends_with('/')) url.pop_back();
  HttpEndpoint endpoint{url + "/models", {}, /*post=*/false};
  if (!options.api_key.empty()) {
    endpoint.headers.push_back("Authorization: Bearer " + options.api_key);
  }
  HttpOptions http;
  http.ca_file = options.ca_file;
  std::promise<HttpReply> promise;
  auto future = promise.get_future();
  HttpClient client(std::move(http), {std::move(endpoint)});
  client.post([&] {
    client.send(0, {}, timeout_s, [&](HttpReply reply) { promise.set_value(std::move(reply)); });
  });
  const HttpReply reply = future.get();
  if (reply.failure != HttpFailure::kNone) return one_line(reply.error, options.api_key);
  if (reply.status == 200) return {};
  const ServerError error = read_error(reply.status, reply.body, 0);
  return one_line(fmt::format("HTTP {}: {}", reply.status, error.message), options.api_key);
}

}  // namespace assay
