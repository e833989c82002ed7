#pragma once

#include <string>
#include <vector>

#include "assay/method.h"
#include "assay/rubric.h"

namespace assay {

// A labelled row as it is shown among the examples of a few-shot prompt.
struct RatingExample {
  std::string id;
  double label = 0;  // as people gave it
  double score = 0;  // the nearest point of the scale: what is shown
  Sample sample;
};

// What rating methods prepare once for a dimension and judge; each uses the parts it needs, so that
// one artefact may serve several methods.
struct RatingPrepared {
  std::string steps;        // written by the judge
  std::string explanation;  // of the task, in the judge's own words
  std::vector<RatingExample> examples;
  std::string failure;  // why a part could not be made; every row is then unscored for this reason
};

// As YAML that people read and edit: docs/methods/g-eval.md. Reading it back gives the same parts.
Artefact rating_artefact(const Rubric& rubric, const RatingPrepared& prepared);

// Throws ConfigError with line and remedy; an artefact of another task or dimension is refused.
RatingPrepared read_rating_artefact(const Rubric& rubric, const Artefact& artefact);

// A YAML scalar for any UTF-8 text: a literal block where that keeps every byte, else quoted.
// `indent` is that of the key.
std::string yaml_scalar(std::string_view text, int indent);

}  // namespace assay
