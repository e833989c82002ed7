#include "methods/hypo_plan.h"

#include <algorithm>

namespace assay {
namespace {

std::int64_t pairs(std::int64_t n) { return n * (n - 1) / 2; }

}  // namespace

std::vector<HypoPlanLine> hypo_plan(const HypoOptions& o, int texts) {
  using From = HypoOptions::From;
  if (o.from == From::kZeroShot) return {{"hypotheses", 1, 1}};
  const bool literature = texts > 0 && o.from != From::kData;
  const bool data = o.from != From::kLiterature;
  const std::int64_t read = literature ? std::max(1, o.bank / 2) : 0;  // H_L
  const std::int64_t updates = data ? o.labels - o.initial : 0;
  const std::int64_t renewals = updates / o.wrong_rows;
  std::int64_t bank = data ? o.hypotheses : 0;
  for (std::int64_t i = 0; i < renewals; ++i) {
    bank = std::max(
        bank, std::min<std::int64_t>(o.bank, std::min<std::int64_t>(o.top, bank) + o.hypotheses));
  }
  const std::int64_t first = data ? 1 : 0;
  const std::int64_t refinements = literature ? o.refine : (o.refine + 1) / 2;
  const std::int64_t made = first * o.hypotheses * (1 + renewals) + read;
  const std::int64_t least_tried = first * std::min(o.top, o.hypotheses);
  const std::int64_t by_stage =
      first * o.initial * o.hypotheses + updates * std::min<std::int64_t>(o.top, bank) +
      renewals * o.hypotheses * o.wrong_rows + std::int64_t{o.bank} * o.labels;
  std::vector<HypoPlanLine> plan;
  if (literature) plan.push_back({"literature", texts, texts});
  plan.push_back(
      {"hypotheses", first + (literature ? 1 : 0), first + (literature ? 1 : 0) + renewals});
  if (data) plan.push_back({"refinement", 0, renewals * refinements});
  // A hypothesis is compared with at least one, and at most with all before it.
  const std::int64_t least_repeats = (data ? o.hypotheses - 1 : 0) + (literature ? read - 1 : 0);
  plan.push_back({"repeats", least_repeats, pairs(bank) + pairs(read)});
  // Nobody scores a row twice.
  plan.push_back(
      {"scores",
       first * o.initial * o.hypotheses + updates * least_tried + (literature ? o.labels : 0),
       std::min(by_stage, made * o.labels)});
  return plan;
}

}  // namespace assay
