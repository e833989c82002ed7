#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

// What servers send is read with suspicion: every field may be missing or of another type.
namespace assay::fields {

using Json = nlohmann::json;

const Json& member(const Json& object, const char* name);  // null where there is none
std::string string_of(const Json& value);                  // empty where it is no string
std::int64_t count_of(const Json& value);                  // 0 where it is no sensible count
bool is_markup(std::string_view body);

// The body as JSON; else why it is none.
std::string parse(std::string_view body, Json& json);

}  // namespace assay::fields
