#pragma once

#include <string>

#include "assay/question.h"
#include "assay/rubric.h"
#include "text/template.h"

namespace assay {

// A question from a prompt: its blocks filled with the values and put in the order of the layout.
// What stands before the mark "|" of the last user turn is the shared part, what stands after it
// the tail. Throws ConfigError where the prompt lacks the layout, a block or a value.
Question compose(const Prompt& prompt, const std::string& layout, const TemplateValues& values,
                 AnswerSpec answer);

// The given ids as "s1, s2, s3".
std::string joined(const std::vector<std::string>& ids);

}  // namespace assay
