#include "judges/json_fields.h"

#include <nlohmann/json.hpp>

namespace assay::fields {

const Json& member(const Json& object, const char* name) {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  const auto it = object.find(name);
  return it == object.end() ? kNull : *it;
}

std::string string_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::int64_t count_of(const Json& value) {
  if (!value.is_number()) return 0;
  const double number = value.get<double>();
  return number > 0 && number < 1e15 ? static_cast<std::int64_t>(number) : 0;
}

bool is_markup(std::string_view body) {
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && body[first] == '<';
}

std::string parse(std::string_view body, Json& json) {
  if (is_markup(body)) return "the reply is an HTML page, not JSON";
  json = Json::parse(body, nullptr, false);
  return json.is_discarded() ? "the reply is not JSON" : "";
}

}  // namespace assay::fields
