#pragma once

#include <string>

#include "assay/question.h"

namespace assay {

// The JSON schema a reply of this shape must satisfy, as text; empty for the shapes that are
// answered in plain words (YesNo, Text) or not at all (LogLik). Everything a schema admits the
// parser accepts.
std::string answer_schema(const AnswerSpec& spec);

// The shape's name as prompts write it: "yes-no", "keyed", "record", ...
std::string shape_name(const AnswerSpec& spec);

// One sentence for a repair question: what a reply of this shape looks like.
std::string shape_hint(const AnswerSpec& spec);

}  // namespace assay
