// Hand-worked METEOR, and the alignment against all alignments of small cases.

#include "metrics/meteor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <tuple>

#include "metrics/meteor_align.h"

namespace assay {
namespace {

Compared meteor(const std::string& output, const std::string& reference) {
  return make_meteor(nullptr)->each(output, std::vector<std::string>{reference})[0];
}

// Six words all matched. "on the mat" and "sat" and "the cat": output
//   on the mat sat the cat   against   the cat sat on the mat
// has 6 matches; the fewest chunks are [on the mat] [sat] [the cat] = 3.
// P = R = 1, Fmean = 1, penalty = 0.5 (3/6)^3 = 1/16, score = 15/16.
TEST(Meteor, CountsFewestChunks) {
  EXPECT_NEAR(*meteor("on the mat sat the cat", "the cat sat on the mat").value, 15.0 / 16, 1e-15);
}

// the cat was sat on the mat / the cat sat on the mat: 6 of 7 matched, R = 6/6, two chunks:
// [the cat] [sat on the mat]. Fmean = (6/7) / (0.9 * 6/7 + 0.1) = (6/7) / (6.1/7) = 60/61,
// penalty = 0.5 (2/6)^3 = 1/54, score = 60/61 * 53/54.
TEST(Meteor, WeighsRecall) {
  EXPECT_NEAR(*meteor("The cat was sat on the mat.", "the cat sat on the mat").value,
              60.0 / 61 * 53 / 54, 1e-15);
}

// Identical: one chunk of n words is still penalised by 0.5 / n^3, as in the paper's formula.
TEST(Meteor, IdenticalTexts) {
  EXPECT_NEAR(*meteor("the cat sat on the mat", "the cat sat on the mat").value, 1 - 0.5 / 216,
              1e-15);
}

// dogs -> dog and barking -> bark by stem, "the" exactly: 3 of 3, one chunk.
TEST(Meteor, MatchesStemsAfterWords) {
  const Compared m = meteor("the dogs barking", "the dog barks");
  EXPECT_NEAR(*m.value, 1 - 0.5 / 27, 1e-15);
  EXPECT_EQ(m.note, "3 of 3 words matched with 3: 1 exact, 2 stem, synonyms left out in 1 chunk");
}

TEST(Meteor, NothingShared) {
  EXPECT_EQ(*meteor("a b c", "x y z").value, 0);
  EXPECT_EQ(*meteor("...", "x y z").value, 0);
  EXPECT_EQ(*meteor("a", "").value, 0);
}

TEST(Meteor, RefusesWhatCannotBeAligned) {
  std::string big;
  for (int i = 0; i < 6000; ++i) big += "word ";
  EXPECT_FALSE(meteor(big, big).value.has_value());
}

// All one-to-one alignments: most matches, then fewest chunks.
std::pair<std::size_t, std::size_t> best_of_all(const Candidates& candidates,
                                                std::size_t reference_size) {
  std::pair<std::size_t, std::size_t> best{0, 0};
  std::vector<int> alignment(candidates.size(), kUnmatched);
  std::vector<bool> taken(reference_size, false);
  std::function<void(std::size_t, std::size_t)> go = [&](std::size_t i, std::size_t matched) {
    if (i == candidates.size()) {
      const std::size_t chunks = count_chunks(alignment);
      if (matched > best.first || (matched == best.first && chunks < best.second))
        best = {matched, chunks};
      return;
    }
    alignment[i] = kUnmatched;
    go(i + 1, matched);
    for (int place : candidates[i]) {
      if (taken[static_cast<std::size_t>(place)]) continue;
      taken[static_cast<std::size_t>(place)] = true;
      alignment[i] = place;
      go(i + 1, matched + 1);
      taken[static_cast<std::size_t>(place)] = false;
    }
    alignment[i] = kUnmatched;
  };
  go(0, 0);
  return best;
}

std::pair<std::size_t, std::size_t> found(const Candidates& candidates, std::size_t size,
                                          bool classes) {
  std::vector<int> alignment(candidates.size(), kUnmatched);
  extend_alignment(alignment, candidates, size, classes);
  std::vector<bool> taken(size, false);
  std::size_t matched = 0;
  for (std::size_t i = 0; i < alignment.size(); ++i) {
    if (alignment[i] == kUnmatched) continue;
    ++matched;
    EXPECT_FALSE(taken[static_cast<std::size_t>(alignment[i])]) << "matched twice";
    taken[static_cast<std::size_t>(alignment[i])] = true;
    EXPECT_NE(std::find(candidates[i].begin(), candidates[i].end(), alignment[i]),
              candidates[i].end());
  }
  return {matched, count_chunks(alignment)};
}

TEST(MeteorAlign, EqualWordsAgreeWithAllAlignments) {
  std::mt19937 random(21);
  for (int round = 0; round < 400; ++round) {
    const unsigned alphabet = 2 + random() % 4;
    std::vector<unsigned> a(random() % 7), b(random() % 7);
    for (unsigned& x : a) x = random() % alphabet;
    for (unsigned& x : b) x = random() % alphabet;
    Candidates candidates(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) {
        if (a[i] == b[j]) candidates[i].push_back(static_cast<int>(j));
      }
    }
    ASSERT_EQ(found(candidates, b.size(), true), best_of_all(candidates, b.size()));
  }
}

TEST(MeteorAlign, SynonymsFindTheMostMatches) {
  std::mt19937 random(22);
  for (int round = 0; round < 400; ++round) {
    const std::size_t size = random() % 6;
    Candidates candidates(random() % 6);
    for (auto& places : candidates) {
      for (std::size_t j = 0; j < size; ++j) {
        if (random() % 3 == 0) places.push_back(static_cast<int>(j));
      }
    }
    ASSERT_EQ(found(candidates, size, false).first, best_of_all(candidates, size).first);
  }
}

TEST(MeteorAlign, KeepsEarlierStages) {
  std::vector<int> alignment{2, kUnmatched, 0};
  extend_alignment(alignment, {{}, {1, 3}, {}}, 4, false);
  EXPECT_EQ(alignment, (std::vector<int>{2, 3, 0}));  // 2-3 is one chunk, 1 would be its own
}

}  // namespace
}  // namespace assay
