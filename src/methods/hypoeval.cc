// HypoEval's scoring stage, after "HypoEval: Hypothesis-Guided Evaluation for Natural Language
// Generation", section 2:
//   score(x, y) = mean over the selected hypotheses h of M(x, y, h), each from 1 to 5.
// Example: five hypotheses that say 4, 4, 3, 5, 4 give 4. Counter-example: where one reply stays
// unreadable after the repairs it is left out of the mean and noted; the released code averages -1
// in. Learning is in hypo_learn.cc. Tested in tests/methods/hypoeval_test.cc.

#include "methods/hypoeval.h"

#include <fmt/core.h>

#include <algorithm>

#include "assay/error.h"
#include "methods/failure.h"
#include "methods/rounds.h"
#include "text/utf8.h"

namespace assay {
namespace {

constexpr std::size_t kNoteColumns =
    300;  // of a hypothesis or reply in a results line; bank and ledger have all

Evidence without_value(std::string label, std::string note) {
  Evidence evidence = leaf(std::move(label), 0, 1, std::move(note));
  evidence.value.reset();
  return evidence;
}

Evidence scored_leaf(std::string label, const std::string& text, const Verdict& verdict) {
  const double* score = verdict.status == Status::kOk ? verdict.value.as<double>() : nullptr;
  if (score != nullptr) return leaf(std::move(label), *score, 1, ellipsize(text, kNoteColumns));
  std::string note = "left out of the mean: " + failure_of("score", verdict);
  if (!verdict.raw.empty()) note += "; reply: " + ellipsize(verdict.raw, kNoteColumns);
  return without_value(std::move(label), std::move(note));
}

}  // namespace

std::string HypoEvalOptions::describe() const {
  return fmt::format("joined={} layout={}", joined, layout);
}

HypoEval::HypoEval(Rubric rubric, const HypoQuestions::Prompts& prompts, HypoEvalOptions options,
                   std::vector<Bank> banks)
    : options_(std::move(options)),
      questions_(std::move(rubric), prompts, options_.layout),
      banks_(std::move(banks)) {
  if (banks_.empty())
    throw ConfigError(
        "hypoeval scores with a hypothesis bank: give --bank FILE (made by `assay learn`)");
  settings_ = fmt::format("hypoeval {} {}", options_.describe(), questions_.settings());
  for (const Bank& bank : banks_) {
    const Rubric& r = questions_.rubric();
    if (bank.task != r.task || bank.dimension != r.id) {
      throw ConfigError(fmt::format("{}: this bank is for {}/{}, not for {}/{}", bank.origin,
                                    bank.task, bank.dimension, r.task, r.id));
    }
    if (bank.scale != banks_.front().scale || bank.scale != Scale{1, 5}) {
      throw ConfigError(
          fmt::format("{}: this bank's scores are from {} to {}; hypotheses are scored from 1 to 5",
                      bank.origin, bank.scale.lo, bank.scale.hi));
    }
    settings_ += fmt::format(" bank {}", bank.hash());
    for (const LearnedBank& learned : bank.seeds) {
      Voters voters{fmt::format("bank {} seed {}", &bank - banks_.data() + 1, learned.seed), {}};
      std::copy_if(learned.hypotheses.begin(), learned.hypotheses.end(),
                   std::back_inserter(voters.hypotheses),
                   [](const BankHypothesis& h) { return h.selected; });
      voters_.push_back(std::move(voters));
    }
  }
}

Needs HypoEval::needs() const {
  Needs needs;
  needs.generation = true;  // the reasons before the score
  needs.grades = true;
  return needs;
}

bool HypoEval::seen(std::string_view row) const {
  return std::any_of(banks_.begin(), banks_.end(),
                     [&](const Bank& bank) { return bank.seen(row); });
}

Step HypoEval::next(const Sample& sample, const Transcript& transcript) const {
  Rounds rounds(transcript);
  if (rounds.done()) return ask(sample);
  return aggregate(sample, rounds.take());
}

Ask HypoEval::ask(const Sample& sample) const {
  Ask ask;
  for (const Voters& voters : voters_) {
    if (options_.joined) {
      std::vector<std::string> texts;
      for (const BankHypothesis& h : voters.hypotheses) texts.push_back(h.text);
      ask.questions.push_back(questions_.score_joined(sample, texts, voters.label + "/criterion"));
      continue;
    }
    for (const BankHypothesis& h : voters.hypotheses)
      ask.questions.push_back(questions_.score(sample, h.text, voters.label + "/" + h.id));
  }
  return ask;
}

Evidence HypoEval::voter_node(const Voters& voters, const Round& round, std::size_t& at) const {
  std::vector<Evidence> leaves;
  if (options_.joined) {
    leaves.push_back(scored_leaf(
        "criterion", fmt::format("{} hypotheses as one criterion", voters.hypotheses.size()),
        round.at(at++)));
  } else {
    for (const BankHypothesis& h : voters.hypotheses)
      leaves.push_back(scored_leaf(h.id, h.text, round.at(at++)));
  }
  return node(voters.label, Op::kMean, std::move(leaves));
}

// No answer at all (transport) leaves the row unscored: asked again it may be there, and a mean
// without it would be another number.
Score HypoEval::aggregate(const Sample& sample, const Round& round) const {
  for (const Verdict& verdict : round) {
    if (verdict.status == Status::kTransport) {
      Score score = unscored(dimension(), "scores", verdict);
      score.scale = scale_;
      return score;
    }
  }
  std::size_t at = 0;
  std::vector<Evidence> children;
  for (const Voters& voters : voters_) children.push_back(voter_node(voters, round, at));
  Score score;
  score.scale = scale_;
  score.evidence = children.size() == 1 ? std::move(children[0])
                                        : node(dimension(), Op::kMean, std::move(children));
  score.evidence.label = dimension();
  score.score = score.evidence.value;
  if (seen(sample.id)) score.evidence.note = "the bank was learned from this row";
  if (!score.score) score.reason = "scores: no hypothesis gave a score that could be read";
  return score;
}

std::vector<Bank> banks_for(const std::vector<std::string>& files, const std::string& task,
                            const std::string& dimension) {
  std::vector<Bank> banks;
  std::string others;
  for (const std::string& file : files) {
    Bank bank = load_bank(file);
    if (bank.task == task && bank.dimension == dimension) {
      banks.push_back(std::move(bank));
    } else {
      others += fmt::format("{}{} is for {}/{}", others.empty() ? "" : ", ", file, bank.task,
                            bank.dimension);
    }
  }
  if (banks.empty() && !others.empty()) {
    throw ConfigError(fmt::format("--bank: none is for {}/{}: {}; learn one with `assay learn`",
                                  task, dimension, others));
  }
  return banks;
}

}  // namespace assay
