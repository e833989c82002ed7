#pragma once

#include <optional>
#include <string>

#include "methods/rating.h"

namespace assay {

// From answers to a score on the rubric's scale (rating_score.cc).

// One rating: a leaf, with the reply as its note where the form asks for prose.
Score single_rating(const RatingSetup& setup, const Verdict& verdict);

// The expected value over the scale's points and the probabilities the judge gave them.
Score expected_rating(const RatingSetup& setup, const Verdict& verdict);

// The expected value over samples: the mean of those that can be read. The others are left out and
// counted in the note; where none can be read, or one did not arrive at all, there is no score.
Score sampled_rating(const RatingSetup& setup, const Round& round);

}  // namespace assay
