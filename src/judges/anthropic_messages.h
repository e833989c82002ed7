#pragma once

#include <string>
#include <string_view>

#include "assay/judge.h"
#include "judges/openai_body.h"
#include "judges/openai_reply.h"

namespace assay {

// True where the request has a shared part of at least `from_bytes` bytes and something after it:
// only then has it siblings that can read it from the server's cache.
bool worth_caching(const Request& request, std::size_t from_bytes);

// The body of one Messages request. `mark`: put a cache mark at the end of the shared part.
ChatBody messages_body(const std::string& model, const Request& request, const Dialect& dialect,
                       bool mark);

// Reads the body of a 200. Anything may come. A ChatReply has one choice.
ChatReply read_message(std::string_view body);

// Reads any other status: as read_error, but for a balance that is spent, which comes as a 400.
ServerError read_messages_error(int status, std::string_view body, unsigned sent);

}  // namespace assay
