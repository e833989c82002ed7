#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "assay/method.h"

namespace assay::report {

constexpr std::string_view kBold = "1";
constexpr std::string_view kDim = "2";
constexpr std::string_view kRed = "31";
constexpr std::string_view kGreen = "32";
constexpr std::string_view kYellow = "33";

inline std::string paint(bool color, std::string_view style, std::string_view text) {
  if (!color || style.empty() || text.empty()) return std::string(text);
  std::string out = "\x1b[";
  out.append(style).append("m").append(text).append("\x1b[0m");
  return out;
}

// Where a score stands between the ends of its scale; nothing where the scale is open.
inline std::optional<double> share_of(std::optional<double> score,
                                      const std::optional<Scale>& scale) {
  if (!score || !scale || scale->hi <= scale->lo) return std::nullopt;
  return std::clamp((*score - scale->lo) / (scale->hi - scale->lo), 0.0, 1.0);
}

inline std::string_view colour_of(double share) {
  if (share >= 0.8) return kGreen;
  return share >= 0.5 ? kYellow : kRed;
}

}  // namespace assay::report
