#include "ingest/exclusion.h"

#include <fmt/core.h>

#include "assay/error.h"

namespace assay {

Exclusion parse_exclusion(const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0) {
    throw ConfigError(fmt::format(
        "--exclude {}: expected FIELD=VALUE, as in system=\"Original Ground Truth\"", text));
  }
  return {text.substr(0, at), text.substr(at + 1)};
}

namespace ingest {

Excluded no_exclusions(const std::vector<Exclusion>& exclusions) {
  Excluded excluded;
  excluded.rows.assign(exclusions.size(), 0);
  excluded.seen.assign(exclusions.size(), false);
  return excluded;
}

bool exclude(const Record& record, const std::vector<Exclusion>& exclusions, Excluded& excluded) {
  bool out = false;
  for (std::size_t i = 0; i < exclusions.size(); ++i) {
    const std::optional<std::string> value = record.text(exclusions[i].field);
    if (!value) continue;
    excluded.seen[i] = true;
    if (*value != exclusions[i].value) continue;
    ++excluded.rows[i];
    out = true;
  }
  if (out) excluded.ids.push_back(record.text("id").value_or(""));
  return out;
}

}  // namespace ingest
}  // namespace assay
