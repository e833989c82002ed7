#include "core/hash.h"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <array>
#include <functional>
#include <stdexcept>

namespace assay {

std::string sha256_hex(std::string_view bytes) {
  // Fetched once: EVP_sha256() would look it up in OpenSSL's providers for every hash.
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (algorithm == nullptr ||
      EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, algorithm, nullptr) != 1) {
    throw std::runtime_error("SHA-256 is not available in this OpenSSL");
  }
  static constexpr char kHex[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(size * 2);
  for (unsigned int i = 0; i < size; ++i) {
    hex += kHex[digest[i] >> 4];
    hex += kHex[digest[i] & 15];
  }
  return hex;
}

Hasher& Hasher::add(std::string_view field) {
  bytes_ += fmt::format("{}:", field.size());
  bytes_ += field;
  return *this;
}

Hasher& Hasher::add(std::int64_t number) { return add(fmt::format("{}", number)); }

Hasher& Hasher::add(double number) { return add(fmt::format("{}", number)); }

std::string Hasher::hex() const { return sha256_hex(bytes_); }

std::uint64_t quick_hash(std::string_view bytes) { return std::hash<std::string_view>{}(bytes); }

}  // namespace assay
