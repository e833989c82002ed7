#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay {

// The one spelling of a number: "800,000", "800 , 000" and "800000" are "800000"; "2.50" is "2.5";
// "83rd" is "83"; "two" and "twenty" are "2" and "20". Nothing for what is no number. "one" is
// none: it is a pronoun more often.
std::optional<std::string> normal_number(std::string_view lower_case);

// 20 to 90 for "twenty" to "ninety" and 1 to 9 for "one" to "nine", so that "twenty-one" can be put
// together; 0 for anything else.
int number_word(std::string_view lower_case);

}  // namespace assay
