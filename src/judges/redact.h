#pragma once

#include <string>
#include <string_view>

namespace assay {

// `text` with every piece of the key of six bytes or more, and the whole key however short,
// replaced by
// "[key]". Servers echo keys whole, cut and starred ("sk-abc***wxyz").
std::string redact(std::string_view text, std::string_view key);

// One printable line of at most 300 bytes: control characters become spaces, runs of spaces one
// space, a cut falls between code points. Redacted before it is cut.
std::string one_line(std::string_view text, std::string_view key);

}  // namespace assay
