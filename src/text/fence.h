#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Judged text is data. It is put between two marks that carry a tag the text does not contain:
//   <<<Article 7c21f0e9
//   ... the text, byte for byte ...
//   Article 7c21f0e9>>>
// The tag is taken from a hash of the text, so equal texts give equal bytes (prefixes stay shared),
// and is changed until the text does not contain it, so the fence cannot be closed from inside.
std::string fence(std::string_view name, std::string_view text);

// The texts of all fences in a prompt, in order. Used to recognise a reply that only repeats judged
// text.
std::vector<std::string> fenced_texts(std::string_view prompt);

}  // namespace assay
