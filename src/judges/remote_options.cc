// What is wrong with a remote judge's options, said before anything is sent; and the one request
// that `assay doctor` makes.
#include "judges/remote_options.h"

#include <fmt/core.h>

#include <future>

#include "assay/error.h"
#include "judges/openai_reply.h"
#include "judges/redact.h"

namespace assay {
namespace {

// Says which URL by its place, not by its text: the text may hold a password.
void check_url(const std::string& url, std::size_t place, const std::string& key_name) {
  const std::string which = fmt::format("base URL {}", place);
  const std::size_t scheme = url.find("://");
  const std::string name = url.substr(0, scheme == std::string::npos ? 0 : scheme);
  if (name != "http" && name != "https") {
    throw ConfigError(which + " must begin with http:// or https://");
  }
  const std::size_t begin = scheme + 3;
  const std::string authority = url.substr(begin, url.find_first_of("/?#", begin) - begin);
  if (authority.find('@') != std::string::npos) {
    throw ConfigError(
        fmt::format("{} holds a user name or password: put the key in {}", which, key_name));
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

void validate_remote(const RemoteOptions& options, const std::string& example,
                     const std::string& key_name) {
  const std::string kind = example.substr(0, example.find(':') + 1);
  const auto refuse = [](bool bad, const std::string& what) {
    if (bad) throw ConfigError(what);
  };
  refuse(options.model.empty(), fmt::format("{} needs a model, as in --judge {}", kind, example));
  refuse(options.base_urls.empty(), kind + " needs a base URL (--base-url)");
  for (std::size_t i = 0; i < options.base_urls.size(); ++i) {
    check_url(options.base_urls[i], i + 1, key_name);
  }
  for (const char c : options.api_key) {
    refuse(static_cast<unsigned char>(c) <= ' ' || static_cast<unsigned char>(c) >= 0x7f,
           "the API key holds a space, line end or other character no key has");
  }
  refuse(options.max_in_flight < 1 || options.max_in_flight > 65536,
         "calls in flight must be from 1 to 65536");
  refuse(!(options.timeout_s > 0), "the timeout of a call must be above 0 seconds");
  refuse(options.max_retries < 0, "the number of retries must be 0 or more");
  refuse(options.rpm < 0 || options.tpm < 0, "rpm and tpm must be 0 (no limit) or more");
  const TokenPrice& price = options.price;
  refuse(price.input < 0 || price.cached < 0 || price.output < 0 || price.written < 0,
         "a price must be 0 or more");
}

std::string probe_remote(const RemoteOptions& options, HttpEndpoint endpoint, double timeout_s) {
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

std::string without_end_slash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

}  // namespace assay
