// Synonyms for METEOR from the dictionary files of Princeton WordNet 3 (their format: wndb(5WN)).
// They are read when the program runs, not built in: 6 MB that only METEOR needs, and the user may
// have newer ones. An index line is
//   lemma pos synset_count p_count pointer*p_count sense_count tagged_count offset*synset_count
// where lines that start with a space are the licence. Base forms are found as WordNet's morphy
// does: by the exception list, or by taking off inflectional endings. Tested in
// tests/metrics/wordnet_test.cc.

#include "metrics/wordnet.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "assay/error.h"
#include "metrics/tokens.h"

namespace assay {
namespace {

struct Ending {
  std::string_view from;
  std::string_view to;
};
constexpr Ending kNounEndings[] = {{"s", ""},      {"ses", "s"},   {"xes", "x"},   {"zes", "z"},
                                   {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"}};
constexpr Ending kVerbEndings[] = {{"s", ""},   {"ies", "y"}, {"es", "e"},  {"es", ""},
                                   {"ed", "e"}, {"ed", ""},   {"ing", "e"}, {"ing", ""}};
constexpr Ending kAdjectiveEndings[] = {{"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}};

std::ifstream open(const std::string& path) {
  std::ifstream file(path);
  if (file.good() && file.peek() != std::ifstream::traits_type::eof()) return file;
  throw ConfigError(
      fmt::format("METEOR's synonyms: cannot read {}; install WordNet (Debian: wordnet-base), name "
                  "its folder with "
                  "--wordnet, or leave synonyms out with --no-synonyms",
                  path));
}

std::uint32_t number(std::string_view text, const std::string& path, std::size_t line) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  throw ConfigError(
      fmt::format("{}:{}: a number was expected; the WordNet file is damaged", path, line));
}

bool is_single_word(std::string_view lemma) {
  return lemma.find_first_of("_-.'/") == std::string_view::npos;
}

}  // namespace

std::shared_ptr<const WordNet> WordNet::load(const std::string& folder) {
  auto wordnet = std::make_shared<WordNet>();
  const std::string names[kParts] = {"noun", "verb", "adj", "adv"};
  for (int part = 0; part < kParts; ++part) {
    wordnet->load_index(fmt::format("{}/index.{}", folder, names[part]), static_cast<Part>(part));
    wordnet->load_exceptions(fmt::format("{}/{}.exc", folder, names[part]),
                             static_cast<Part>(part));
  }
  return wordnet;
}

void WordNet::load_index(const std::string& path, Part part) {
  std::ifstream file = open(path);
  std::string line;
  for (std::size_t at = 1; std::getline(file, line); ++at) {
    if (line.empty() || line[0] == ' ') continue;
    const std::vector<std::string_view> fields = space_words(line);
    if (fields.empty() || !is_single_word(fields[0])) continue;
    const std::size_t count = fields.size() > 2 ? number(fields[2], path, at) : 0;
    if (count == 0 || fields.size() < 6 + count) {
      throw ConfigError(
          fmt::format("{}:{}: too few fields; the WordNet file is damaged", path, at));
    }
    std::vector<std::uint32_t>& ids = synsets_[part][std::string(fields[0])];
    for (std::size_t i = fields.size() - count; i < fields.size(); ++i) {
      // Offsets are below 2^28 and distinct within a part of speech only.
      ids.push_back(static_cast<std::uint32_t>(part) << 28 | number(fields[i], path, at));
    }
  }
}

void WordNet::load_exceptions(const std::string& path, Part part) {
  std::ifstream file = open(path);
  std::string line;
  while (std::getline(file, line)) {
    const std::vector<std::string_view> fields = space_words(line);
    for (std::size_t i = 1; i < fields.size(); ++i) {
      exceptions_[part][std::string(fields[0])].emplace_back(fields[i]);
    }
  }
}

void WordNet::add(std::string_view lemma, Part part, std::vector<std::uint32_t>& into) const {
  const auto it = synsets_[part].find(lemma);
  if (it != synsets_[part].end()) into.insert(into.end(), it->second.begin(), it->second.end());
}

std::vector<std::uint32_t> WordNet::synsets(std::string_view word) const {
  std::vector<std::uint32_t> ids;
  const auto strip = [&](const auto& endings, Part part) {
    for (const Ending& ending : endings) {
      if (!word.ends_with(ending.from) || word.size() <= ending.from.size()) continue;
      std::string base(word.substr(0, word.size() - ending.from.size()));
      add(base.append(ending.to), part, ids);
    }
  };
  for (int p = 0; p < kParts; ++p) {
    const auto part = static_cast<Part>(p);
    add(word, part, ids);
    if (auto it = exceptions_[p].find(word); it != exceptions_[p].end()) {
      for (const std::string& base : it->second) add(base, part, ids);
      continue;
    }
    if (part == kNoun) strip(kNounEndings, part);
    if (part == kVerb) strip(kVerbEndings, part);
    if (part == kAdjective) strip(kAdjectiveEndings, part);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::size_t WordNet::words() const {
  std::size_t count = 0;
  for (const auto& part : synsets_) count += part.size();
  return count;
}

bool share_synset(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  auto x = a.begin();
  auto y = b.begin();
  while (x != a.end() && y != b.end()) {
    if (*x == *y) return true;
    *x < *y ? ++x : ++y;
  }
  return false;
}

}  // namespace assay
