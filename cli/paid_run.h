#pragma once

#include <memory>
#include <optional>

#include "assay/engine.h"
#include "assay/store.h"
#include "core/hash.h"
#include "evaluation.h"
#include "judges/recording.h"

namespace assay::cli {

// What surrounds the engine in every command that asks judges: Ctrl-C, the ledger, a recording,
// progress, the run's entry, and how it ended.
class PaidRun {
 public:
  // Opens the ledger and, unless nothing will be asked, the recording. Throws ConfigError.
  explicit PaidRun(const Evaluation& evaluation);

  const EngineOptions& setup() const { return setup_; }
  Store* store() const { return store_.get(); }

  // Enters the run in the ledger; when it began is filled in.
  void begin(RunInfo info);
  RunTotals ask(const Engine::Source& source, const Engine::Sink& sink, std::int64_t works);
  // A work of its own that prepares something.
  RunTotals ask(std::unique_ptr<PrepareWork> work, Artefact& made);
  // Says what the judges have to remark and closes the run's entry. Where it was stopped: says how
  // to go on, and gives the exit code.
  std::optional<int> end(const RunTotals& totals);

 private:
  const Evaluation& evaluation_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Recorder> recorder_;
  EngineOptions setup_;
  RunInfo info_;  // its id is empty until begin()
};

// The entry of a run that prepares something from `what`.
RunInfo preparation_info(const std::string& command, const std::string& method, const Judge& judge,
                         const Hasher& what);

// "{task, how many dimensions}", as runs of eval and rank keep them.
std::string run_options(const Evaluation& evaluation);

// What was asked and spent: in all, by stage, and by dimension where it is known.
void print_spend(const RunTotals& totals, const Named<Usage>& by_dimension);

// kWell, or kUnscored with a line that counts them.
int scored_code(std::int64_t unscored, std::int64_t results);

}  // namespace assay::cli
