#pragma once

#include <string>
#include <string_view>

namespace assay {

// Appends the text as a JSON string, quotes included. A byte that is not UTF-8 becomes U+FFFD.
// Results and prompts written this way, straight into one string: they are long, there are
// thousands a second, and a document tree would copy each of them twice.
void append_json_text(std::string& out, std::string_view text);
std::string json_text(std::string_view text);

}  // namespace assay
