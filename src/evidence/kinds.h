#pragma once

#include "evidence/evidence.h"

namespace assay {

// The kinds of evidence, for registry.cc and tests. What each means: src/evidence/README.md.
using Measured = std::optional<EvidenceResult>;

// support.cc
Measured source_support(const EvidenceInput& in);
Measured names_and_numbers(const EvidenceInput& in);
Measured source_order(const EvidenceInput& in);
Measured weakest_support(const EvidenceInput& in);

// form.cc
Measured sentence_form(const EvidenceInput& in);
Measured clean_form(const EvidenceInput& in);
Measured no_repeated_bigrams(const EvidenceInput& in);
Measured no_overlap(const EvidenceInput& in);
Measured no_repetition(const EvidenceInput& in);
Measured type_token(const EvidenceInput& in);
Measured short_turn(const EvidenceInput& in);

// coverage.cc
Measured lead_coverage(const EvidenceInput& in);
Measured reference_unigrams(const EvidenceInput& in);
Measured reference_pyramid(const EvidenceInput& in);

// dialogue.cc
Measured fact_use(const EvidenceInput& in);
Measured content(const EvidenceInput& in);
Measured on_topic(const EvidenceInput& in);
Measured earlier_turns(const EvidenceInput& in);
Measured not_generic(const EvidenceInput& in);

}  // namespace assay
