#pragma once

#include <string>
#include <string_view>

namespace assay {

// Yes means good (rule 2). The words because of which an English yes/no question looks as if a yes
// were bad, or nothing: "Does it contain errors?" gives "errors", "Is it free of errors?" gives "".
std::string bad_yes_words(std::string_view question);

}  // namespace assay
