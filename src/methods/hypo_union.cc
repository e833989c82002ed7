// The end of HypoEval's learning (hypo_state.cc has the rest): repeats are removed inside each
// bank, at most half of the final bank is taken from each, and the highest Pearsons on S_tr are
// selected.

#include <fmt/core.h>

#include <algorithm>

#include "methods/hypo_numbers.h"
#include "methods/hypo_random.h"
#include "methods/hypo_state.h"

namespace assay {

// Hypotheses are compared with those kept before them, the best first; both banks in the same
// rounds.
void HypoState::ask_repeats() {
  if (stage_ != Stage::kRepeats) {
    data_ = {bandit_.best(bank_, static_cast<int>(bank_.size())), {}, 0};
    literature_ = {from_literature_, {}, 0};
  }
  stage_ = Stage::kRepeats;
  pending_.clear();
  for (Sieve* sieve : {&data_, &literature_}) {
    if (sieve->next == 0 && !sieve->all.empty()) sieve->kept.push_back(sieve->all[sieve->next++]);
    if (sieve->next == sieve->all.size()) continue;
    for (const int kept : sieve->kept) {
      HypoCall call;
      call.kind = HypoCall::Kind::kDistinct;
      call.hypotheses = {kept, sieve->all[sieve->next]};
      pending_.push_back(std::move(call));
    }
  }
  if (pending_.empty()) unite();
}

void HypoState::take_repeats(const Round& round) {
  std::size_t at = 0;
  for (Sieve* sieve : {&data_, &literature_}) {
    if (sieve->next == sieve->all.size()) continue;
    bool distinct = true;
    for (std::size_t i = 0; i < sieve->kept.size(); ++i, ++at) {
      const bool* said = round[at].status == Status::kOk ? round[at].value.as<bool>() : nullptr;
      if (said == nullptr) note("a comparison of two hypotheses could not be read: both are kept");
      distinct = distinct && (said == nullptr || *said);
    }
    const int candidate = sieve->all[sieve->next++];
    if (distinct) sieve->kept.push_back(candidate);
  }
  ask_repeats();
}

// At most half of the bank from each source; all of it where there is only one.
void HypoState::unite() {
  SeededRandom random(static_cast<std::uint64_t>(options_.seed));
  const bool two = !data_.all.empty() && !literature_.all.empty();
  const auto most = static_cast<std::size_t>(two ? std::max(1, options_.bank / 2) : options_.bank);
  for (Sieve* sieve : {&data_, &literature_}) {
    std::vector<int> chosen = sieve->kept;
    if (!options_.best_union && chosen.size() > most) random.shuffle(chosen);
    chosen.resize(std::min(chosen.size(), most));
    std::sort(chosen.begin(), chosen.end());
    for (const int h : chosen) add_new(united_, h);
  }
  stage_ = Stage::kSelection;
  ask_scores(united_, numbers(0, bandit_.rows()));
}

void HypoState::take_selection() {
  selected_ = bandit_.select(united_);
  for (const int h : selected_) {
    if (!bandit_.pearson(h))
      note(fmt::format("h{} is selected without a Pearson correlation: its scores are all equal",
                       h + 1));
  }
  if (!unreadable_.empty())
    note(fmt::format("{} scores could not be read and were left out", unreadable_.size()));
  pending_.clear();
  stage_ = Stage::kDone;
}

}  // namespace assay
