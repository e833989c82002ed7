// HypoEval's learning, in the order of the paper's section 2 (docs/methods/hypoeval.md):
//   summaries       each text of the literature, once
//   initial         H_init from S_init and L; H_L from L alone in the same round
//   initial scores  r_h of H_init on S_init
//   update t        the top k score row t; wrong rows gather in W; at w_max of them:
//     fresh, refine   H_W from W, refined N times, odd rounds with W, even with L
//     fresh scores    r_h of H_W on W; H^t = the best of H_top and H_W
//   repeats         inside each bank the later of two alike is left out
//   selection       the union scores all of S_tr; the highest Pearsons stay
// A round is folded without composing a question, so a replay costs only this arithmetic. An answer
// that is not there (transport) ends the learning; one that cannot be read is left out and noted.
// Tested in tests/methods/hypo_bandit_test.cc.

#include "methods/hypo_state.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "methods/failure.h"
#include "methods/hypo_numbers.h"

namespace assay {
namespace {

const char* stage_of(HypoCall::Kind kind) {
  switch (kind) {
    case HypoCall::Kind::kSummary:
      return "a summary of the literature";
    case HypoCall::Kind::kGenerate:
      return "hypotheses";
    case HypoCall::Kind::kRefine:
      return "refined hypotheses";
    case HypoCall::Kind::kDistinct:
      return "a comparison of two hypotheses";
    case HypoCall::Kind::kScore:
      return "a score";
  }
  return "an answer";
}

}  // namespace

HypoState::HypoState(const HypoOptions& options, std::vector<double> labels, int texts)
    : options_(options), bandit_(options, std::move(labels)), texts_(texts) {
  if (options_.from == HypoOptions::From::kBoth && texts_ == 0)
    options_.from = HypoOptions::From::kData;
  if (options_.from == HypoOptions::From::kData || options_.from == HypoOptions::From::kZeroShot)
    texts_ = 0;
  for (int i = 0; i < texts_; ++i) {
    HypoCall call;
    call.kind = HypoCall::Kind::kSummary;
    call.text = i;
    pending_.push_back(std::move(call));
  }
  if (texts_ == 0) ask_initial();
}

void HypoState::fold(const Round& round) {
  if (done() || round.size() != pending_.size())
    throw std::logic_error("a learner was given answers it did not ask for");
  for (std::size_t i = 0; i < round.size(); ++i) {
    if (round[i].status != Status::kTransport) continue;
    unanswered_ = true;
    return fail(failure_of(stage_of(pending_[i].kind), round[i]));
  }
  take(round);
  while (pending_.empty() && !done()) take({});
}

// The round that `stage_` asked for; sets what is pending after it.
void HypoState::take(const Round& round) {
  read_scores(round);
  switch (stage_) {
    case Stage::kSummaries:
      return take_summaries(round);
    case Stage::kInitial:
      return take_initial(round);
    case Stage::kInitialScores:
      return take_initial_scores();
    case Stage::kUpdate:
      return take_update();
    case Stage::kFresh:
    case Stage::kRefine:
      return take_refine(round);
    case Stage::kFreshScores:
      return take_fresh_scores();
    case Stage::kRepeats:
      return take_repeats(round);
    case Stage::kSelection:
      return take_selection();
    case Stage::kDone:
      break;
  }
}

void HypoState::fail(std::string why) {
  failure_ = std::move(why);
  pending_.clear();
  stage_ = Stage::kDone;
}

bool HypoState::uses_literature() const {
  return std::any_of(summaries_.begin(), summaries_.end(),
                     [](const std::string& s) { return !s.empty(); });
}

// --- asking and reading ---

HypoCall HypoState::generate(std::vector<int> rows, bool literature, int wanted) const {
  HypoCall call;
  call.kind = HypoCall::Kind::kGenerate;
  call.rows = std::move(rows);
  call.literature = literature;
  call.wanted = wanted;
  return call;
}

// Only what was not asked yet: a hypothesis scores a row once, readably or not.
void HypoState::ask_scores(const std::vector<int>& hypotheses, const std::vector<int>& rows) {
  pending_.clear();
  for (const int row : rows) {  // the questions about a row share its texts: keep them together
    for (const int h : hypotheses) {
      const auto& scores = bandit_.hypotheses()[static_cast<std::size_t>(h)].scores;
      if (scores[static_cast<std::size_t>(row)] || unreadable_.contains({h, row})) continue;
      HypoCall call;
      call.hypotheses = {h};
      call.rows = {row};
      pending_.push_back(std::move(call));
    }
  }
}

void HypoState::read_scores(const Round& round) {
  for (std::size_t i = 0; i < round.size(); ++i) {
    const HypoCall& call = pending_[i];
    if (call.kind != HypoCall::Kind::kScore) continue;
    const double* score = round[i].status == Status::kOk ? round[i].value.as<double>() : nullptr;
    if (score == nullptr) {
      unreadable_.emplace(call.hypotheses[0], call.rows[0]);
    } else {
      bandit_.score(call.hypotheses[0], call.rows[0], *score);
    }
  }
}

std::vector<std::string> HypoState::read_hypotheses(const Verdict& verdict, const char* what,
                                                    int wanted) {
  std::vector<std::string> texts;
  const auto* lists =
      verdict.status == Status::kOk ? verdict.value.as<Named<std::vector<std::string>>>() : nullptr;
  if (lists == nullptr || lists->empty()) {
    note(fmt::format("{}: {}", what, failure_of("hypotheses", verdict)));
    return texts;
  }
  for (const std::string& text : lists->front().second) {
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
  if (static_cast<int>(texts.size()) < wanted)
    note(fmt::format("{}: {} of {} hypotheses came", what, texts.size(), wanted));
  texts.resize(std::min(texts.size(), static_cast<std::size_t>(wanted)));
  return texts;
}

// --- the stages ---

void HypoState::take_summaries(const Round& round) {
  for (std::size_t i = 0; i < round.size(); ++i) {
    const std::string* text =
        round[i].status == Status::kOk ? round[i].value.as<std::string>() : nullptr;
    summaries_.push_back(text == nullptr ? "" : *text);
    if (text == nullptr)
      note(fmt::format("text {} of the literature is left out: {}", i + 1,
                       failure_of("summary", round[i])));
  }
  if (!uses_literature() && options_.from == HypoOptions::From::kLiterature)
    return fail("no text of the literature could be summarised");
  ask_initial();
}

void HypoState::ask_initial() {
  stage_ = Stage::kInitial;
  pending_.clear();
  if (options_.from == HypoOptions::From::kZeroShot) {
    pending_.push_back(generate({}, false, options_.selected));
    return;
  }
  if (uses_data())
    pending_.push_back(
        generate(numbers(0, options_.initial), uses_literature(), options_.hypotheses));
  if (uses_literature()) pending_.push_back(generate({}, true, std::max(1, options_.bank / 2)));
}

void HypoState::take_initial(const Round& round) {
  std::size_t at = 0;
  if (options_.from == HypoOptions::From::kZeroShot) {
    for (const std::string& text : read_hypotheses(round[0], "zero-shot", options_.selected))
      selected_.push_back(bandit_.add(text, "zero-shot"));
    if (selected_.empty()) return fail(notes_.back());
    united_ = selected_;
    pending_.clear();
    stage_ = Stage::kDone;
    return;
  }
  if (uses_data()) {
    for (const std::string& text : read_hypotheses(round[at++], "initial", options_.hypotheses))
      add_new(bank_, bandit_.add(text, "initial"));
    if (bank_.empty()) return fail(notes_.back());
  }
  if (at < round.size()) {
    for (const std::string& text :
         read_hypotheses(round[at], "literature", std::max(1, options_.bank / 2))) {
      add_new(from_literature_, bandit_.add(text, "literature"));
    }
    if (bank_.empty() && from_literature_.empty()) return fail(notes_.back());
  }
  if (!uses_data()) return ask_repeats();
  stage_ = Stage::kInitialScores;
  ask_scores(bank_, numbers(0, options_.initial));
}

void HypoState::take_initial_scores() {
  for (const int h : bank_) bandit_.reward(h, 0);
  ask_update();
}

void HypoState::ask_update() {
  ++t_;
  const int row = options_.initial + t_ - 1;
  if (row >= bandit_.rows()) return ask_repeats();
  stage_ = Stage::kUpdate;
  tried_ = bandit_.best(bank_, options_.top);
  ask_scores(tried_, {row});
}

void HypoState::take_update() {
  const int row = options_.initial + t_ - 1;
  for (const int h : tried_) bandit_.reward(h, t_);
  Update update{row, tried_, bandit_.is_wrong(tried_, row), {}, bank_};
  if (update.wrong) wrong_.push_back(row);
  updates_.push_back(std::move(update));
  if (static_cast<int>(wrong_.size()) < options_.wrong_rows) return ask_update();
  stage_ = Stage::kFresh;
  refined_ = 0;
  drafts_.clear();
  pending_ = {generate(wrong_, false, options_.hypotheses)};
}

// H_W^i for i = 1..N: odd rounds see W, even ones L; without literature there are no even rounds.
void HypoState::ask_refine() {
  ++refined_;
  if (refined_ % 2 == 0 && !uses_literature()) ++refined_;
  pending_.clear();
  if (refined_ > options_.refine || drafts_.empty()) {
    fresh_.clear();
    for (const std::string& text : drafts_) add_new(fresh_, bandit_.add(text, "wrong-rows"));
    stage_ = Stage::kFreshScores;
    return ask_scores(fresh_, wrong_);
  }
  stage_ = Stage::kRefine;
  HypoCall call;
  call.kind = HypoCall::Kind::kRefine;
  call.drafts = drafts_;
  call.wanted = static_cast<int>(drafts_.size());
  call.literature = refined_ % 2 == 0;
  if (!call.literature) call.rows = wrong_;
  pending_.push_back(std::move(call));
}

// A refinement that cannot be read leaves the hypotheses as they were.
void HypoState::take_refine(const Round& round) {
  const int wanted = pending_[0].wanted;
  const std::string what = stage_ == Stage::kFresh
                               ? fmt::format("update {}", t_)
                               : fmt::format("update {}, refinement {}", t_, refined_);
  std::vector<std::string> texts = read_hypotheses(round[0], what.c_str(), wanted);
  if (!texts.empty()) drafts_ = std::move(texts);
  ask_refine();
}

void HypoState::take_fresh_scores() {
  for (const int h : fresh_) bandit_.reward(h, t_);
  std::vector<int> pool = tried_;
  for (const int h : fresh_) add_new(pool, h);
  if (!fresh_.empty()) bank_ = bandit_.best(std::move(pool), options_.bank);
  updates_.back().fresh = fresh_;
  updates_.back().bank = bank_;
  wrong_.clear();
  ask_update();
}

}  // namespace assay
