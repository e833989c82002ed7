// M. F. Porter, "An algorithm for suffix stripping" (1980), in the two variants that published
// ROUGE figures were computed with. The paper's steps are the same in both; what differs is marked
// by `variant`:
//  kRouge155: bli -> ble (for abli) and logi -> log; step 4 tries its list without ment and ent,
//  then ment,
//             then ent and ion, each on what the one before left.
//  kCommon:   a table of irregular words; ies/ied of four letters keep the e; y -> i after any
//  consonant
//             but the first letter; alli before everything else of step 2; fulli; logi measured
//             with its l.
// Tested in tests/metrics/porter_test.cc; kCommon was compared word by word with python3-nltk.

#include "metrics/porter.h"

#include <array>
#include <utility>

namespace assay {
namespace {

struct Rule {
  std::string_view suffix;
  std::string_view replacement;
};

constexpr Rule kStep2[] = {
    {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"}, {"eli", "e"},     {"ousli", "ous"},
    {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},  {"alism", "al"},  {"iveness", "ive"},
    {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},  {"iviti", "ive"}, {"biliti", "ble"},
};
constexpr Rule kStep3[] = {{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
                           {"ical", "ic"},  {"ful", ""},   {"ness", ""}};
constexpr std::string_view kStep4[] = {"al",   "ance", "ence",  "er", "ic",  "able",
                                       "ible", "ant",  "ement", "ou", "ism", "ate",
                                       "iti",  "ous",  "ive",   "ize"};
constexpr std::pair<std::string_view, std::string_view> kIrregular[] = {
    {"sky", "sky"},        {"skies", "sky"},       {"dying", "die"},        {"lying", "lie"},
    {"tying", "tie"},      {"news", "news"},       {"innings", "inning"},   {"inning", "inning"},
    {"outings", "outing"}, {"outing", "outing"},   {"cannings", "canning"}, {"canning", "canning"},
    {"howe", "howe"},      {"proceed", "proceed"}, {"exceed", "exceed"},    {"succeed", "succeed"},
};

bool is_plain_vowel(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }

// One word on its way through the steps.
class PorterWord {
 public:
  PorterWord(std::string_view word, Porter variant)
      : word_(word), common_(variant == Porter::kCommon) {}

  std::string run() {
    step1a();
    step1b();
    step1c();
    step2();
    for (const Rule& rule : kStep3) {
      if (ends(rule.suffix)) {
        replace_if_measure(rule, 0);
        break;
      }
    }
    common_ ? step4_paper() : step4_rouge();
    step5();
    return std::move(word_);
  }

 private:
  bool ends(std::string_view suffix) const { return std::string_view(word_).ends_with(suffix); }
  std::size_t before(std::string_view suffix) const { return word_.size() - suffix.size(); }

  // A y is a consonant at the start and after a vowel, so a run of them alternates.
  bool consonant(std::size_t i) const {
    std::size_t first = i;
    while (first > 0 && word_[first] == 'y') --first;
    return ((i - first) % 2 == 0) != is_plain_vowel(word_[first]);
  }

  // Porter's m of the first `length` letters: how often a vowel is followed by a consonant.
  int measure(std::size_t length) const {
    int m = 0;
    bool after_vowel = false;
    bool last = false;  // the letter before was a consonant
    for (std::size_t i = 0; i < length; ++i) {
      bool now = !is_plain_vowel(word_[i]);
      if (word_[i] == 'y' && i > 0) now = !last;
      if (now && after_vowel) ++m;
      after_vowel = !now;
      last = now;
    }
    return m;
  }

  bool has_vowel(std::size_t length) const {
    for (std::size_t i = 0; i < length; ++i) {
      if (is_plain_vowel(word_[i]) || (word_[i] == 'y' && i > 0)) return true;
    }
    return false;
  }

  // The paper's *o: the first `length` letters end consonant, vowel, consonant other than w, x, y.
  bool ends_cvc(std::size_t length) const {
    if (common_ && length == 2) return !consonant(0) && consonant(1);
    if (length < 3) return false;
    const char c = word_[length - 1];
    return consonant(length - 3) && !consonant(length - 2) && consonant(length - 1) && c != 'w' &&
           c != 'x' && c != 'y';
  }

  void replace(std::string_view suffix, std::string_view replacement) {
    word_.replace(before(suffix), suffix.size(), replacement);
  }

  bool replace_if_measure(const Rule& rule, int more_than) {
    if (measure(before(rule.suffix)) <= more_than) return false;
    replace(rule.suffix, rule.replacement);
    return true;
  }

  void step1a() {
    if (common_ && word_.size() == 4 && ends("ies")) return replace("ies", "ie");
    if (ends("sses")) return replace("sses", "ss");
    if (ends("ies")) return replace("ies", "i");
    if (ends("s") && !ends("ss")) word_.pop_back();
  }

  void step1b() {
    if (common_ && ends("ied")) return replace("ied", word_.size() == 4 ? "ie" : "i");
    if (ends("eed")) {
      replace_if_measure({"eed", "ee"}, 0);
      return;
    }
    for (std::string_view suffix : {"ed", "ing"}) {
      if (ends(suffix) && has_vowel(before(suffix))) {
        replace(suffix, "");
        return mend();
      }
    }
  }

  // After ed or ing: the ending the next steps expect.
  void mend() {
    if (ends("at") || ends("bl") || ends("iz")) {
      word_ += 'e';
      return;
    }
    const std::size_t n = word_.size();
    if (n >= 2 && word_[n - 1] == word_[n - 2] && consonant(n - 1)) {
      const char c = word_[n - 1];
      if (c != 'l' && c != 's' && c != 'z') word_.pop_back();
      return;
    }
    if (measure(n) == 1 && ends_cvc(n)) word_ += 'e';
  }

  void step1c() {
    if (!ends("y")) return;
    const std::size_t stem = word_.size() - 1;
    const bool change = common_ ? stem > 1 && consonant(stem - 1) : has_vowel(stem);
    if (change) word_.back() = 'i';
  }

  void step2() {
    if (common_ && ends("alli") && replace_if_measure({"alli", "al"}, 0)) return step2();
    for (const Rule& rule : kStep2) {
      if (ends(rule.suffix)) {
        replace_if_measure(rule, 0);
        return;
      }
    }
    if (common_ && ends("fulli")) {
      replace_if_measure({"fulli", "ful"}, 0);
    } else if (ends("logi") && measure(word_.size() - (common_ ? 3 : 4)) > 0) {
      word_.pop_back();
    }
  }

  bool remove_ion() {
    if (!ends("ion")) return false;
    const std::size_t stem = before("ion");
    if (stem == 0 || (word_[stem - 1] != 's' && word_[stem - 1] != 't')) return false;
    return replace_if_measure({"ion", ""}, 1);
  }

  void step4_list() {
    for (std::string_view suffix : kStep4) {
      if (ends(suffix)) {
        replace_if_measure({suffix, ""}, 1);
        return;
      }
    }
  }

  void step4_paper() {  // the longest of all suffixes decides, also when it may not be removed
    if (ends("ent") && !ends("ement")) {
      replace_if_measure({ends("ment") ? "ment" : "ent", ""}, 1);
    } else if (ends("ion")) {
      remove_ion();
    } else {
      step4_list();
    }
  }

  void step4_rouge() {
    step4_list();
    if (ends("ment")) replace_if_measure({"ment", ""}, 1);
    if (ends("ent")) {
      replace_if_measure({"ent", ""}, 1);
    } else {
      remove_ion();
    }
  }

  void step5() {
    if (ends("e")) {
      const std::size_t stem = word_.size() - 1;
      const int m = measure(stem);
      if (m > 1 || (m == 1 && !ends_cvc(stem))) word_.pop_back();
    }
    if (ends("ll") && measure(word_.size()) > 1) word_.pop_back();
  }

  std::string word_;
  bool common_;
};

}  // namespace

std::string porter_stem(std::string_view word, Porter variant) {
  if (variant == Porter::kCommon) {
    for (const auto& [irregular, stem] : kIrregular) {
      if (word == irregular) return std::string(stem);
    }
  }
  if (word.size() <= 2) return std::string(word);
  return PorterWord(word, variant).run();
}

}  // namespace assay
