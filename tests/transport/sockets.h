#pragma once

#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

// Blocking sockets and a thread a connection: plain enough to trust, fast enough for a test.
namespace transport {

inline sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

// Accepts for ever; prints the port taken, as fake_server does.
inline int serve_each(const std::function<void(int fd, int number)>& connection) {
  signal(SIGPIPE, SIG_IGN);  // a client that hangs up ends its connection, not the server
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(listener, 1024) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    std::perror("listen");
    return 2;
  }
  std::printf("port %d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  for (int number = 1;; ++number) {
    const int fd = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return 0;
    std::thread([&connection, fd, number] {
      connection(fd, number);
      close(fd);
    }).detach();
  }
}

inline int connect_to(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
  close(fd);
  return -1;
}

inline bool send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// What one recv gives; empty at the end.
inline std::string receive(int fd) {
  std::array<char, 16384> buffer;
  const ssize_t count = recv(fd, buffer.data(), buffer.size(), 0);
  return {buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

// Carries bytes both ways until either side ends.
inline void relay(int a, int b) {
  std::array<pollfd, 2> sides{{{a, POLLIN, 0}, {b, POLLIN, 0}}};
  while (poll(sides.data(), sides.size(), -1) > 0) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (sides[i].revents == 0) continue;
      const std::string bytes = receive(sides[i].fd);
      if (bytes.empty() || !send_all(sides[1 - i].fd, bytes)) return;
    }
  }
}

// A line at a time, whole, from any thread.
class Log {
 public:
  explicit Log(const std::string& path) : file_(path, std::ios::app) {}
  void line(const std::string& text) {
    const std::scoped_lock lock(mutex_);
    file_ << text << std::endl;
  }

 private:
  std::mutex mutex_;
  std::ofstream file_;
};

}  // namespace transport
