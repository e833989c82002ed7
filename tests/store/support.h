#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <random>
#include <string>

#include "assay/store.h"
#include "store/codec.h"

namespace assay::test {

// A folder that goes away with the test.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "assay-store-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// Key number n: 32 bytes spread like a hash.
inline std::string key(std::uint64_t n) {
  std::mt19937_64 random(n);
  std::string bytes;
  for (int i = 0; i < 4; ++i) {
    for (std::uint64_t word = random(), j = 0; j < 8; ++j, word >>= 8) {
      bytes += static_cast<char>(word & 0xff);
    }
  }
  return key_hex(bytes);
}

inline Recorded record(std::uint64_t n, std::string text = "yes", Status status = Status::kOk) {
  Recorded recorded;
  recorded.key = key(n);
  recorded.judge = "fake judge";
  recorded.stage = "verdicts";
  recorded.question = R"({"n":)" + std::to_string(n) + "}";
  recorded.reply.status = status;
  recorded.reply.text = std::move(text);
  recorded.reply.usage.calls = 1;
  recorded.reply.usage.prompt_tokens = 100;
  return recorded;
}

// Appends and waits until it is durable; the error.
inline std::string put(Ledger& ledger, Recorded recorded) {
  auto promise = std::make_shared<std::promise<std::string>>();
  auto error = promise->get_future();
  ledger.append(std::move(recorded),
                [promise](std::string text) { promise->set_value(std::move(text)); });
  return error.get();
}

inline std::string text_at(Ledger& ledger, std::uint64_t n) {
  const auto reply = ledger.find(key(n));
  return reply ? reply->text : "(none)";
}

inline RunInfo run_named(const std::string& id, std::int64_t created = 1) {
  RunInfo run;
  run.id = id;
  run.created = created;
  run.command = "assay eval rows.jsonl";
  run.rows = 3;
  run.method = "seal";
  run.judge = "fake";
  run.options = R"({"layout":"shared"})";
  return run;
}

}  // namespace assay::test
