// METEOR: S. Banerjee and A. Lavie (2005), with the paper's parameters: words are matched one to
// one in three stages, each on what the one before left: the same word, the same Porter stem, a
// common WordNet synset.
//   Fmean = P R / (0.9 P + 0.1 R)
//   penalty = 0.5 (chunks / matches)^3
//   score = Fmean (1 - penalty)
// Words are those of text/words.h in lower case, without punctuation. The alignment is the one with
// most matches and, of those, fewest chunks. The later METEOR 1.x has other weights per language
// and paraphrase tables, and is not this metric.
// Tested in tests/metrics/meteor_test.cc by hand-worked cases.

#include "metrics/meteor.h"

#include <fmt/format.h>

#include <algorithm>

#include "metrics/meteor_align.h"
#include "text/words.h"

namespace assay {
namespace {

constexpr double kAlpha = 0.9;
constexpr double kGamma = 0.5;
// Beyond this many pairs of words a row is left unscored rather than the machine hung.
constexpr double kMostPairs = 2.5e7;

// The candidates of a stage in which equal numbers match.
Candidates equal_candidates(const std::vector<TokenId>& output,
                            const std::vector<TokenId>& reference,
                            const std::vector<int>& alignment) {
  std::vector<std::pair<TokenId, int>> places;  // free places of the reference by number
  std::vector<char> taken(reference.size(), 0);
  for (int place : alignment) {
    if (place != kUnmatched) taken[static_cast<std::size_t>(place)] = 1;
  }
  for (std::size_t j = 0; j < reference.size(); ++j) {
    if (!taken[j]) places.emplace_back(reference[j], static_cast<int>(j));
  }
  std::sort(places.begin(), places.end());
  Candidates candidates(output.size());
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (alignment[i] != kUnmatched) continue;
    auto it = std::lower_bound(places.begin(), places.end(), std::pair(output[i], 0));
    for (; it != places.end() && it->first == output[i]; ++it) candidates[i].push_back(it->second);
  }
  return candidates;
}

Candidates synonym_candidates(const MeteorText& output, const MeteorText& reference,
                              const std::vector<int>& alignment) {
  std::vector<char> taken(reference.words.size(), 0);
  for (int place : alignment) {
    if (place != kUnmatched) taken[static_cast<std::size_t>(place)] = 1;
  }
  Candidates candidates(output.words.size());
  for (std::size_t i = 0; i < output.words.size(); ++i) {
    if (alignment[i] != kUnmatched || output.synsets[i]->empty()) continue;
    for (std::size_t j = 0; j < reference.words.size(); ++j) {
      if (!taken[j] && share_synset(*output.synsets[i], *reference.synsets[j])) {
        candidates[i].push_back(static_cast<int>(j));
      }
    }
  }
  return candidates;
}

std::size_t matches(const std::vector<int>& alignment) {
  return static_cast<std::size_t>(std::count_if(alignment.begin(), alignment.end(),
                                                [](int place) { return place != kUnmatched; }));
}

class MeteorScorer : public Scorer {
 public:
  explicit MeteorScorer(std::shared_ptr<const WordNet> wordnet) : wordnet_(std::move(wordnet)) {}

  std::vector<Compared> each(std::string_view output,
                             std::span<const std::string> references) override {
    if (cache_.trim()) {
      words_.clear();
      stems_.clear();
      known_.clear();
    }
    const MeteorText text = prepare(output);
    std::vector<Compared> result;
    for (const std::string& reference : references) {
      const MeteorText& prepared =
          cache_.get(reference, [&](std::string_view raw) { return prepare(raw); });
      result.push_back(compare(text, prepared));
    }
    return result;
  }

 private:
  struct Known {  // what is found out once per distinct word
    TokenId stem = 0;
    std::unique_ptr<std::vector<std::uint32_t>> synsets;
  };

  MeteorText prepare(std::string_view raw) {
    MeteorText text;
    for (const TextRange& range : split_words(raw)) {
      lower_word(raw.substr(range.begin, range.end - range.begin), word_);
      const std::string& word = word_;
      const TokenId id = words_.id(word);
      if (id == known_.size()) {
        known_.push_back({stems_.id(porter_stem(word, Porter::kCommon)), nullptr});
        if (wordnet_)
          known_.back().synsets =
              std::make_unique<std::vector<std::uint32_t>>(wordnet_->synsets(word));
      }
      text.words.push_back(id);
      text.stems.push_back(known_[id].stem);
      if (wordnet_) text.synsets.push_back(known_[id].synsets.get());
    }
    return text;
  }

  Compared compare(const MeteorText& output, const MeteorText& reference) const {
    const double pairs =
        static_cast<double>(output.words.size()) * static_cast<double>(reference.words.size());
    if (pairs > kMostPairs) return {std::nullopt, "too long to be aligned by METEOR"};
    const Meteor m = meteor_score(output, reference);
    return {m.score,
            fmt::format("{} of {} words matched with {}: {} exact, {} stem, {} in {} chunk{}",
                        m.exact + m.stem + m.synonym, output.words.size(), reference.words.size(),
                        m.exact, m.stem,
                        wordnet_ ? fmt::format("{} synonym", m.synonym) : "synonyms left out",
                        m.chunks, m.chunks == 1 ? "" : "s")};
  }

  std::shared_ptr<const WordNet>
      wordnet_;  // shared: one dictionary serves the scorers of all threads
  Vocabulary words_;
  Vocabulary stems_;
  std::vector<Known> known_;  // by word
  TextCache<MeteorText> cache_;
  std::string word_;
};

}  // namespace

Meteor meteor_score(const MeteorText& output, const MeteorText& reference) {
  Meteor result;
  const std::size_t size = reference.words.size();
  std::vector<int> alignment(output.words.size(), kUnmatched);
  extend_alignment(alignment, equal_candidates(output.words, reference.words, alignment), size,
                   true);
  result.exact = matches(alignment);
  extend_alignment(alignment, equal_candidates(output.stems, reference.stems, alignment), size,
                   true);
  result.stem = matches(alignment) - result.exact;
  if (!output.synsets.empty() && !reference.synsets.empty()) {
    extend_alignment(alignment, synonym_candidates(output, reference, alignment), size, false);
    result.synonym = matches(alignment) - result.exact - result.stem;
  }
  result.chunks = count_chunks(alignment);
  const auto matched = static_cast<double>(matches(alignment));
  if (matched == 0) return result;
  const double p = matched / static_cast<double>(output.words.size());
  const double r = matched / static_cast<double>(size);
  const double fragmentation = static_cast<double>(result.chunks) / matched;
  const double penalty = kGamma * fragmentation * fragmentation * fragmentation;
  result.score = p * r / (kAlpha * p + (1 - kAlpha) * r) * (1 - penalty);
  return result;
}

std::unique_ptr<Scorer> make_meteor(std::shared_ptr<const WordNet> wordnet) {
  return std::make_unique<MeteorScorer>(std::move(wordnet));
}

}  // namespace assay
