#pragma once

#include <fcntl.h>
#include <openssl/ssl.h>

#include <cstdlib>
#include <string>

#include "sockets.h"

namespace transport {

// A certificate and the one protocol offered by ALPN.
class TlsServer {
 public:
  TlsServer(const char* certificate, const char* key, std::string protocol)
      : protocol_(std::move(protocol)), context_(SSL_CTX_new(TLS_server_method())) {
    if (SSL_CTX_use_certificate_file(context_, certificate, SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_use_PrivateKey_file(context_, key, SSL_FILETYPE_PEM) != 1) {
      std::fprintf(stderr, "tls_front: no certificate\n");
      std::exit(2);
    }
    SSL_CTX_set_alpn_select_cb(context_, &TlsServer::choose, this);
    SSL_CTX_set_mode(context_, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  }
  ~TlsServer() { SSL_CTX_free(context_); }
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;
  SSL_CTX* context() const { return context_; }

 private:
  static int choose(SSL* /*ssl*/, const unsigned char** out, unsigned char* size,
                    const unsigned char* offered, unsigned int offered_size, void* user) {
    const std::string& ours = static_cast<TlsServer*>(user)->protocol_;
    for (unsigned int at = 0; at < offered_size; at += offered[at] + 1U) {
      if (std::string_view(reinterpret_cast<const char*>(offered) + at + 1, offered[at]) != ours) {
        continue;
      }
      *out = offered + at + 1;
      *size = offered[at];
      return SSL_TLSEXT_ERR_OK;
    }
    return SSL_TLSEXT_ERR_NOACK;
  }

  const std::string protocol_;
  SSL_CTX* const context_;
};

// One connection, not blocking once the handshake is done: read takes what is there, write waits.
class Tls {
 public:
  Tls(const TlsServer& server, int fd) : fd_(fd), ssl_(SSL_new(server.context())) {
    SSL_set_fd(ssl_, fd);
  }
  ~Tls() { SSL_free(ssl_); }
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;

  bool handshake() {
    if (SSL_accept(ssl_) != 1) return false;
    fcntl(fd_, F_SETFL, fcntl(fd_, F_GETFL) | O_NONBLOCK);
    return true;
  }
  int fd() const { return fd_; }
  std::string protocol() const {
    const unsigned char* name = nullptr;
    unsigned int size = 0;
    SSL_get0_alpn_selected(ssl_, &name, &size);
    return {reinterpret_cast<const char*>(name), size};
  }
  // All that has come; false at the end.
  bool read(std::string& bytes) {
    std::array<char, 16384> buffer;
    for (;;) {
      const int count = SSL_read(ssl_, buffer.data(), static_cast<int>(buffer.size()));
      if (count <= 0) return SSL_get_error(ssl_, count) == SSL_ERROR_WANT_READ;
      bytes.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }
  bool write(std::string_view bytes) {
    while (!bytes.empty()) {
      const int count = SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size()));
      if (count > 0) {
        bytes.remove_prefix(static_cast<std::size_t>(count));
      } else if (SSL_get_error(ssl_, count) == SSL_ERROR_WANT_WRITE) {
        pollfd writable{fd_, POLLOUT, 0};
        poll(&writable, 1, -1);
      } else {
        return false;
      }
    }
    return true;
  }

 private:
  const int fd_;
  SSL* const ssl_;
};

}  // namespace transport
