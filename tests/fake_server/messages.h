#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "chat.h"

namespace fake {

// The Messages API: strict about what it takes, with a prompt cache that works as the real one
// does: a marked prefix can be read by requests that come after the first one was answered.
// Not thread-safe.
class Messages {
 public:
  explicit Messages(const Options& options);
  ~Messages();
  HttpAnswer answer(std::string_view body, double now);

 private:
  struct Parsed;
  const Options& options_;
  std::unique_ptr<Parsed> parsed_;
  std::map<std::string, double> kept_;  // prefix -> when it can be read
};

HttpAnswer message_error(int status, std::string_view type, std::string_view message);
// Faults that this API words in its own way; nothing: as the other one does.
std::optional<HttpAnswer> message_fault(const std::string& kind, const std::string& key);

}  // namespace fake
