#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "chat.h"
#include "options.h"

namespace fake {

// How a reply leaves the server, where not whole and at once.
enum class Delivery { kWhole, kReset, kNever, kTruncated, kDrip };

struct Fault {
  Delivery delivery = Delivery::kWhole;
  std::optional<HttpAnswer> answer;  // instead of the true one
};

// Which requests fail and how: drawn from the seed, the body and how often it was asked, so that
// neither the order of arrival nor a retry's timing changes it.
class Faults {
 public:
  explicit Faults(const Options& options);
  // Empty: answer it well.
  std::string kind_for(std::uint64_t body_hash);
  Fault make(const std::string& kind, const std::string& authorization) const;
  static const std::vector<std::string>& kinds();

 private:
  const Options& options_;
  std::unordered_map<std::uint64_t, int> asked_;
};

}  // namespace fake
