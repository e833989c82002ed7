#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

using TemplateValues = std::map<std::string, std::string, std::less<>>;

// Fills a prompt block: {{name}} is replaced by its value, {{#name}}...{{/name}} is kept only where
// the value is not empty. Values are never scanned again, so judged text cannot smuggle in a
// placeholder. Throws ConfigError on a name without a value or a section that is not closed.
std::string render(std::string_view block, const TemplateValues& values);

// The names a block uses, in order of first use.
std::vector<std::string> template_names(std::string_view block);

}  // namespace assay
