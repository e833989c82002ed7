#pragma once

#include <string>

#include "assay/method.h"
#include "methods/hypo_options.h"
#include "methods/hypo_questions.h"

namespace assay {

class HypoLearn;

// The record of one seed for its bank: the prompts, the rows, and every call with its reply, as a
// YAML document (docs/formats/bank.md). Prompts and rows stand there once; a call names what filled
// its prompt, and the hash of the messages it came to.
std::string hypo_record(const HypoLearn& learn, const HypoQuestions& questions,
                        const HypoOptions& options, const Preparation& preparation,
                        const Transcript& transcript);

}  // namespace assay
