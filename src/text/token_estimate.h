#pragma once

#include <cstdint>
#include <string_view>

namespace assay {

// About how many tokens a text is to a typical byte-pair vocabulary, for prices before a run where
// the judge has no tokenizer of its own: a word of up to eight letters is one token and every
// further six another, digits and the bytes of other scripts go by threes, letters mixed with
// digits by threes too, a run of one mark is one token, and white space is part of what follows it.
std::int64_t estimate_tokens(std::string_view text);

}  // namespace assay
