#pragma once

#include <nghttp2/nghttp2.h>

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sockets.h"
#include "tls.h"

namespace transport {

// One HTTP/2 connection: nghttp2 keeps the protocol's state, each finished request is carried to
// the upstream server by a thread of its own.
class H2Connection {
 public:
  H2Connection(Tls& tls, int upstream, int number, int goaway, Log& log);
  ~H2Connection();
  H2Connection(const H2Connection&) = delete;
  H2Connection& operator=(const H2Connection&) = delete;
  void run();

 private:
  struct Stream {
    std::string method;
    std::string path;
    std::string headers;  // as HTTP/1.1 lines
    std::string body;
    std::size_t sent = 0;  // of the reply, which takes the body's place
  };
  struct Answer {
    std::int32_t stream = 0;
    std::vector<std::pair<std::string, std::string>> headers;  // ":status" first
    std::string body;
  };

  static int on_header(nghttp2_session* session, const nghttp2_frame* frame,
                       const std::uint8_t* name, std::size_t name_size, const std::uint8_t* value,
                       std::size_t value_size, std::uint8_t flags, void* user);
  static int on_data(nghttp2_session* session, std::uint8_t flags, std::int32_t stream,
                     const std::uint8_t* data, std::size_t size, void* user);
  static int on_frame(nghttp2_session* session, const nghttp2_frame* frame, void* user);
  static int on_close(nghttp2_session* session, std::int32_t stream, std::uint32_t code,
                      void* user);
  static ssize_t give_body(nghttp2_session* session, std::int32_t stream, std::uint8_t* buffer,
                           std::size_t size, std::uint32_t* flags, nghttp2_data_source* source,
                           void* user);

  void begin(std::int32_t id);
  Answer ask_upstream(std::int32_t id, const std::string& request) const;
  void submit(Answer answer);
  bool send_pending();

  Tls& tls_;
  const int upstream_;
  const int number_;
  const int goaway_;
  Log& log_;
  int wake_ = -1;
  nghttp2_session* session_ = nullptr;
  std::map<std::int32_t, Stream> streams_;
  int begun_ = 0;
  std::size_t most_ = 0;
  std::vector<std::thread> carriers_;
  std::mutex mutex_;
  std::deque<Answer> ready_;  // guarded by mutex_
};

}  // namespace transport
