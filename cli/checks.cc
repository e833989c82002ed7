#include "checks.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <optional>

namespace assay::cli {
namespace {

std::optional<double> finite_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

CLI::Validator above_zero() {
  return CLI::Validator(
      [](std::string& text) {
        const auto value = finite_number(text);
        return value && *value > 0 ? "" : fmt::format("must be a number above 0, not {}", text);
      },
      "ABOVE 0");
}

CLI::Validator not_negative() {
  return CLI::Validator(
      [](std::string& text) {
        const auto value = finite_number(text);
        return value && *value >= 0 ? "" : fmt::format("must be 0 or more, not {}", text);
      },
      "0 OR MORE");
}

}  // namespace assay::cli
