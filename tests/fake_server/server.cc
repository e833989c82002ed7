#include "server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <queue>
#include <random>
#include <string_view>

#include "chat.h"
#include "faults.h"
#include "messages.h"

namespace fake {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::uint64_t hash_of(std::string_view bytes) {  // FNV-1a by words, for logs and fault draws
  std::uint64_t hash = 14695981039346656037ULL;
  while (bytes.size() >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    hash = (hash ^ word) * 1099511628211ULL;
    hash ^= hash >> 29U;
    bytes.remove_prefix(8);
  }
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

bool same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return std::tolower(static_cast<unsigned char>(x)) == y;
         });
}

struct Head {
  std::string_view target;
  std::string authorization;
  std::string api_key;  // x-api-key
  std::string version;  // anthropic-version
  std::size_t length = 0;
  bool get = false;
};

Head read_head(std::string_view text) {
  Head head;
  head.get = text.starts_with("GET ");
  const std::size_t space = text.find(' ');
  head.target = text.substr(space + 1, text.find(' ', space + 1) - space - 1);
  for (std::size_t at = text.find("\r\n"); at != std::string_view::npos && at + 2 < text.size();) {
    const std::size_t end = std::min(text.find("\r\n", at + 2), text.size());
    const std::string_view line = text.substr(at + 2, end - at - 2);
    const std::size_t colon = line.find(": ");
    if (colon != std::string_view::npos) {
      const std::string_view name = line.substr(0, colon);
      if (same_name(name, "content-length"))
        head.length = std::strtoul(line.data() + colon + 2, nullptr, 10);
      if (same_name(name, "authorization")) head.authorization = line.substr(colon + 2);
      if (same_name(name, "x-api-key")) head.api_key = line.substr(colon + 2);
      if (same_name(name, "anthropic-version")) head.version = line.substr(colon + 2);
    }
    at = end == text.size() ? std::string_view::npos : end;
  }
  return head;
}

struct Connection {
  int fd = -1;
  std::uint64_t id = 0;
  std::string in;
  std::string out;
  std::size_t written = 0;
  Delivery delivery = Delivery::kWhole;
  bool answering = false;  // a request is being worked on; what follows waits
  bool counted = false;    // towards what is in progress
};

struct Due {
  double time;
  int fd;
  std::uint64_t id;  // of the connection: a file descriptor is used again
  bool operator>(const Due& other) const { return time > other.time; }
};

class Server {
 public:
  explicit Server(const Options& options)
      : options_(options),
        chat_(options),
        messages_(options),
        faults_(options),
        random_(options.seed) {}

  int run(const std::atomic<bool>& stop) {
    if (!listen_on()) return 2;
    if (!options_.log.empty()) log_ = std::fopen(options_.log.c_str(), "a");
    std::vector<epoll_event> events(512);
    while (!stop) {
      const int count =
          epoll_pwait2(epoll_, events.data(), static_cast<int>(events.size()), timeout(), nullptr);
      for (int i = 0; i < count; ++i) take_event(events[static_cast<std::size_t>(i)]);
      send_due();
      if (log_ != nullptr) std::fflush(log_);
    }
    if (log_ != nullptr) std::fclose(log_);
    return 0;
  }

