#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "metrics/scorer.h"
#include "metrics/tokens.h"
#include "metrics/wordnet.h"

namespace assay {

struct MeteorText {
  std::vector<TokenId> words;
  std::vector<TokenId> stems;
  std::vector<const std::vector<std::uint32_t>*> synsets;  // of each word; empty without synonyms
};

struct Meteor {
  std::size_t exact = 0;
  std::size_t stem = 0;
  std::size_t synonym = 0;
  std::size_t chunks = 0;
  double score = 0;
};

Meteor meteor_score(const MeteorText& output, const MeteorText& reference);

// `wordnet` may be null: then there is no synonym stage, and every note says so.
std::unique_ptr<Scorer> make_meteor(std::shared_ptr<const WordNet> wordnet);

}  // namespace assay
