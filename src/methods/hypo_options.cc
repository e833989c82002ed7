#include "methods/hypo_options.h"

#include <fmt/core.h>

#include "assay/error.h"

namespace assay {
namespace {

void at_least(const char* option, double value, double least) {
  if (!(value >= least))
    throw ConfigError(fmt::format("{} {}: must be at least {}", option, value, least));
}

}  // namespace

void HypoOptions::validate() const {
  at_least("--initial", initial, 1);
  at_least("--hypotheses", hypotheses, 1);
  at_least("--top", top, 1);
  at_least("--explore", explore, 0);
  at_least("--wrong-at", wrong_at, 0);
  at_least("--wrong-share", wrong_share, 0);
  at_least("--wrong-rows", wrong_rows, 1);
  at_least("--refine", refine, 0);
  at_least("--bank-size", bank, 2);
  at_least("--select", selected, 1);
  if (selected > bank)
    throw ConfigError(
        fmt::format("--select {}: a bank of --bank-size {} does not hold so many", selected, bank));
  if (from != From::kZeroShot && labels <= initial) {
    throw ConfigError(fmt::format("--labels {}: must be more than --initial {}", labels, initial));
  }
  if (seed < 0 || seed > 999'999'999)
    throw ConfigError(fmt::format("--seeds {}: a seed is from 0 to 999999999", seed));
}

Named<std::string> HypoOptions::described() const {
  static constexpr const char* kFrom[] = {"both", "data", "literature", "zero-shot"};
  const auto text = [](auto value) { return fmt::format("{}", value); };
  return {{"from", kFrom[static_cast<int>(from)]},
          {"labels", text(labels)},
          {"initial", text(initial)},
          {"hypotheses", text(hypotheses)},
          {"top", text(top)},
          {"explore", text(explore)},
          {"wrong-at", text(wrong_at)},
          {"wrong-share", text(wrong_share)},
          {"wrong-rows", text(wrong_rows)},
          {"refine", text(refine)},
          {"bank-size", text(bank)},
          {"select", text(selected)},
          {"union", best_union ? "best" : "random"},
          {"layout", layout}};
}

std::string HypoOptions::describe() const {
  std::string line = fmt::format("seed={}", seed);
  for (const auto& [name, value] : described()) line += fmt::format(" {}={}", name, value);
  return line;
}

}  // namespace assay