 private:
  bool listen_on() {
    epoll_ = epoll_create1(EPOLL_CLOEXEC);
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int one = 1;
    setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(options_.port));
    socklen_t size = sizeof address;
    if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        listen(listener_, 4096) != 0 ||
        getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      std::perror("fake_server");
      return false;
    }
    watch(listener_, EPOLLIN, EPOLL_CTL_ADD);
    fmt::print("port {}\n", ntohs(address.sin_port));
    std::fflush(stdout);
    return true;
  }

  void watch(int fd, std::uint32_t what, int operation) const {
    epoll_event event{};
    event.events = what;
    event.data.fd = fd;
    epoll_ctl(epoll_, operation, fd, &event);
  }

  // Waking for each reply by itself costs more than the replies: a tenth of a millisecond gathers
  // them.
  const timespec* timeout() {
    double wait = 0.5;  // so that a signal between the check and the wait is seen
    if (!due_.empty()) wait = std::clamp(due_.top().time - now() + 0.0001, 0.0, 0.5);
    timespec_.tv_sec = 0;
    timespec_.tv_nsec = static_cast<long>(wait * 1e9);
    return &timespec_;
  }

  void take_event(const epoll_event& event) {
    if (event.data.fd == listener_) return accept_all();
    Connection* connection = at(event.data.fd);
    if (connection == nullptr) return;
    if ((event.events & (EPOLLERR | EPOLLHUP)) != 0) return drop(*connection);
    if ((event.events & EPOLLOUT) != 0 && !flush(*connection)) return;
    if ((event.events & EPOLLIN) != 0) receive(*connection);
  }

  Connection* at(int fd) {
    const auto index = static_cast<std::size_t>(fd);
    return index < connections_.size() ? connections_[index].get() : nullptr;
  }

  void accept_all() {
    for (int fd = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC); fd >= 0;
         fd = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)) {
      const int one = 1;
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
      if (connections_.size() <= static_cast<std::size_t>(fd))
        connections_.resize(static_cast<std::size_t>(fd) + 1);
      auto connection = std::make_unique<Connection>();
      connection->fd = fd;
      connection->id = ++accepted_;
      connections_[static_cast<std::size_t>(fd)] = std::move(connection);
      watch(fd, EPOLLIN, EPOLL_CTL_ADD);
    }
  }

  void drop(Connection& connection) {
    if (connection.counted) --in_progress_;
    const int fd = connection.fd;
    close(fd);
    connections_[static_cast<std::size_t>(fd)].reset();
  }

  void receive(Connection& connection) {
    constexpr std::size_t kChunk = 65536;
    const std::size_t size = connection.in.size();
    connection.in.resize(size + kChunk);
    const ssize_t count = recv(connection.fd, connection.in.data() + size, kChunk, 0);
    connection.in.resize(size + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count == 0 || (count < 0 && errno != EAGAIN)) return drop(connection);
    if (!connection.answering) take_request(connection);
  }

  void take_request(Connection& connection) {
    const std::size_t end = connection.in.find("\r\n\r\n");
    if (end == std::string::npos) return;
    const Head head = read_head(std::string_view(connection.in).substr(0, end));
    if (connection.in.size() < end + 4 + head.length) return;
    connection.answering = true;
    connection.delivery = Delivery::kWhole;
    const std::string_view body = std::string_view(connection.in).substr(end + 4, head.length);
    const double delay = answer(connection, head, body);
    connection.in.erase(0, end + 4 + head.length);
    if (connection.delivery == Delivery::kNever) return;
    due_.push({now() + delay, connection.fd, connection.id});
  }

  // Prepares the reply; how many seconds later it leaves.
  double answer(Connection& connection, const Head& head, std::string_view body) {
    if (head.get) {
      const bool stats = head.target == "/stats";
      put(connection,
          {200, {}, stats ? stats_json() : R"({"object":"list","data":[{"id":"fake"}]})"});
      return 0;
    }
    ++requests_;
    if (head.target == "/v1/messages") return answer_message(connection, head, body);
    if (!options_.require_key.empty() && head.authorization != "Bearer " + options_.require_key) {
      put(connection, error_answer(401, "Incorrect API key provided: " + head.authorization,
                                   "invalid_request_error", "invalid_api_key"));
      return 0;
    }
    if (over_limits(connection)) return 0;
    const std::string kind = begin(connection, body);
    Fault fault = kind.empty() ? Fault{} : faults_.make(kind, head.authorization);
    connection.delivery = fault.delivery;
    put(connection, fault.answer ? *fault.answer : chat_.answer(body));
    return latency();
  }

  // The same for the Messages API, which has its own headers and errors.
  double answer_message(Connection& connection, const Head& head, std::string_view body) {
    if (!options_.require_key.empty() && head.api_key != options_.require_key) {
      put(connection,
          message_error(401, "authentication_error", "invalid x-api-key: " + head.api_key));
      return 0;
    }
    if (head.version.empty()) {
      put(connection,
          message_error(400, "invalid_request_error", "anthropic-version: header is required"));
      return 0;
    }
    if (over_limits(connection)) return 0;
    const std::string kind = begin(connection, body);
    Fault fault;
    if (!kind.empty()) {
      fault = faults_.make(kind, head.api_key);
      if (auto own = message_fault(kind, head.api_key)) fault.answer = std::move(own);
    }
    connection.delivery = fault.delivery;
    put(connection, fault.answer ? *fault.answer : messages_.answer(body, now()));
    return latency();
  }

  // Counts and logs a request that is worked on; how it is to fail, or nothing.
  std::string begin(Connection& connection, std::string_view body) {
    ++in_progress_;
    connection.counted = true;
    most_ = std::max(most_, in_progress_);
    const std::uint64_t hash = hash_of(body);
    std::string kind = faults_.kind_for(hash);
    if (log_ != nullptr) fmt::print(log_, "{:016x} {}\n", hash, kind.empty() ? "ok" : kind);
    return kind;
  }

  double latency() {
    const double latency = options_.latency_ms / 1000;
    if (!options_.shuffle) return latency;
    return std::uniform_real_distribution<>(0, std::max(0.02, 2 * latency))(random_);
  }

  bool over_limits(Connection& connection) {
    const bool crowded = options_.capacity > 0 && in_progress_ >= options_.capacity;
    bool fast = false;
    if (options_.rate > 0) {
      const double time = now();
      tokens_ = std::min(options_.rate / 10, tokens_ + (time - refilled_) * options_.rate);
      refilled_ = time;
      fast = tokens_ < 1;
      if (!fast) tokens_ -= 1;
    }
    if (!crowded && !fast) return false;
    ++turned_away_;
    if (log_ != nullptr) fmt::print(log_, "{:016x} turned-away\n", 0);
    HttpAnswer answer = error_answer(429, "Rate limit reached", "requests", "rate_limit_exceeded");
    if (fast) answer.headers = "retry-after-ms: 100\r\n";
    put(connection, answer);
    return true;
  }

  std::string stats_json() const {
    return fmt::format(
        R"({{"requests":{},"connections":{},"most_in_progress":{},"turned_away":{}}})", requests_,
        accepted_, most_, turned_away_);
  }

  static void put(Connection& connection, const HttpAnswer& answer) {
    connection.written = 0;
    connection.out.clear();
    fmt::format_to(
        std::back_inserter(connection.out),
        "HTTP/1.1 {} Fake\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{}\r\n",
        answer.status, answer.body.size(), answer.headers);
    connection.out += answer.body;
  }

  void send_due() {
    const double time = now();
    while (!due_.empty() && due_.top().time <= time) {
      const Due due = due_.top();
      due_.pop();
      Connection* connection = at(due.fd);
      if (connection == nullptr || connection->id != due.id) continue;
      deliver(*connection, time);
    }
  }

  void deliver(Connection& connection, double time) {
    switch (connection.delivery) {
      case Delivery::kNever:
        return;
      case Delivery::kReset: {
        const linger hard{1, 0};
        setsockopt(connection.fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        return drop(connection);
      }
      case Delivery::kTruncated:
        connection.out.resize(connection.out.size() - connection.out.size() / 4);
        if (flush(connection)) drop(connection);
        return;
      case Delivery::kDrip: {
        if (connection.written >= connection.out.size()) return;
        if (send(connection.fd, connection.out.data() + connection.written, 1, MSG_NOSIGNAL) != 1) {
          return drop(connection);
        }
        ++connection.written;
        due_.push({time + 1, connection.fd, connection.id});
        return;
      }
      case Delivery::kWhole:
        flush(connection);
    }
  }

  // False: the connection is gone.
  bool flush(Connection& connection) {
    while (connection.written < connection.out.size()) {
      const ssize_t count = send(connection.fd, connection.out.data() + connection.written,
                                 connection.out.size() - connection.written, MSG_NOSIGNAL);
      if (count < 0 && errno == EAGAIN) {
        watch(connection.fd, EPOLLIN | EPOLLOUT, EPOLL_CTL_MOD);
        return true;
      }
      if (count < 0) {
        drop(connection);
        return false;
      }
      if (connection.written > 0) watch(connection.fd, EPOLLIN, EPOLL_CTL_MOD);
      connection.written += static_cast<std::size_t>(count);
    }
    if (!connection.answering || connection.delivery != Delivery::kWhole) return true;
    connection.answering = false;
    if (connection.counted) --in_progress_;
    connection.counted = false;
    if (!connection.in.empty()) take_request(connection);
    return true;
  }

  const Options& options_;
  Chat chat_;
  Messages messages_;
  Faults faults_;
  std::mt19937_64 random_;
  int epoll_ = -1;
  int listener_ = -1;
  std::FILE* log_ = nullptr;
  timespec timespec_{};
  std::vector<std::unique_ptr<Connection>> connections_;  // by file descriptor
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::uint64_t accepted_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t turned_away_ = 0;
  int in_progress_ = 0;
  int most_ = 0;
  double tokens_ = 1;
  double refilled_ = 0;
};

}  // namespace

int serve(const Options& options, const std::atomic<bool>& stop) {
  return Server(options).run(stop);
}

}  // namespace fake
