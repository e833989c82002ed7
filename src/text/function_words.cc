// The closed classes of English, written out: they are few, and a list anyone can read is easier to
// check than a rule. The lists are sorted (checked when compiled). Tested in
// tests/text/words_test.cc.
#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "text/words.h"

namespace assay {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array kFunctionWords = {
    "'d"sv,       "'ll"sv,        "'m"sv,         "'re"sv,       "'s"sv,      "'t"sv,
    "'ve"sv,      "a"sv,          "about"sv,      "above"sv,     "across"sv,  "after"sv,
    "again"sv,    "against"sv,    "all"sv,        "along"sv,     "already"sv, "also"sv,
    "although"sv, "always"sv,     "am"sv,         "among"sv,     "an"sv,      "and"sv,
    "another"sv,  "any"sv,        "are"sv,        "around"sv,    "as"sv,      "at"sv,
    "be"sv,       "because"sv,    "been"sv,       "before"sv,    "behind"sv,  "being"sv,
    "below"sv,    "between"sv,    "beyond"sv,     "both"sv,      "but"sv,     "by"sv,
    "ca"sv,       "can"sv,        "could"sv,      "despite"sv,   "did"sv,     "do"sv,
    "does"sv,     "doing"sv,      "done"sv,       "down"sv,      "dr"sv,      "during"sv,
    "each"sv,     "either"sv,     "else"sv,       "etc"sv,       "even"sv,    "ever"sv,
    "every"sv,    "except"sv,     "few"sv,        "for"sv,       "from"sv,    "further"sv,
    "had"sv,      "has"sv,        "have"sv,       "having"sv,    "he"sv,      "hence"sv,
    "her"sv,      "here"sv,       "hers"sv,       "herself"sv,   "him"sv,     "himself"sv,
    "his"sv,      "how"sv,        "however"sv,    "i"sv,         "if"sv,      "in"sv,
    "into"sv,     "is"sv,         "it"sv,         "its"sv,       "itself"sv,  "just"sv,
    "least"sv,    "less"sv,       "let"sv,        "lets"sv,      "many"sv,    "may"sv,
    "me"sv,       "might"sv,      "mine"sv,       "more"sv,      "most"sv,    "mr"sv,
    "mrs"sv,      "ms"sv,         "much"sv,       "must"sv,      "my"sv,      "myself"sv,
    "n't"sv,      "near"sv,       "neither"sv,    "never"sv,     "no"sv,      "nor"sv,
    "not"sv,      "now"sv,        "of"sv,         "off"sv,       "often"sv,   "on"sv,
    "once"sv,     "one"sv,        "only"sv,       "onto"sv,      "or"sv,      "other"sv,
    "ought"sv,    "our"sv,        "ours"sv,       "ourselves"sv, "out"sv,     "over"sv,
    "own"sv,      "per"sv,        "quite"sv,      "rather"sv,    "really"sv,  "same"sv,
    "shall"sv,    "she"sv,        "should"sv,     "since"sv,     "so"sv,      "some"sv,
    "still"sv,    "such"sv,       "than"sv,       "that"sv,      "the"sv,     "their"sv,
    "theirs"sv,   "them"sv,       "themselves"sv, "then"sv,      "there"sv,   "therefore"sv,
    "these"sv,    "they"sv,       "this"sv,       "those"sv,     "though"sv,  "through"sv,
    "thus"sv,     "to"sv,         "too"sv,        "toward"sv,    "towards"sv, "under"sv,
    "unless"sv,   "until"sv,      "up"sv,         "upon"sv,      "us"sv,      "very"sv,
    "via"sv,      "was"sv,        "we"sv,         "were"sv,      "what"sv,    "when"sv,
    "where"sv,    "whether"sv,    "which"sv,      "while"sv,     "who"sv,     "whom"sv,
    "whose"sv,    "why"sv,        "will"sv,       "with"sv,      "within"sv,  "without"sv,
    "wo"sv,       "would"sv,      "yet"sv,        "you"sv,       "your"sv,    "yours"sv,
    "yourself"sv, "yourselves"sv,
};
constexpr std::array kOpen = {
    "'d"sv,       "'ll"sv,     "'m"sv,      "'re"sv,     "'ve"sv,    "a"sv,       "against"sv,
    "although"sv, "among"sv,   "an"sv,      "and"sv,     "as"sv,     "at"sv,      "be"sv,
    "because"sv,  "been"sv,    "between"sv, "but"sv,     "by"sv,     "despite"sv, "dr"sv,
    "during"sv,   "every"sv,   "for"sv,     "from"sv,    "his"sv,    "if"sv,      "into"sv,
    "its"sv,      "mr"sv,      "mrs"sv,     "ms"sv,      "my"sv,     "nor"sv,     "of"sv,
    "onto"sv,     "or"sv,      "our"sv,     "per"sv,     "shall"sv,  "than"sv,    "the"sv,
    "their"sv,    "to"sv,      "toward"sv,  "towards"sv, "unless"sv, "until"sv,   "upon"sv,
    "via"sv,      "whether"sv, "which"sv,   "while"sv,   "who"sv,    "whom"sv,    "whose"sv,
    "with"sv,     "your"sv,
};

constexpr std::array kSmallTalk = {
    "actually"sv,   "agree"sv,      "anything"sv, "bad"sv,    "best"sv,        "better"sv,
    "big"sv,        "bit"sv,        "bye"sv,      "chat"sv,   "cool"sv,        "crazy"sv,
    "definitely"sv, "everything"sv, "fan"sv,      "funny"sv,  "get"sv,         "go"sv,
    "good"sv,       "got"sv,        "great"sv,    "guess"sv,  "hear"sv,        "heard"sv,
    "hello"sv,      "hey"sv,        "hi"sv,       "hope"sv,   "interesting"sv, "kind"sv,
    "know"sv,       "like"sv,       "little"sv,   "lot"sv,    "lots"sv,        "love"sv,
    "made"sv,       "make"sv,       "maybe"sv,    "mean"sv,   "nice"sv,        "nope"sv,
    "nothing"sv,    "nt"sv,         "oh"sv,       "ok"sv,     "okay"sv,        "people"sv,
    "pretty"sv,     "probably"sv,   "right"sv,    "said"sv,   "say"sv,         "see"sv,
    "someone"sv,    "something"sv,  "sorry"sv,    "sort"sv,   "sure"sv,        "talk"sv,
    "thank"sv,      "thanks"sv,     "thing"sv,    "things"sv, "think"sv,       "thought"sv,
    "time"sv,       "true"sv,       "want"sv,     "way"sv,    "well"sv,        "wonder"sv,
    "wow"sv,        "yea"sv,        "yeah"sv,     "yep"sv,    "yes"sv,
};

template <class List>
constexpr bool is_sorted(const List& list) {
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (!(list[i - 1] < list[i])) return false;
  }
  return true;
}
static_assert(is_sorted(kFunctionWords));
static_assert(is_sorted(kOpen));
static_assert(is_sorted(kSmallTalk));

}  // namespace

bool is_function_word(std::string_view lower_case) {
  return std::binary_search(kFunctionWords.begin(), kFunctionWords.end(), lower_case);
}

bool leaves_open(std::string_view lower_case) {
  return std::binary_search(kOpen.begin(), kOpen.end(), lower_case);
}

std::string word_resources() {
  std::string out = U_UNICODE_VERSION;
  const auto add = [&](const auto& list) {
    for (const std::string_view word : list) (out += '\n') += word;
    out += "\n";
  };
  add(kFunctionWords);
  add(kOpen);
  add(kSmallTalk);
  return out;
}

bool is_small_talk(std::string_view lower_case) {
  return std::binary_search(kSmallTalk.begin(), kSmallTalk.end(), lower_case);
}

}  // namespace assay
