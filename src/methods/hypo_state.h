#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/verdict.h"
#include "methods/hypo_bandit.h"
#include "methods/hypo_options.h"

namespace assay {

// One question of the learner, before it is put into words.
struct HypoCall {
  enum class Kind { kSummary, kGenerate, kRefine, kDistinct, kScore };
  Kind kind = Kind::kScore;
  std::vector<int> hypotheses;      // distinct: the two; score: the one
  std::vector<std::string> drafts;  // refine: what is to be refined
  std::vector<int> rows;            // shown with their labels, or scored
  bool literature = false;          // the summaries are shown
  int text = -1;                    // summary: which text
  int wanted = 0;                   // generate, refine: how many hypotheses
};

// HypoEval's learning as a fold over rounds of answers: `pending` is what to ask next, `fold` takes
// the answers to exactly that. It holds numbers and hypotheses only, no prompts, so that replaying
// a transcript from the top is cheap. Thread-compatible.
class HypoState {
 public:
  // `labels` of S_tr on 1 to 5, in the order they are met; `texts`: how many pieces of literature
  // there are.
  HypoState(const HypoOptions& options, std::vector<double> labels, int texts);

  const std::vector<HypoCall>& pending() const { return pending_; }
  void fold(const Round& round);

  bool done() const { return stage_ == Stage::kDone; }
  const std::string& failure() const { return failure_; }  // why nothing was learned; empty: it was
  bool unanswered() const { return unanswered_; }  // it failed because an answer did not come

  const HypoBandit& bandit() const { return bandit_; }
  const std::vector<std::string>& summaries() const { return summaries_; }
  const std::vector<int>& united() const { return united_; }
  const std::vector<int>& selected() const { return selected_; }
  const std::vector<std::string>& notes() const { return notes_; }

  // How the updates went: for the record and the tests.
  struct Update {
    int row = 0;
    std::vector<int> tried;
    bool wrong = false;
    std::vector<int> fresh;  // made from the wrong bank that this row filled
    std::vector<int> bank;   // H^t
  };
  const std::vector<Update>& updates() const { return updates_; }
  const std::vector<int>& wrong_rows() const { return wrong_; }

 private:
  enum class Stage {
    kSummaries,
    kInitial,
    kInitialScores,
    kUpdate,
    kFresh,
    kRefine,
    kFreshScores,
    kRepeats,
    kSelection,
    kDone
  };

  void take(const Round& round);
  void take_summaries(const Round& round);
  void ask_initial();
  void take_initial(const Round& round);
  void take_initial_scores();
  void ask_update();
  void take_update();
  void ask_refine();
  void take_refine(const Round& round);
  void take_fresh_scores();
  void ask_repeats();
  void take_repeats(const Round& round);
  void unite();
  void take_selection();
  void fail(std::string why);

  bool uses_data() const {
    return options_.from == HypoOptions::From::kBoth || options_.from == HypoOptions::From::kData;
  }
  bool uses_literature() const;
  HypoCall generate(std::vector<int> rows, bool literature, int wanted) const;
  void ask_scores(const std::vector<int>& hypotheses, const std::vector<int>& rows);
  void read_scores(const Round& round);
  std::vector<std::string> read_hypotheses(const Verdict& verdict, const char* what, int wanted);
  void note(std::string text) { notes_.push_back(std::move(text)); }

  // One bank while its repeats are removed: `kept` of the first `next`.
  struct Sieve {
    std::vector<int> all;
    std::vector<int> kept;
    std::size_t next = 0;
  };

  HypoOptions options_;
  HypoBandit bandit_;
  int texts_;
  Stage stage_ = Stage::kSummaries;
  std::vector<HypoCall> pending_;
  std::string failure_;
  bool unanswered_ = false;
  std::vector<std::string> notes_;
  std::vector<std::string> summaries_;  // empty where one could not be had
  std::vector<int> bank_;               // H^t
  std::vector<int> from_literature_;
  int t_ = 0;
  std::vector<int> tried_;  // H_top
  std::vector<int> wrong_;  // W
  std::vector<Update> updates_;
  std::vector<std::string> drafts_;  // H_W^i
  std::vector<int> fresh_;           // H_W
  int refined_ = 0;
  Sieve data_;
  Sieve literature_;
  std::set<std::pair<int, int>> unreadable_;  // hypothesis and row: not asked again
  std::vector<int> united_;
  std::vector<int> selected_;
};

}  // namespace assay
