#pragma once

#include <memory>
#include <span>

#include "metrics/rouge155.h"

namespace assay {

struct Prf {
  double precision = 0;
  double recall = 0;
  double f = 0;
};

// F with recall weighted beta times as much as precision; all 0 where nothing is shared.
Prf prf(std::size_t hits, std::size_t output, std::size_t reference, double beta = 1);

// The common Porter convention: words of [a-z0-9], stemmed where longer than three letters; ROUGE-L
// is the longest common subsequence of the whole texts; F1.
std::unique_ptr<Scorer> make_rouge_porter(RougeKind kind, Measure measure);

// ROUGE-L as nlg-eval computes it: words at white space as they stand, F with beta 1.2. Its joint
// rule takes the best precision and the best recall over the references, each by itself.
std::unique_ptr<Scorer> make_rouge_nlg_eval(Measure measure);

}  // namespace assay
