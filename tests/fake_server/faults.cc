#include "faults.h"

#include <fmt/format.h>

namespace fake {
namespace {

std::uint64_t mix(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

Fault with(HttpAnswer answer) { return {Delivery::kWhole, std::move(answer)}; }

HttpAnswer too_many(const char* headers) {
  HttpAnswer answer = error_answer(429, "Rate limit reached", "requests", "rate_limit_exceeded");
  answer.headers = headers;
  return answer;
}

}  // namespace

// Those a run must survive; the named ones below are only given when asked for by --fault-kinds.
const std::vector<std::string>& Faults::kinds() {
  static const std::vector<std::string> all = {
      "429",          "429-retry-after", "500",  "503",           "reset",   "timeout", "truncated",
      "invalid-json", "wrong-shape",     "html", "empty-choices", "refusal", "huge",    "drip"};
  return all;
}

Faults::Faults(const Options& options) : options_(options) {}

std::string Faults::kind_for(std::uint64_t body_hash) {
  if (options_.faults <= 0) return {};
  const auto times = static_cast<std::uint64_t>(asked_[body_hash]++);
  const std::uint64_t draw = mix(mix(body_hash ^ options_.seed) + times);
  if (static_cast<double>(draw >> 11U) * 0x1p-53 >= options_.faults) return {};
  const auto& from = options_.fault_kinds.empty() ? kinds() : options_.fault_kinds;
  return from[mix(draw) % from.size()];
}

Fault Faults::make(const std::string& kind, const std::string& authorization) const {
  if (kind == "429") return with(too_many(""));
  if (kind == "429-retry-after") return with(too_many("Retry-After: 1\r\n"));
  if (kind == "429-retry-ms") return with(too_many("retry-after-ms: 20\r\n"));
  if (kind == "500") return with({500, {}, "Internal Server Error"});
  if (kind == "503") return with({503, {}, R"({"error":"overloaded"})"});
  if (kind == "reset") return {Delivery::kReset, std::nullopt};
  if (kind == "timeout") return {Delivery::kNever, std::nullopt};
  if (kind == "truncated") return {Delivery::kTruncated, std::nullopt};
  if (kind == "drip") return {Delivery::kDrip, std::nullopt};
  if (kind == "invalid-json") return with({200, {}, R"({"choices":[{"message":)"});
  if (kind == "wrong-shape") return with({200, {}, R"({"choices":{"answer":"yes"},"usage":[]})"});
  if (kind == "html") return with({200, {}, "<html><body>Welcome</body></html>"});
  if (kind == "empty-choices") return with({200, {}, R"({"choices":[],"usage":{}})"});
  if (kind == "refusal") return with(refusal_answer());
  if (kind == "huge") return with({200, {}, completion(std::string(10 << 20, 'x'), 1, false, 1)});
  if (kind == "too-large") return with({200, {}, std::string(17 << 20, ' ')});
  if (kind == "quota") {
    return with(error_answer(429, "You exceeded your current quota", "insufficient_quota",
                             "insufficient_quota"));
  }
  if (kind == "402") return with({402, {}, R"({"error":{"message":"Payment required"}})"});
  if (kind == "401") {
    return with(error_answer(401, "Incorrect API key provided: " + authorization,
                             "invalid_request_error", "invalid_api_key"));
  }
  if (kind == "404")
    return with(
        error_answer(404, "The model does not exist", "invalid_request_error", "model_not_found"));
  if (kind == "context") {
    return with(
        error_answer(400, "This model's maximum context length is 8192 tokens; reduce max_tokens",
                     "invalid_request_error", "context_length_exceeded", "messages"));
  }
  if (kind == "redirect") return with({302, "Location: " + options_.redirect_to + "\r\n", ""});
  return with({500, {}, "unknown fault kind " + kind});
}

}  // namespace fake
