#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay {

// One comparison of an output with one reference (or with all of them): the value, and what it came
// from in one line for the evidence. No value: it cannot be computed, and the note says why.
struct Compared {
  std::optional<double> value;
  std::string note;
};

// One metric with its options. The values depend on the arguments alone; what it keeps between
// calls (numbered tokens, prepared references) only saves time. Thread-compatible: one per thread.
class Scorer {
 public:
  virtual ~Scorer() = default;
  // The output against each reference by itself.
  virtual std::vector<Compared> each(std::string_view output,
                                     std::span<const std::string> references) = 0;
  // The output against all references at once, by the metric's own rule; only where `has_joint`.
  virtual bool has_joint() const { return false; }
  virtual Compared joint(std::string_view output, std::span<const std::string> references);
};

// Adds up the counts of many rows and scores them as one text, for several systems at once, which
// are numbered from 0. The sums are of whole numbers, so neither the order of rows nor their split
// over threads matters. Thread-compatible: one per thread, merged at the end.
class CorpusScorer {
 public:
  virtual ~CorpusScorer() = default;
  virtual void add(std::size_t system, std::string_view output,
                   std::span<const std::string> references) = 0;
  virtual void merge(const CorpusScorer& other) = 0;  // of the same metric and options
  virtual Compared score(std::size_t system) const = 0;
};

// Prepared texts by content: data sets repeat their references (SummEval's eleven serve sixteen
// systems). Pointers stay good until `trim` finds more than its limit and forgets everything: call
// it between rows.
template <class Prepared>
class TextCache {
 public:
  template <class Make>
  const Prepared& get(std::string_view text, Make make) {
    if (auto it = texts_.find(text); it != texts_.end()) return it->second;
    bytes_ += text.size();
    return texts_.emplace(std::string(text), make(text)).first->second;
  }
  // True when it forgot everything, so that what the prepared texts refer to can be forgotten too.
  bool trim(std::size_t limit_bytes = std::size_t{8} << 20) {
    if (bytes_ <= limit_bytes) return false;
    texts_.clear();
    bytes_ = 0;
    return true;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  std::unordered_map<std::string, Prepared, Hash, std::equal_to<>> texts_;
  std::size_t bytes_ = 0;
};

}  // namespace assay
