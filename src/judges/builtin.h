#pragma once

#include <memory>
#include <string_view>

#include "assay/judge.h"

namespace assay {

// The judge that needs no model: answers yes/no questions and links about a Subject from lexical
// evidence (src/evidence, docs/builtin-judge.md). A Keyed answer has one aspect and the ids of
// units, or one unit and the ids of aspects; YesNo has one of each; Links has one aspect and names
// for each supported unit the nearest source. Anything else is refused: it writes nothing, weighs
// nothing, grades nothing.
//
// Every answer carries the soft value as the probability of yes, and why it is not 1 as a note.
// What no evidence can answer for this row (none named, or the text it needs is absent) is not
// guessed: a question about nothing else is refused with the reason; in a Keyed answer of several
// ids such an id has a note "unknown: ..." and NO probability, and its "no" must be left out by who
// reads it.
//
// `threads` workers answer; with 0 the caller of `ask` does, before `ask` returns. What waits is
// bounded by who asks. Requests still waiting when the judge is destroyed are answered first.
std::unique_ptr<Judge> make_builtin(int threads);

// What to say wherever its scores are shown. One sentence.
std::string_view builtin_caveat();

}  // namespace assay
