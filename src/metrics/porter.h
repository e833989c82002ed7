#pragma once

#include <string>
#include <string_view>

namespace assay {

// Which of the Porter stemmers in use: they differ in a few per cent of words, and so do ROUGE
// scores.
enum class Porter {
  kRouge155,  // the one inside ROUGE 1.5.5, without its WordNet exception list
  kCommon,    // the extended one of the usual Python packages, so of most ROUGE figures since 2019
};

// The stem of a word in lower-case ASCII. Pure.
std::string porter_stem(std::string_view word, Porter variant);

}  // namespace assay
