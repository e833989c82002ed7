#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/method.h"
#include "methods/hypo_learn.h"
#include "rubric/library.h"
#include "text/fence.h"

// A small world for HypoEval's learner: rows with labels, a generator that numbers what it writes,
// and a scorer whose error depends on the hypothesis and the row by a fixed rule.

namespace assay::test {

inline const RubricLibrary& library() {
  static const RubricLibrary loaded = RubricLibrary::load("");
  return loaded;
}

inline const Prompt& shipped_prompt(const std::string& id) { return library().prompt(id); }

inline std::uint64_t mixed(const std::string& text) {
  std::uint64_t hash = 1469598103934665603ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash ^ (hash >> 29);
}

// Labels from 1 to 5 in thirds, as means of three raters are.
inline double label_of(int row) {
  return 1 + static_cast<double>(mixed(fmt::format("label {}", row)) % 13) / 3;
}

inline Preparation preparation(int rows, int texts) {
  Preparation all{"summarization", "coherence", {}, {}};
  for (int i = 0; i < rows; ++i) {
    Row row;
    row.sample.id = fmt::format("r{}", i);
    row.sample.fields.source = fmt::format("Source of {}.", i);
    row.sample.fields.output = fmt::format("Output {}.", i);
    row.human = {{"coherence", label_of(i)}};
    row.line = static_cast<std::size_t>(i) + 1;
    all.labelled.push_back(std::move(row));
  }
  for (int i = 0; i < texts; ++i) all.texts.push_back(fmt::format("Paper {}.", i));
  return all;
}

// M(h, row): what was made first is always wrong (off by more than half a point), what comes from
// the literature is off by up to 2 points, and what was refined by up to 1.
inline double scripted_score(const std::string& hypothesis, const std::string& output,
                             double label) {
  const std::uint64_t lot = mixed(hypothesis + "|" + output);
  const bool refined = hypothesis.find(" +") != std::string::npos;
  std::vector<double> possible;
  for (const double score : {1.0, 2.0, 3.0, 4.0, 5.0}) {
    const double off = std::abs(score - label);
    if (refined ? off < 1.5 : hypothesis.starts_with("lit") ? off < 2.5 : off > 0.5)
      possible.push_back(score);
  }
  return possible[lot % possible.size()];
}

inline bool scripted_distinct(const std::string& first, const std::string& second) {
  return mixed(first + "&" + second) % 4 != 0;
}

// Answers the learner's questions from their words alone.
class ScriptedWorld {
 public:
  Round answer(const Ask& ask) {
    Round round;
    for (const Question& question : ask.questions) round.push_back(answer(question));
    calls_ += static_cast<int>(round.size());
    return round;
  }

  Verdict answer(const Question& question) {
    std::string prompt;
    for (const Message& message : messages_of(question)) prompt += message.text + "\n";
    const std::vector<std::string> texts = fenced_texts(prompt);
    Verdict verdict;
    if (question.stage == "literature") verdict.value = {std::string("Findings of " + texts.at(0))};
    if (question.stage == "hypotheses") verdict.value = written(prompt);
    if (question.stage == "refinement") verdict.value = refined(prompt, texts.back());
    if (question.stage == "repeats") verdict.value = {scripted_distinct(texts.at(0), texts.at(1))};
    if (question.stage == "scores") {
      const std::string& output = texts.at(1);
      verdict.value = {scripted_score(texts.back(), output, label_of(std::stoi(output.substr(7))))};
    }
    verdict.raw = fmt::format("reply {}", mixed(prompt) % 1000);
    count(question.stage);
    return verdict;
  }

  const Named<int>& stages() const { return stages_; }
  int calls() const { return calls_; }

 private:
  Value written(const std::string& prompt) {
    const bool rows = prompt.find("Rating: ") != std::string::npos;
    const bool research = prompt.find("<<<Research") != std::string::npos;
    const std::string name = rows ? fmt::format("gen{}", generated_++) : research ? "lit" : "zero";
    const std::size_t at = prompt.find("Propose ") + 8;
    std::vector<std::string> texts;
    for (int i = 0; i < std::stoi(prompt.substr(at)); ++i)
      texts.push_back(fmt::format("{} {}", name, i));
    return {Named<std::vector<std::string>>{{"hypotheses", texts}}};
  }

  // "1. text" becomes "text +d" where rows are shown and "text +l" where literature is.
  static Value refined(const std::string& prompt, const std::string& drafts) {
    const bool rows = prompt.find("Rating: ") != std::string::npos;
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < drafts.size();) {
      const std::size_t end = std::min(drafts.find("\n\n", at), drafts.size());
      const std::string draft = drafts.substr(at, end - at);
      texts.push_back(draft.substr(draft.find(". ") + 2) + (rows ? " +d" : " +l"));
      at = end + 2;
    }
    return {Named<std::vector<std::string>>{{"hypotheses", texts}}};
  }

  void count(const std::string& stage) {
    for (auto& [name, n] : stages_) {
      if (name == stage) {
        ++n;
        return;
      }
    }
    stages_.emplace_back(stage, 1);
  }

  int generated_ = 0;
  int calls_ = 0;
  Named<int> stages_;
};

inline HypoLearn learner(const HypoOptions& options) {
  return HypoLearn(library().get("summarization", "coherence"), shipped_prompt, options);
}

}  // namespace assay::test
