#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "assay/engine.h"

namespace assay {

// Who answers in which role. "judge" is always there; other roles fall back to it.
using JudgeRoles = std::map<std::string, Judge*, std::less<>>;

// A row under one method. Shared because the works of a row (dimensions, methods, repeats) hold the
// same texts.
class RowWork : public Work {
 public:
  RowWork(std::shared_ptr<const Row> row, const RowMethod& method, const JudgeRoles& judges,
          int repeat)
      : row_(std::move(row)), method_(method), judges_(judges), repeat_(repeat) {}
  std::optional<Ask> step(const Transcript& transcript) override;
  Judge& judge(const std::string& role) override;
  int repeat() const override { return repeat_; }

  const Row& row() const { return *row_; }
  const RowMethod& method() const { return method_; }
  const Score& score() const { return score_; }

 private:
  std::shared_ptr<const Row> row_;
  const RowMethod& method_;
  const JudgeRoles& judges_;
  int repeat_;
  Score score_;
};

// The rows of one group under a method that scores them together.
class GroupWork : public Work {
 public:
  GroupWork(std::vector<Sample> samples, const GroupMethod& method, const JudgeRoles& judges,
            int repeat)
      : samples_(std::move(samples)), method_(method), judges_(judges), repeat_(repeat) {}
  std::optional<Ask> step(const Transcript& transcript) override;
  Judge& judge(const std::string& role) override;
  int repeat() const override { return repeat_; }

  const std::vector<Sample>& samples() const { return samples_; }
  const GroupMethod& method() const { return method_; }
  const std::vector<Score>& scores() const { return scores_; }

 private:
  std::vector<Sample> samples_;
  const GroupMethod& method_;
  const JudgeRoles& judges_;
  int repeat_;
  std::vector<Score> scores_;
};

// What is prepared once for all rows of a dimension.
class PrepareWork : public Work {
 public:
  PrepareWork(Preparation preparation, const PrepareMethod& method, const JudgeRoles& judges)
      : preparation_(std::move(preparation)), method_(method), judges_(judges) {}
  std::optional<Ask> step(const Transcript& transcript) override;
  Judge& judge(const std::string& role) override;

  const Artefact& artefact() const { return artefact_; }

 private:
  Preparation preparation_;
  const PrepareMethod& method_;
  const JudgeRoles& judges_;
  Artefact artefact_;
};

}  // namespace assay
