#pragma once

#include <string>
#include <string_view>

namespace assay {

// The text as a JSON string, quotes included. Expects UTF-8.
std::string json_text(std::string_view text);

}  // namespace assay
