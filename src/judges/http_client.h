#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "assay/sample.h"

namespace assay {

// A URL with its headers, prepared once: calls to it differ only in the body.
struct HttpEndpoint {
  std::string url;
  std::vector<std::string> headers;  // "Name: value"
  bool post = true;
};

enum class HttpFailure {
  kNone,      // a whole reply came, whatever its status
  kConnect,   // no connection: nobody there, unknown host, untrusted certificate
  kTimeout,   // the deadline passed
  kBroken,    // the connection ended inside the reply
  kTooLarge,  // the reply passed max_reply bytes
  kStopped,   // the client was destroyed
};

struct HttpReply {
  HttpFailure failure = HttpFailure::kNone;
  int status = 0;
  std::string body;
  Named<std::string> headers;  // names in lower case; only those that speak of limits
  std::string error;           // one line where failure is not kNone
  double ms = 0;
};

struct HttpOptions {
  std::string ca_file;        // empty: SSL_CERT_FILE or CURL_CA_BUNDLE, else the system's
  int max_connections = 256;  // kept open for reuse
  std::size_t max_reply = std::size_t{16} << 20;
};

// HTTP on one event-loop thread. `post` may be called from any thread; `send`, `after` and every
// callback belong to the loop thread, so what only callbacks touch needs no lock. Redirects are not
// followed. Proxies come from the environment as curl reads it. HTTP/2 is used where a TLS server
// offers it.
class HttpClient {
 public:
  using Done = std::function<void(HttpReply)>;
  using Task = std::function<void()>;

  HttpClient(HttpOptions options, std::vector<HttpEndpoint> endpoints);
  // Runs what was posted, fails what is in flight with kStopped, drops timers, joins the thread.
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  void post(Task task);
  void send(std::size_t endpoint, std::string body, double timeout_s, Done done);
  void after(double seconds, Task task);

  // Seconds of a monotonic clock.
  static double now();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace assay
