// The alignment search of METEOR. Output places are decided from left to right; a part-alignment
// remembers which reference places are taken and the last choice, and the best few are kept at
// every place. Tested in tests/metrics/meteor_test.cc against all alignments of small cases.

#include "metrics/meteor_align.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>

namespace assay {
namespace {

// A choice for one output place, and the part-alignment it continues.
struct Option {
  std::uint32_t parent = 0;  // index in the layer before
  int place = kUnmatched;
  int matches = 0;
  int chunks = 0;
  std::int64_t distance = 0;
};

class Search {
 public:
  Search(const std::vector<int>& fixed, const Candidates& candidates, std::size_t reference_size,
         bool classes, std::size_t beam)
      : fixed_(fixed),
        candidates_(candidates),
        words_((reference_size + 63) / 64),
        classes_(classes),
        beam_(beam) {
    if (classes_) count_later();
  }

  std::vector<int> run() {
    layers_.push_back({Option{}});
    taken_.assign(words_, 0);
    for (std::size_t i = 0; i < fixed_.size(); ++i) advance(i);
    // The best of the last layer; layers are sorted only when they were cut.
    const auto& last = layers_.back();
    auto best = std::min_element(last.begin(), last.end(),
                                 [this](const Option& a, const Option& b) { return better(a, b); });
    std::vector<int> result(fixed_.size(), kUnmatched);
    std::size_t at = static_cast<std::size_t>(best - last.begin());
    for (std::size_t i = fixed_.size(); i > 0; --i) {
      result[i - 1] = layers_[i][at].place;
      at = layers_[i][at].parent;
    }
    return result;
  }

 private:
  // In a stage of classes all part-alignments end with the same number of matches.
  bool better(const Option& a, const Option& b) const {
    if (!classes_ && a.matches != b.matches) return a.matches > b.matches;
    if (a.chunks != b.chunks) return a.chunks < b.chunks;
    return a.distance < b.distance;
  }

  // later_[i]: output places from i on with the same candidates as place i.
  void count_later() {
    later_.assign(candidates_.size(), 0);
    std::vector<int> seen;  // by first candidate, which names the class
    for (std::size_t i = candidates_.size(); i-- > 0;) {
      if (candidates_[i].empty()) continue;
      const auto name = static_cast<std::size_t>(candidates_[i].front());
      if (name >= seen.size()) seen.resize(name + 1, 0);
      later_[i] = ++seen[name];
    }
  }

  bool is_taken(std::size_t parent, int place) const {
    return taken_[parent * words_ + static_cast<std::size_t>(place) / 64] >> place % 64 & 1;
  }

  Option matched(const Option& from, std::uint32_t parent, std::size_t i, int place) const {
    Option option = from;
    option.parent = parent;
    option.place = place;
    ++option.matches;
    if (from.place == kUnmatched || from.place + 1 != place) ++option.chunks;
    option.distance += std::abs(static_cast<std::int64_t>(i) - place);
    return option;
  }

  void expand(std::size_t i, std::uint32_t parent, const Option& from,
              std::vector<Option>& next) const {
    if (fixed_[i] != kUnmatched) {
      next.push_back(matched(from, parent, i, fixed_[i]));
      return;
    }
    int free = 0;
    for (int place : candidates_[i]) {
      if (is_taken(parent, place)) continue;
      ++free;
      next.push_back(matched(from, parent, i, place));
    }
    if (classes_ && free > 0 && free >= later_[i]) return;  // skipping would lose a match
    Option skip = from;
    skip.parent = parent;
    skip.place = kUnmatched;
    next.push_back(skip);
  }

  void advance(std::size_t i) {
    std::vector<Option> next;
    const auto& layer = layers_.back();
    for (std::size_t s = 0; s < layer.size(); ++s) {
      expand(i, static_cast<std::uint32_t>(s), layer[s], next);
    }
    const bool branched = next.size() > layer.size();
    if (branched) {
      std::stable_sort(next.begin(), next.end(),
                       [this](const Option& a, const Option& b) { return better(a, b); });
    }
    keep(next, branched);
    layers_.push_back(std::move(next));
  }

