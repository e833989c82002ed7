#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/sample.h"

namespace assay {

// The number after the last "label:" (any case; *, _, #, brackets, quotes and blanks around label,
// colon and number are tolerated; "is", "of" and "=" may stand for the colon): "**Rating:** [4]"
// gives 4. The last one counts, so that a reply may quote the form before it fills it in. A number
// that runs on ("4.5.6", "4%") or a range ("1-5") is none.
std::optional<double> last_number_after(std::string_view text, std::string_view label);

// The answers of lines "ID: yes" or "ID: no", in the order of `ids`, each once: the last line of an
// id counts. "Q1: not sure", "Q1: yes and no" and ids not asked for are no answers.
Named<bool> last_yes_no_lines(std::string_view text, const std::vector<std::string>& ids);

}  // namespace assay
