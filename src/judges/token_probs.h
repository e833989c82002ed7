#pragma once

#include <string>
#include <vector>

#include "assay/question.h"
#include "assay/verdict.h"

namespace assay {

// One token of a reply with the candidates the server listed at its place.
struct TokenChoice {
  std::string token;
  std::vector<OptionProb> top;  // candidate token and its probability
};

// The raw (not normalised) probability of every option of a YesNo, Number or Choice answer at the
// token where the answer begins, summed over spellings: case, leading space, quote. For Keyed: of
// "yes" under every id. Empty where the shape has no options, or the place of the answer cannot be
// told.
std::vector<OptionProb> option_probs(const AnswerSpec& spec, const std::vector<TokenChoice>& reply);

}  // namespace assay
