#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

// The offset of the first byte that is not well-formed UTF-8 (overlong forms and surrogates
// included), or nothing when all is well.
std::optional<std::size_t> find_bad_utf8(std::string_view text);

// At most `columns` code points, cut at a code point and marked with "…" when something was left
// out.
std::string ellipsize(std::string_view text, std::size_t columns);

}  // namespace assay
