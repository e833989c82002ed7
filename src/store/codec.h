#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/sample.h"
#include "assay/verdict.h"

namespace assay {

// The lists inside a ledger row, as JSON: probs [["yes",0.9],["no",0.1]], notes [["u1","why"]]. An
// empty list is an empty string (NULL in the file). Bytes that are no UTF-8 become U+FFFD. Decoders
// are strict: anything else gives nothing.
std::string encode_probs(const std::vector<OptionProb>& probs);
std::string encode_notes(const Named<std::string>& notes);
std::optional<std::vector<OptionProb>> decode_probs(std::string_view text);
std::optional<Named<std::string>> decode_notes(std::string_view text);

// A content key as bytes: hex of 1 to 64 bytes, nothing else.
std::optional<std::string> key_bytes(std::string_view hex);
std::string key_hex(std::string_view bytes);

// A status as stored; nothing for a number this version does not know.
std::optional<Status> decode_status(std::int64_t number);

// Why this reply cannot be stored as it is, or nothing: a number that is not finite would come back
// as null.
std::optional<std::string> not_storable(const std::vector<OptionProb>& probs, const Usage& usage);

}  // namespace assay
