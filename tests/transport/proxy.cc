// A forward proxy: CONNECT for https, absolute URLs for http. It logs all it can read, so that a
// test can tell what a proxy learns.   http_proxy LOG [USER:PASSWORD in base64]
#include <algorithm>

#include "sockets.h"

namespace {

std::string read_head(int fd) {
  std::string head;
  while (head.find("\r\n\r\n") == std::string::npos) {
    const std::string bytes = transport::receive(fd);
    if (bytes.empty()) return {};
    head += bytes;
  }
  return head;
}

// The port in "host:port/..."; whatever the name, it is this machine.
int port_of(std::string_view authority) {
  const std::size_t colon = authority.find(':');
  return colon == std::string_view::npos ? 80 : std::atoi(authority.data() + colon + 1);
}

std::string logged(std::string head) {
  std::replace(head.begin(), head.end(), '\n', '|');
  std::erase(head, '\r');
  return head;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  transport::Log log(argv[1]);
  const std::string credentials = argc > 2 ? argv[2] : "";
  return transport::serve_each([&](int client, int /*number*/) {
    std::string head = read_head(client);
    if (head.empty()) return;
    log.line(logged(head));
    if (!credentials.empty() && head.find("Basic " + credentials) == std::string::npos) {
      transport::send_all(client,
                          "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic "
                          "realm=\"test\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      return;
    }
    const bool tunnel = head.starts_with("CONNECT ");
    const std::size_t space = head.find(' ');
    const std::size_t host = tunnel ? space + 1 : head.find("://") + 3;
    const int server = transport::connect_to(port_of(std::string_view(head).substr(host)));
    if (server < 0) return;
    if (tunnel) {
      transport::send_all(client, "HTTP/1.1 200 Connected\r\n\r\n");
    } else {
      const std::size_t path = head.find('/', host);
      head.replace(space + 1, path - space - 1, "");
      transport::send_all(server, head);
    }
    transport::relay(client, server);
    close(server);
  });
}
