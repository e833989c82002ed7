// First-token probabilities. A reply is a bare word ("Yes.") or a JSON object ({"answer": "yes"});
// the answer begins at its first letter or digit, or at that of the value after the colon. A
// candidate counts for an option when it spells the option, or begins it and no other ("Dis" of
// "Disagree"): long words are several tokens. Tested in tests/judges/token_probs_test.cc.
#include "judges/token_probs.h"

#include <fmt/core.h>

#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>

namespace assay {
namespace {

constexpr int kMaxOptions = 1000;  // of a number scale; servers list 20 candidates

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80;
}

// Lower case, without what stands before the first letter, digit or sign and after the last.
std::string spelling(std::string_view token) {
  while (!token.empty() && !is_word(token.front()) && token.front() != '-') token.remove_prefix(1);
  while (!token.empty() && !is_word(token.back())) token.remove_suffix(1);
  std::string out(token);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

struct OptionNames {
  std::vector<std::string> operator()(const YesNo& s) const { return {s.yes, s.no}; }
  std::vector<std::string> operator()(const Choice& s) const { return s.options; }
  std::vector<std::string> operator()(const Number& s) const {
    std::vector<std::string> names;
    if (!(s.step > 0)) return names;
    for (int i = 0; i < kMaxOptions && s.lo + i * s.step <= s.hi + s.step / 1e6; ++i) {
      names.push_back(fmt::format("{:g}", s.lo + i * s.step));
    }
    return names;
  }
  template <class Other>
  std::vector<std::string> operator()(const Other&) const {
    return {};
  }
};

// The option a candidate stands for: spelt whole, or begun by it alone.
std::optional<std::size_t> option_of(const std::string& word,
                                     const std::vector<std::string>& options) {
  if (word.empty()) return std::nullopt;
  std::optional<std::size_t> begun;
  int count = 0;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i] == word) return i;
    if (options[i].starts_with(word)) {
      begun = i;
      ++count;
    }
  }
  return count == 1 ? begun : std::nullopt;
}

std::vector<double> sum_spellings(const TokenChoice& place,
                                  const std::vector<std::string>& options) {
  std::vector<double> sums(options.size(), 0);
  for (const OptionProb& candidate : place.top) {
    if (const auto option = option_of(spelling(candidate.option), options)) {
      sums[*option] += candidate.p;
    }
  }
  return sums;
}

std::optional<std::size_t> word_at(std::string_view text, std::size_t from) {
  for (std::size_t i = from; i < text.size(); ++i) {
    if (is_word(text[i]) || text[i] == '-') return i;
  }
  return std::nullopt;
}

// Where the answer begins in the whole reply.
std::optional<std::size_t> answer_at(std::string_view text) {
  const std::size_t brace = text.find_first_not_of(" \t\r\n");
  if (brace == std::string_view::npos || text[brace] != '{') return word_at(text, 0);
  const std::size_t colon = text.find(':', brace);
  if (colon == std::string_view::npos) return std::nullopt;
  return word_at(text, colon + 1);
}

std::optional<std::size_t> value_at(std::string_view text, const std::string& id) {
  const std::string name = "\"" + id + "\"";
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t colon = text.find_first_not_of(" \t\r\n", at + name.size());
  if (colon == std::string_view::npos || text[colon] != ':') return std::nullopt;
  return word_at(text, colon + 1);
}

// A token that holds the byte before the answer too must begin the answer's word, not end the
// key's.
const TokenChoice* token_at(const std::vector<TokenChoice>& reply, std::size_t offset) {
  std::size_t begin = 0;
  for (const TokenChoice& place : reply) {
    const std::size_t end = begin + place.token.size();
    if (offset < end) {
      const auto first = word_at(place.token, 0);
      return first && begin + *first == offset ? &place : nullptr;
    }
    begin = end;
  }
  return nullptr;
}

std::vector<OptionProb> keyed_probs(const Keyed& spec, const std::vector<TokenChoice>& reply,
                                    std::string_view text) {
  std::vector<OptionProb> probs;
  for (const std::string& id : spec.ids) {
    const auto at = value_at(text, id);
    const TokenChoice* place = at ? token_at(reply, *at) : nullptr;
    if (place != nullptr) probs.push_back({id, sum_spellings(*place, {"yes", "no"})[0]});
  }
  return probs;
}

}  // namespace

std::vector<OptionProb> option_probs(const AnswerSpec& spec,
                                     const std::vector<TokenChoice>& reply) {
  std::string text;
  for (const TokenChoice& place : reply) text += place.token;
  if (const auto* keyed = std::get_if<Keyed>(&spec)) return keyed_probs(*keyed, reply, text);
  const std::vector<std::string> names = std::visit(OptionNames{}, spec);
  const auto at = names.empty() ? std::nullopt : answer_at(text);
  const TokenChoice* place = at ? token_at(reply, *at) : nullptr;
  if (place == nullptr) return {};
  std::vector<std::string> spelt;
  for (const std::string& name : names) spelt.push_back(spelling(name));
  const std::vector<double> sums = sum_spellings(*place, spelt);
  std::vector<OptionProb> probs;
  for (std::size_t i = 0; i < names.size(); ++i) probs.push_back({names[i], sums[i]});
  return probs;
}

}  // namespace assay
