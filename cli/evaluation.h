#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "assay/store.h"
#include "engine/plan.h"
#include "engine/works.h"
#include "eval_options.h"
#include "rubric/library.h"

namespace assay::cli {

// One way of scoring a row: a method for a dimension, and who answers it.
struct Lane {
  std::string method;
  std::string dimension;
  JudgeRoles judges;
  std::unique_ptr<RowMethod> row;  // one of the two
  std::unique_ptr<GroupMethod> group;
  std::set<std::string> seen;  // ids of the labelled rows its artefact was made from

  const Judge& judge() const { return *judges.at("judge"); }
  const Method& any() const { return row ? static_cast<const Method&>(*row) : *group; }
};

// Everything an evaluation is made of, in the order it is made: judges, rows checked, preparations
// run, lanes.
struct Evaluation {
  const EvalOptions& options;
  RubricLibrary library;
  std::vector<std::unique_ptr<Judge>> owned;
  std::vector<Judge*> jury;  // those of --judge, in order
  JudgeRoles roles;          // those of --role
  std::size_t units_by = 0;  // whose units a jury judges
  std::vector<Row> labelled;
  std::vector<Lane> lanes;
  std::set<std::size_t> left_out;  // lines of rows that lack what a dimension needs
  std::size_t rows = 0;
  std::string rows_hash;
  std::string run;  // hash of rows, rubrics, methods, judges and options

  explicit Evaluation(const EvalOptions& o);
  std::vector<std::string> dimensions() const;
  JudgeRoles roles_for(Judge& judge) const;
  bool all_free() const;
  const Judge& first_judge() const { return *jury.front(); }
  Judge& nobody();  // "answers" reference metrics, which ask nothing

 private:
  std::unique_ptr<Judge> nobody_;
};

// Reads every row once: one that cannot be judged is refused, or left out, before anything is
// spent.
void check_input(Evaluation& evaluation, RowReader& reader);

// Runs what has to be prepared (in `store`'s ledger), then makes the lanes. Throws ConfigError.
// With a planner nothing is asked: preparations are imagined, and counted in the plan.
void make_lanes(Evaluation& evaluation, const EngineOptions& engine, Store* store,
                Planner* planner);

EngineOptions engine_options(const Evaluation& evaluation);
std::unique_ptr<Store> make_store(const Evaluation& evaluation);

}  // namespace assay::cli
