#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

// SHA-256 of the bytes, in lower-case hex.
std::string sha256_hex(std::string_view bytes);

// Collects fields unambiguously (each is preceded by its length), then hashes them: ("ab","c") and
// ("a","bc") differ. Thread-compatible.
class Hasher {
 public:
  Hasher& add(std::string_view field);
  Hasher& add(std::int64_t number);
  Hasher& add(double number);  // by its shortest exact decimal form
  std::string hex() const;

 private:
  std::string bytes_;
};

// A fast 64-bit hash for tables and ordering inside one process; never stored.
std::uint64_t quick_hash(std::string_view bytes);

}  // namespace assay
