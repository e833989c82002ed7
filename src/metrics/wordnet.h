#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay {

// Where Debian's wordnet-base puts its files.
inline constexpr std::string_view kWordNetFolder = "/usr/share/wordnet";

// The synsets of single English words. Immutable after loading, so thread-safe.
class WordNet {
 public:
  // Reads index.* and *.exc of a WordNet 3 dictionary folder. ConfigError when one is missing or
  // broken, with what to do about it.
  static std::shared_ptr<const WordNet> load(const std::string& folder);

  // The synsets of a word in lower case and of its base forms ("geese" has those of "goose"),
  // sorted.
  std::vector<std::uint32_t> synsets(std::string_view word) const;

  std::size_t words() const;

 private:
  enum Part { kNoun, kVerb, kAdjective, kAdverb, kParts };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  template <class T>
  using Map = std::unordered_map<std::string, T, Hash, std::equal_to<>>;

  void load_index(const std::string& path, Part part);
  void load_exceptions(const std::string& path, Part part);
  void add(std::string_view lemma, Part part, std::vector<std::uint32_t>& into) const;

  Map<std::vector<std::uint32_t>> synsets_[kParts];
  Map<std::vector<std::string>> exceptions_[kParts];
};

// Whether two sorted lists have an entry in common.
bool share_synset(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b);

}  // namespace assay
