#pragma once

#include <array>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "evidence/analysis.h"

namespace assay {

// Analyses of the texts met last, so that a source is taken apart once for all its systems and
// dimensions. Bounded by memory; least recently used goes first. Thread-safe: parts with locks of
// their own, held only to look up.
class AnalysisCache {
 public:
  explicit AnalysisCache(std::size_t bytes = 64U << 20);

  // Shared, because a text may leave the cache while another thread still reads its analysis.
  using Entry = std::shared_ptr<const Analysis>;
  Entry find(std::string_view text);
  // Keeps the analysis (unless it is larger than its part) and gives it back.
  Entry put(Analysis analysis);

 private:
  struct Part {
    std::mutex mutex;
    std::list<std::pair<std::size_t, Entry>> order;  // (hash, analysis), last used first
    std::unordered_map<std::size_t, std::list<std::pair<std::size_t, Entry>>::iterator> by_hash;
    std::size_t bytes = 0;
  };
  static constexpr std::size_t kParts = 16;
  std::size_t limit_;  // of one part
  std::array<Part, kParts> parts_;
};

}  // namespace assay
