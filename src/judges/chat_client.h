#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assay/judge.h"
#include "judges/http_client.h"
#include "judges/openai_body.h"
#include "judges/openai_reply.h"
#include "judges/remote_options.h"

namespace assay {

// How one kind of server is spoken to: who the judge is, where requests go, and how bodies are
// written and read. Everything else (queues, retries, limits, draws) is the same for all. Pure and
// thread-safe, because const.
class ChatProtocol {
 public:
  virtual ~ChatProtocol() = default;
  virtual std::string provider() const = 0;  // "openai"
  virtual Capabilities capabilities() const = 0;
  virtual HttpEndpoint endpoint(const std::string& base_url) const = 0;
  virtual Dialect dialect() const { return {}; }  // what is sent to begin with
  virtual bool merges_draws() const { return false; }
  virtual ChatBody body(const Request& request, const Dialect& dialect, int draws) const = 0;
  // The body of a 200, and of any other status.
  virtual ChatReply read(std::string_view body, const Request& request) const = 0;
  virtual ServerError read_error(int status, std::string_view body, unsigned sent) const = 0;
  // Seconds for which the server keeps the shared part of this request once it has answered it; 0:
  // it does not, or it is not worth the wait. Siblings of a request that fills the cache wait for
  // its answer: sent at once, each would pay for filling it.
  virtual double cached_for(const Request&, const Dialect&) const { return 0; }
};

// A judge behind HTTP. The options must have been validated.
std::unique_ptr<Judge> make_chat_judge(RemoteOptions options,
                                       std::unique_ptr<const ChatProtocol> protocol);

}  // namespace assay
