// Does a yes to this question praise the text? No parser is needed to catch the usual slip: a fault
// is named and nothing before it turns it round. "Does it contradict the source?" is refused; "Does
// it avoid contradicting the source?" and "Is it without contradictions?" pass. A question that is
// misread by this can say `yes_is: good`; one that is missed was worded in a way no list foresees.
// Tested in tests/rubric/polarity_test.cc.
#include "rubric/polarity.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace assay {
namespace {

// Beginnings of words that name a fault.
constexpr std::array<std::string_view, 62> kFaults = {
    "error",    "mistake",   "contradict", "conflict",  "fail",        "missing",     "lack",
    "omit",     "omission",  "repeat",     "repetit",   "redundan",    "irrelevan",   "hallucinat",
    "fabricat", "invent",    "wrong",      "incorrect", "inaccura",    "unsupported", "unclear",
    "confus",   "abrupt",    "awkward",    "unnatural", "ungrammatic", "incoheren",   "inconsisten",
    "mislead",  "distort",   "twist",      "toxic",     "offensive",   "harmful",     "biased",
    "generic",  "boring",    "bored",      "dull",      "vague",       "violat",      "ignor",
    "trivial",  "flaw",      "poor",       "bad",       "nonsens",     "typo",        "misspel",
    "truncat",  "untrue",    "false",      "off-topic", "illogical",   "unrelated",   "unfaithful",
    "disfluen", "dishonest", "rude",       "filler",    "exaggerat",   "made-up"};

// Words that turn round what follows them.
constexpr std::array<std::string_view, 18> kTurns = {
    "avoid", "avoids", "avoiding", "free",   "without", "no",     "not",     "never",    "nothing",
    "none",  "nor",    "neither",  "rather", "instead", "absent", "refrain", "refrains", "few"};

// What after "not" says that something is not as it should be.
constexpr std::array<std::string_view, 16> kNotAsItShould = {
    "in",    "supported", "present",  "mentioned", "found",   "stated",     "backed", "given",
    "clear", "related",   "relevant", "answer",    "correct", "consistent", "follow", "fit"};

constexpr std::array<std::string_view, 12> kContractions = {
    "doesn't", "don't",  "didn't",  "isn't", "aren't", "wasn't",
    "weren't", "hasn't", "haven't", "can't", "won't",  "couldn't"};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalpha(byte) || c == '-' || c == '\'' || byte >= 0x80) {
      words.back() += static_cast<char>(std::tolower(byte));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

template <std::size_t N>
bool among(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool names_a_fault(std::string_view word) {
  if (word.ends_with("-free") || word.starts_with("non-"))
    return false;  // error-free, non-repetitive
  if (word == "inventive" || word == "badge" || word == "inventory") return false;
  return std::any_of(kFaults.begin(), kFaults.end(),
                     [&](std::string_view fault) { return word.starts_with(fault); });
}

}  // namespace

std::string bad_yes_words(std::string_view question) {
  const std::vector<std::string> words = words_of(question);
  if (!words.empty() && among(kContractions, words[0])) return words[0];
  bool turned = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::string next = i + 1 < words.size() ? words[i + 1] : "";
    if (!turned && names_a_fault(word)) return word;
    if (!turned && word == "off" && next == "topic") return "off topic";
    if (!turned && word == "made" && next == "up") return "made up";
    if (!turned && (word == "not" || word.ends_with("n't")) && among(kNotAsItShould, next)) {
      return word + " " + next;
    }
    turned = turned || among(kTurns, word);
  }
  return "";
}

}  // namespace assay
