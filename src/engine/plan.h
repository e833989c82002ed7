#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "assay/engine.h"
#include "engine/oracle.h"
#include "engine/seen_hashes.h"

namespace assay {

// A figure that is exact, or lies between two bounds because a reply decides.
struct Bounds {
  std::int64_t least = 0;
  std::int64_t most = 0;
  bool exact() const { return least == most; }
  // The answers that lead to few questions in one stage may lead to more in another: what is most
  // is seen at the end.
  Bounds ordered() const { return {std::min(least, most), std::max(least, most)}; }
};

struct StagePlan {
  std::string stage;
  std::string judge;  // name
  Bounds calls;
  Bounds prompt_tokens;  // every prompt in full
  Bounds shared_tokens;  // what prompts begin with alike counted once
  Bounds reply_tokens;
  std::string decided_by;  // the stage whose replies decide how many calls; empty: exact
};

struct Plan {
  std::vector<StagePlan> stages;
  std::int64_t rows = 0;   // that are judged; 0 where it is not about rows
  std::int64_t works = 0;  // rows by methods, dimensions, judges and repeats, and preparations
  std::int64_t known = 0;  // answered in the ledger: not asked again
};

// Says what a run will ask, without a call: every work is stepped with imagined answers, once
// leaning to few questions and once to many, and with the ledger's answers where it has them. Equal
// questions count once. Repairs and retries are not foreseen. Thread-compatible; keeps 12 to 24
// bytes per question and shared paragraph.
class Planner {
 public:
  using MakeWork = std::function<std::unique_ptr<Work>()>;
  explicit Planner(Ledger* ledger) : ledger_(ledger) {}
  std::unique_ptr<Work> add(const MakeWork& make);  // the work as the many answers left it
  Plan plan() const;

 private:
  struct Seen {
    SeenHashes questions;
    SeenHashes beginnings;  // of prompts, by paragraph
  };
  void step_through(Work& work, Leaning leaning);
  Verdict hear(Work& work, const Question& question, Leaning leaning, const std::string& decider);
  StagePlan& stage(const std::string& name, const std::string& judge);

  Ledger* ledger_;
  Plan plan_;
  Seen few_;
  Seen many_;
  SeenHashes known_;
};

}  // namespace assay
