#pragma once

#include <string>

#include "assay/judge.h"

namespace assay {

// The content key of a call: who is asked (identity), what (messages, answer shape), how
// (sampling), and which draw and attempt. Equal keys are one question, asked once, ever. Stored in
// ledgers and recordings: a change of this encoding must change kKeyVersion, or old answers would
// be taken for new ones.
std::string content_key(const std::string& identity, const Request& request);

// A canonical description of an answer shape, for the key and for error messages.
std::string describe(const AnswerSpec& spec);

// Two samples of one question, which a server may be asked for together.
bool draws_of_one_question(const Request& a, const Request& b);

}  // namespace assay
