#include "front_h2.h"

#include <sys/eventfd.h>

#include <algorithm>

namespace transport {
namespace {

constexpr std::uint32_t kMostStreams = 100;

std::string_view view(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

}  // namespace

H2Connection::H2Connection(Tls& tls, int upstream, int number, int goaway, Log& log)
    : tls_(tls), upstream_(upstream), number_(number), goaway_(goaway), log_(log) {
  wake_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, &H2Connection::on_header);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, &H2Connection::on_data);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, &H2Connection::on_frame);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, &H2Connection::on_close);
  nghttp2_session_server_new(&session_, callbacks, this);
  nghttp2_session_callbacks_del(callbacks);
  const nghttp2_settings_entry most{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, kMostStreams};
  nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, &most, 1);
}

H2Connection::~H2Connection() {
  for (std::thread& carrier : carriers_) carrier.join();
  nghttp2_session_del(session_);
  close(wake_);
}

void H2Connection::run() {
  std::array<pollfd, 2> waited{{{tls_.fd(), POLLIN, 0}, {wake_, POLLIN, 0}}};
  bool open = true;
  while (open && send_pending() &&
         (nghttp2_session_want_read(session_) != 0 || nghttp2_session_want_write(session_) != 0)) {
    poll(waited.data(), waited.size(), -1);
    std::string bytes;
    open = tls_.read(bytes);
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    if (nghttp2_session_mem_recv(session_, data, bytes.size()) < 0) return;
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t got = read(wake_, &count, sizeof count);
    std::deque<Answer> ready;
    {
      const std::scoped_lock lock(mutex_);
      ready.swap(ready_);
    }
    for (Answer& answer : ready) submit(std::move(answer));
  }
}

int H2Connection::on_header(nghttp2_session* /*session*/, const nghttp2_frame* frame,
                            const std::uint8_t* name, std::size_t name_size,
                            const std::uint8_t* value, std::size_t value_size,
                            std::uint8_t /*flags*/, void* user) {
  Stream& stream = static_cast<H2Connection*>(user)->streams_[frame->hd.stream_id];
  const std::string key(view(name, name_size));
  const std::string text(view(value, value_size));
  if (key == ":method") stream.method = text;
  if (key == ":path") stream.path = text;
  if (!key.starts_with(':') && key != "content-length")
    stream.headers += key + ": " + text + "\r\n";
  return 0;
}

int H2Connection::on_data(nghttp2_session* /*session*/, std::uint8_t /*flags*/, std::int32_t stream,
                          const std::uint8_t* data, std::size_t size, void* user) {
  static_cast<H2Connection*>(user)->streams_[stream].body += view(data, size);
  return 0;
}

int H2Connection::on_frame(nghttp2_session* /*session*/, const nghttp2_frame* frame, void* user) {
  const bool request = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
  if (request && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) {
    static_cast<H2Connection*>(user)->begin(frame->hd.stream_id);
  }
  return 0;
}

int H2Connection::on_close(nghttp2_session* /*session*/, std::int32_t stream,
                           std::uint32_t /*code*/, void* user) {
  static_cast<H2Connection*>(user)->streams_.erase(stream);
  return 0;
}

void H2Connection::begin(std::int32_t id) {
  const Stream& stream = streams_[id];
  most_ = std::max(most_, streams_.size());
  log_.line("h2 " + std::to_string(number_) + " " + std::to_string(most_));
  std::string request = stream.method + " " + stream.path + " HTTP/1.1\r\n" + stream.headers +
                        "Content-Length: " + std::to_string(stream.body.size()) + "\r\n\r\n" +
                        stream.body;
  carriers_.emplace_back([this, id, request = std::move(request)] {
    Answer answer = ask_upstream(id, request);
    const std::scoped_lock lock(mutex_);
    ready_.push_back(std::move(answer));
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof one);
  });
  if (goaway_ > 0 && ++begun_ == goaway_) {
    nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_NO_ERROR, nullptr, 0);
  }
}

H2Connection::Answer H2Connection::ask_upstream(std::int32_t id, const std::string& request) const {
  Answer answer{id, {{":status", "502"}}, {}};
  const int fd = connect_to(upstream_);
  if (fd < 0) return answer;
  send_all(fd, request);
  std::string reply;
  std::size_t length = 0;
  std::size_t end = std::string::npos;
  while (end == std::string::npos || reply.size() < end + 4 + length) {
    const std::string bytes = receive(fd);
    if (bytes.empty()) break;
    reply += bytes;
    if (end != std::string::npos || (end = reply.find("\r\n\r\n")) == std::string::npos) continue;
    answer.headers = {{":status", reply.substr(9, 3)}};
    for (std::size_t at = reply.find("\r\n") + 2; at < end;) {
      const std::size_t stop = reply.find("\r\n", at);
      const std::size_t colon = reply.find(": ", at);
      const std::string name = lower(std::string_view(reply).substr(at, colon - at));
      const std::string value = reply.substr(colon + 2, stop - colon - 2);
      if (name == "content-length") length = std::stoul(value);
      answer.headers.emplace_back(name, value);
      at = stop + 2;
    }
  }
  close(fd);
  if (end != std::string::npos) answer.body = reply.substr(end + 4);
  return answer;
}

void H2Connection::submit(Answer answer) {
  const auto stream = streams_.find(answer.stream);
  if (stream == streams_.end()) return;  // the client gave up
  stream->second.body = std::move(answer.body);
  std::vector<nghttp2_nv> headers;
  for (auto& [name, value] : answer.headers) {
    headers.push_back({reinterpret_cast<std::uint8_t*>(name.data()),
                       reinterpret_cast<std::uint8_t*>(value.data()), name.size(), value.size(),
                       NGHTTP2_NV_FLAG_NONE});
  }
  nghttp2_data_provider body{};
  body.source.ptr = &stream->second;
  body.read_callback = &H2Connection::give_body;
  nghttp2_submit_response(session_, answer.stream, headers.data(), headers.size(), &body);
}

ssize_t H2Connection::give_body(nghttp2_session* /*session*/, std::int32_t /*stream*/,
                                std::uint8_t* buffer, std::size_t size, std::uint32_t* flags,
                                nghttp2_data_source* source, void* /*user*/) {
  auto& stream = *static_cast<Stream*>(source->ptr);
  const std::size_t count = std::min(size, stream.body.size() - stream.sent);
  std::copy_n(stream.body.data() + stream.sent, count, reinterpret_cast<char*>(buffer));
  stream.sent += count;
  if (stream.sent == stream.body.size()) *flags |= NGHTTP2_DATA_FLAG_EOF;
  return static_cast<ssize_t>(count);
}

bool H2Connection::send_pending() {
  for (;;) {
    const std::uint8_t* data = nullptr;
    const ssize_t size = nghttp2_session_mem_send(session_, &data);
    if (size <= 0) return size == 0;
    if (!tls_.write(view(data, static_cast<std::size_t>(size)))) return false;
  }
}

}  // namespace transport
