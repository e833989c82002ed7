// TLS and HTTP/2 in front of a fake_server, as a gateway stands in front of a model server.
//   tls_front PORT CERTIFICATE KEY LOG [h2|http/1.1] [GOAWAY]
// PORT is the fake_server's. It offers the protocol named, h2 unless told. After GOAWAY streams a
// connection announces its end and takes no more, as gateways do when they restart.
// The log has a line per HTTP/2 stream ("h2 connection most-streams-at-once"), or per HTTP/1.1
// connection.
#include "front_h2.h"
#include "sockets.h"
#include "tls.h"

namespace {

// HTTP/1.1 needs no understanding: bytes in, bytes out.
void relay_decrypted(transport::Tls& tls, int server) {
  std::array<pollfd, 2> sides{{{tls.fd(), POLLIN, 0}, {server, POLLIN, 0}}};
  while (poll(sides.data(), sides.size(), -1) > 0) {
    if (sides[0].revents != 0) {
      std::string bytes;
      if (!tls.read(bytes) || !transport::send_all(server, bytes)) return;
    }
    if (sides[1].revents != 0) {
      const std::string bytes = transport::receive(server);
      if (bytes.empty() || !tls.write(bytes)) return;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const int upstream = std::atoi(argv[1]);
  transport::Log log(argv[4]);
  const std::string protocol = argc > 5 ? argv[5] : "h2";
  const int goaway = argc > 6 ? std::atoi(argv[6]) : 0;
  const transport::TlsServer server(argv[2], argv[3], protocol);
  return transport::serve_each([&](int fd, int number) {
    transport::Tls tls(server, fd);
    if (!tls.handshake()) return log.line("refused");
    if (tls.protocol() == "h2") {
      transport::H2Connection(tls, upstream, number, goaway, log).run();
      return;
    }
    log.line("http/1.1 " + std::to_string(number));
    const int plain = transport::connect_to(upstream);
    if (plain < 0) return;
    relay_decrypted(tls, plain);
    close(plain);
  });
}
