#pragma once

#include <string>
#include <string_view>

#include "assay/judge.h"

namespace assay {

// What was asked, as one line of JSON:
// {"messages":[{"role","content"}],"answer","sampling","draw","attempt"}. For the ledger and
// recordings, to be read by people and tools; the content key is not computed from it.
std::string question_json(const Request& request);

// {"model":"..." and nothing more yet, with room for the messages.
std::string begin_body(const std::string& model, const std::vector<Message>& messages);

// [{"role":"user","content":"..."},...] as chat servers take it, appended to `out`.
void append_messages(std::string& out, const std::vector<Message>& messages);

std::string_view role_name(Role role);        // "system", "user", "assistant"
std::string_view status_name(Status status);  // "ok", "unparsable", "refused", "transport"

}  // namespace assay
