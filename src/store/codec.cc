// Text forms of the small lists in a ledger row. Fuzzed in tests/store/codec_test.cc.
#include "store/codec.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace assay {
namespace {

using Json = nlohmann::json;
constexpr std::size_t kMaxKeyBytes = 64;

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The list of pairs with a string first, or nothing.
std::optional<Json> pairs(std::string_view text) {
  Json json = Json::parse(text.begin(), text.end(), nullptr, false);
  if (!json.is_array() || json.empty()) return std::nullopt;
  for (const Json& pair : json) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string()) return std::nullopt;
  }
  return json;
}

int nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;  // content keys are written in lower case; a second spelling would be a second key
}

}  // namespace

std::string encode_probs(const std::vector<OptionProb>& probs) {
  if (probs.empty()) return {};
  Json json = Json::array();
  for (const OptionProb& prob : probs) json.push_back(Json::array({prob.option, prob.p}));
  return dump(json);
}

std::string encode_notes(const Named<std::string>& notes) {
  if (notes.empty()) return {};
  Json json = Json::array();
  for (const auto& [name, note] : notes) json.push_back(Json::array({name, note}));
  return dump(json);
}

std::optional<std::vector<OptionProb>> decode_probs(std::string_view text) {
  std::vector<OptionProb> probs;
  if (text.empty()) return probs;
  const auto json = pairs(text);
  if (!json) return std::nullopt;
  for (const Json& pair : *json) {
    if (!pair[1].is_number()) return std::nullopt;
    probs.push_back({pair[0].get<std::string>(), pair[1].get<double>()});
    if (!std::isfinite(probs.back().p)) return std::nullopt;
  }
  return probs;
}

std::optional<Named<std::string>> decode_notes(std::string_view text) {
  Named<std::string> notes;
  if (text.empty()) return notes;
  const auto json = pairs(text);
  if (!json) return std::nullopt;
  for (const Json& pair : *json) {
    if (!pair[1].is_string()) return std::nullopt;
    notes.emplace_back(pair[0].get<std::string>(), pair[1].get<std::string>());
  }
  return notes;
}

std::optional<std::string> key_bytes(std::string_view hex) {
  if (hex.empty() || hex.size() % 2 != 0 || hex.size() > 2 * kMaxKeyBytes) return std::nullopt;
  std::string bytes(hex.size() / 2, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = nibble(hex[2 * i]);
    const int low = nibble(hex[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes[i] = static_cast<char>(high * 16 + low);
  }
  return bytes;
}

std::string key_hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::optional<Status> decode_status(std::int64_t number) {
  if (number < 0 || number > static_cast<std::int64_t>(Status::kTransport)) return std::nullopt;
  return static_cast<Status>(number);
}

std::optional<std::string> not_storable(const std::vector<OptionProb>& probs, const Usage& usage) {
  for (const OptionProb& prob : probs) {
    if (!std::isfinite(prob.p)) return "probability of '" + prob.option + "' is not a number";
  }
  if (!std::isfinite(usage.usd) || !std::isfinite(usage.ms)) return "cost or time is not a number";
  return std::nullopt;
}

}  // namespace assay
