#include "assay/sample.h"

#include <fmt/core.h>

#include "assay/error.h"

namespace assay {

std::string field_text(const Sample& sample, std::string_view field) {
  const Fields& f = sample.fields;
  if (field == "source") return f.source;
  if (field == "output") return f.output;
  if (field == "context") return f.context;
  if (field == "history") return f.history.empty() ? f.source : f.history;
  if (field == "references") {
    std::string joined;
    for (const std::string& reference : f.references) {
      if (!joined.empty()) joined += "\n\n";
      joined += reference;
    }
    return joined;
  }
  throw ConfigError(fmt::format(
      "\"{}\" is not a field of a row; use source, output, references, context or history", field));
}

}  // namespace assay
