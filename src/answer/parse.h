#pragma once

#include <string>
#include <string_view>

#include "assay/question.h"
#include "assay/verdict.h"

namespace assay {

struct Parsed {
  bool ok = false;
  Value value;  // of a Record that is not ok: the parts that could be read
  std::string
      problem;  // not ok: what is wrong, as a repair question can say it; ok: what was mended
};

// Reads a reply strictly: the whole reply is the answer (a ```json fence and surrounding white
// space are tolerated), every id is answered exactly once, nothing else is in it. No guessing:
// "1,0" for three units, a number outside its scale or a verdict inside a sentence is a problem,
// never a value.
Parsed parse_answer(const AnswerSpec& spec, std::string_view reply);

// True where the reply is nothing but a copy of judged text: a JSON answer found verbatim in one of
// the texts, or a text repeated whole. Such a reply says what the text says, not what the judge
// thinks (rule 6).
bool repeats_judged_text(std::string_view reply, const std::vector<Message>& messages);

}  // namespace assay
