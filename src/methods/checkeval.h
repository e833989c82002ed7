#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/method.h"
#include "assay/rubric.h"
#include "rubric/checklist.h"
#include "rubric/checklist_weights.h"

namespace assay {

struct CheckevalOptions {
  enum class Grouping { kSubDimension, kDimension, kQuestion };
  enum class Asked {
    kKept,
    kSeeds,
    kUnfiltered
  };  // the list; its seeds only; also what was filtered out

  std::string layout = "shared";
  Grouping group = Grouping::kSubDimension;
  Asked questions = Asked::kKept;
  std::vector<std::string> checklists;  // files or folders; empty: the built-in lists
  std::vector<std::string>
      weights;  // files of regression weights; empty: every question counts the same

  std::string describe() const;  // all but the files, whose content is in Method::settings
};

// CheckEval: yes/no questions from a checklist, the score is the share of yes
// (docs/methods/checkeval.md). Thread-safe: const after construction.
class Checkeval : public RowMethod {
 public:
  using Prompts = std::function<const Prompt&(const std::string& id)>;
  // Throws ConfigError where no question is left to ask, or the weights are not those of this list.
  Checkeval(Rubric rubric, const Checklist& checklist, std::optional<ChecklistWeights> weights,
            const Prompts& prompts, CheckevalOptions options);

  std::string name() const override { return "checkeval"; }
  std::string dimension() const override { return rubric_.id; }
  std::string layout() const override { return options_.layout; }
  std::string settings() const override { return settings_; }
  Needs needs() const override;
  Step next(const Sample& sample, const Transcript& transcript) const override;

 private:
  struct Item {
    std::string id;  // "Q1", by place in the list, whatever the grouping
    std::string sub;
    std::string text;
    double weight = 1;
  };
  struct Group {
    std::string label;
    std::vector<std::size_t> items;
  };
  using Answers = std::vector<std::optional<bool>>;  // by item
  using Indices = std::vector<std::size_t>;

  std::string label_of(const Item& item) const { return item.sub + "/" + item.id; }
  Question question(const Sample& sample, const Indices& items, std::string label,
                    std::string stage) const;
  std::string texts_of(const Sample& sample) const;
  // Takes over what was answered; a verdict that says nothing and cannot be asked again ends the
  // row.
  std::optional<Score> read(const Round& round, const std::vector<Group>& groups, Answers& answers,
                            bool again) const;
  std::optional<Score> read(const Verdict& verdict, const Group& group, Answers& answers,
                            bool again) const;
  Score score_of(const Sample& sample, const Answers& answers) const;
  Score without(const Answers& answers, Score failure) const;

  Rubric rubric_;
  CheckevalOptions options_;
  Prompt prompt_;
  std::vector<Input> inputs_;
  std::vector<Item> items_;
  std::vector<Group> groups_;
  std::optional<ChecklistWeights> weights_;
  std::string settings_;
};

}  // namespace assay
