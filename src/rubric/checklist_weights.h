#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// What each question of a checklist counts for, fitted by linear regression on labelled rows
// (docs/formats/checklist.md). The score is intercept + sum of weight * answer (yes 1, no 0).
struct ChecklistWeights {
  struct Weight {
    std::string id;    // "Q3": place among the questions asked
    std::string text;  // the question it was fitted for
    double weight = 0;
    int line = 0;
  };
  std::string task;
  std::string dimension;
  std::string made;
  double intercept = 0;
  std::vector<Weight> weights;
  std::vector<std::string> rows;  // ids of the labelled rows it was fitted on
  std::string origin;             // the file it was read from
};

// Throws ConfigError: FILE:LINE: what is wrong.
ChecklistWeights parse_checklist_weights(std::string_view text, const std::string& file);

// The weights for a dimension among the files given. Throws ConfigError where none is for it.
ChecklistWeights find_checklist_weights(std::span<const std::string> paths, std::string_view task,
                                        std::string_view dimension);

std::string checklist_weights_yaml(const ChecklistWeights& weights);

}  // namespace assay
