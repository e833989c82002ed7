#pragma once

#include <cstddef>
#include <vector>

namespace assay {

// Which places of the reference each place of the output could be matched with in one stage;
// sorted.
using Candidates = std::vector<std::vector<int>>;

constexpr int kUnmatched = -1;

// Extends an alignment (output place -> reference place, or kUnmatched) by one stage: as many new
// matches as possible, one to one, and among those alignments one with few chunks (runs of
// neighbours on both sides), then with words near their old places. What is matched already stays.
// The number of matches is exact; the number of chunks is found by a search that keeps the best
// `beam` part-alignments, because the exact minimum is a hard problem (minimum common string
// partition). `classes`: candidates are those of an equivalence ("same word", "same stem"), so that
// a place can be skipped only where its class has more places in the output than in the reference.
void extend_alignment(std::vector<int>& alignment, const Candidates& candidates,
                      std::size_t reference_size, bool classes, std::size_t beam = 32);

std::size_t count_chunks(const std::vector<int>& alignment);

}  // namespace assay
