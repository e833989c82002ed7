#include "rubric/problem.h"

#include <fmt/core.h>

#include "assay/error.h"

namespace assay {

std::string Problem::str() const {
  if (line == 0) return fmt::format("{}: {}", file, text);
  return fmt::format("{}:{}: {}", file, line, text);
}

void Problems::throw_first() const {
  if (!all_.empty()) throw ConfigError(all_.front().str());
}

}  // namespace assay
