#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "assay/method.h"
#include "assay/rubric.h"
#include "methods/two_options.h"

namespace assay {

struct DecompEvalOptions {
  std::string layout = "shared";
  int wording = 1;          // 1: the rubric's question; 2 and on: its `wordings`
  int input_limit = 1024;   // estimated tokens of a prompt, a document is cut to fit; 0: no limit
  bool instruction = true;  // false, false, true: the paper's ablations
  bool subquestions = true;
  bool question_first = false;
  bool all_references = false;
  ProbSource probs;

  std::string describe() const;  // everything above, for `run`
};

// DecompEval: yes/no questions about each sentence, whose answers stand as evidence before the
// question about the whole text (docs/methods/decompeval.md). Thread-safe: const after
// construction.
class DecompEval : public RowMethod {
 public:
  using Prompts = std::function<const Prompt&(const std::string& id)>;
  // Throws ConfigError where the rubric has no `decomp` part or the options do not fit.
  DecompEval(Rubric rubric, const Prompts& prompts, DecompEvalOptions options);

  std::string name() const override { return "decompeval"; }
  std::string dimension() const override { return rubric_.id; }
  std::string layout() const override { return options_.layout; }
  std::string settings() const override { return settings_; }
  Needs needs() const override;
  Step next(const Sample& sample, const Transcript& transcript) const override;

 private:
  struct Sentence {
    std::string text;
    Span span;
  };
  // What the whole method runs on: the output, or with the rules mean and sum one sentence of it.
  // All texts of a row have the same number of sentences.
  struct Text {
    Sentence whole;
    std::vector<Sentence> sentences;
  };
  struct Answer {
    double p = 0;
    bool yes = false;
    std::string note;
  };
  // One text's questions so far.
  struct Chain {
    const Text& text;
    std::string shown;     // the named inputs, fenced
    std::string answered;  // the subquestions with their answers
    std::vector<Answer> answers;
  };
  struct Failure {
    std::string label;
    TwoWay said;
  };
  // The inputs beside the output, cut where the limit asks for it.
  struct Documents {
    Named<std::string> texts;  // field -> text
    std::string note;
    std::string failure;  // why the row cannot be asked about
  };

  std::vector<Text> texts_of(const Sample& sample) const;
  Documents documents_of(const Sample& sample,
                         const std::vector<Text>& texts) const;  // decompeval_input.cc
  std::size_t longest_prompt(const Documents& documents, const std::vector<Text>& texts) const;
  void cut(Documents& documents, std::size_t over) const;
  std::string shown(const Documents& documents, const Text& text) const;

  Question question(const Chain& chain, std::size_t step) const;
  std::string label_of(std::size_t text, const std::string& question) const;
  Ask ask(const std::vector<Chain>& chains, std::size_t step) const;
  std::optional<Failure> read(std::vector<Chain>& chains, std::size_t step,
                              const Round& round) const;
  Score score(const std::vector<Chain>& chains, std::string note) const;
  Score failed(const Failure& failure, std::string note) const;

  Rubric rubric_;
  DecompEvalOptions options_;
  std::string question_;  // in the wording asked for
  std::string subquestion_;
  Prompt prompt_;
  std::string settings_;
};

}  // namespace assay