  // Cuts to the beam, without those that stand exactly where a better one stands, and makes their
  // sets.
  void keep(std::vector<Option>& next, bool look_for_equals) {
    std::vector<std::uint64_t> sets;
    std::size_t kept = 0;
    for (std::size_t s = 0; s < next.size() && kept < beam_; ++s) {
      const std::size_t begin = sets.size();
      sets.insert(sets.end(), taken_.begin() + static_cast<std::ptrdiff_t>(next[s].parent * words_),
                  taken_.begin() + static_cast<std::ptrdiff_t>((next[s].parent + 1) * words_));
      if (next[s].place != kUnmatched) {
        sets[begin + static_cast<std::size_t>(next[s].place) / 64] |= std::uint64_t{1}
                                                                      << next[s].place % 64;
      }
      if (look_for_equals && is_known(next, kept, next[s].place, sets)) {
        sets.resize(begin);
        continue;
      }
      next[kept++] = next[s];
    }
    next.resize(kept);
    taken_ = std::move(sets);
  }

  bool is_known(const std::vector<Option>& next, std::size_t kept, int place,
                const std::vector<std::uint64_t>& sets) const {
    const auto mine = sets.end() - static_cast<std::ptrdiff_t>(words_);
    for (std::size_t k = 0; k < kept; ++k) {
      if (next[k].place == place &&
          std::equal(mine, sets.end(), sets.begin() + static_cast<std::ptrdiff_t>(k * words_))) {
        return true;
      }
    }
    return false;
  }

  const std::vector<int>& fixed_;
  const Candidates& candidates_;
  std::size_t words_;
  bool classes_;
  std::size_t beam_;
  std::vector<int> later_;
  std::vector<std::vector<Option>> layers_;
  std::vector<std::uint64_t> taken_;  // the sets of the last layer, one after the other
};

// Augmenting paths (Kuhn): the largest number of matches, where the search may have missed one.
class Augment {
 public:
  Augment(std::vector<int>& alignment, const Candidates& candidates, std::size_t reference_size)
      : alignment_(alignment), candidates_(candidates), owner_(reference_size, kUnmatched) {
    for (std::size_t i = 0; i < alignment.size(); ++i) {
      if (alignment[i] != kUnmatched)
        owner_[static_cast<std::size_t>(alignment[i])] = static_cast<int>(i);
    }
  }
  void run() {
    for (std::size_t i = 0; i < alignment_.size(); ++i) {
      if (alignment_[i] != kUnmatched || candidates_[i].empty()) continue;
      seen_.assign(owner_.size(), false);
      place(i);
    }
  }

 private:
  bool place(std::size_t i) {
    for (int candidate : candidates_[i]) {
      const auto c = static_cast<std::size_t>(candidate);
      if (seen_[c]) continue;
      seen_[c] = true;
      if (owner_[c] == kUnmatched || place(static_cast<std::size_t>(owner_[c]))) {
        owner_[c] = static_cast<int>(i);
        alignment_[i] = candidate;
        return true;
      }
    }
    return false;
  }

  std::vector<int>& alignment_;
  const Candidates& candidates_;
  std::vector<int> owner_;
  std::vector<bool> seen_;
};

}  // namespace

void extend_alignment(std::vector<int>& alignment, const Candidates& candidates,
                      std::size_t reference_size, bool classes, std::size_t beam) {
  const bool nothing =
      std::all_of(candidates.begin(), candidates.end(), [](const auto& c) { return c.empty(); });
  if (nothing) return;
  alignment = Search(alignment, candidates, reference_size, classes, beam).run();
  // What earlier stages matched has no candidates in this one, so it is never moved.
  if (!classes) Augment(alignment, candidates, reference_size).run();
}

std::size_t count_chunks(const std::vector<int>& alignment) {
  std::size_t chunks = 0;
  int before = kUnmatched;
  for (int place : alignment) {
    if (place != kUnmatched && (before == kUnmatched || before + 1 != place)) ++chunks;
    before = place;
  }
  return chunks;
}

}  // namespace assay
