// PairS: which of two texts is better, asked along a merge sort (pairs_sort.cc).
// docs/methods/pairs.md has every point settled by us. The step function folds the transcript into
// the sort, round by round: a round answers the pairs the sort was waiting for, each in one order
// or both, each in one draw or several.
//
// Example: three rows, P(A) 0.9 each time, no shuffle: {2} against {3} takes 3 as the worse, then 1
// against 3 takes 3, then 1 against 2 takes 2: worst first 3, 2, 1. Tested in
// tests/methods/pairs_test.cc.

#include "methods/pairs.h"

#include <fmt/core.h>

#include <algorithm>

#include "assay/error.h"
#include "methods/compose.h"
#include "methods/failure.h"
#include "rubric/prompt_file.h"
#include "rubric/rubric_file.h"
#include "text/fence.h"
#include "text/utf8.h"

namespace assay {
namespace {

constexpr const char* kPrompt = "pairs/compare";
constexpr const char* kA = "A";
constexpr const char* kB = "B";

void add_block(std::string& all, const std::string& block) {
  if (!all.empty()) all += "\n\n";
  all += block;
}

}  // namespace

void PairsOptions::validate() const {
  if (sort.beam < 1) throw ConfigError("--beam: at least one way of merging must be kept");
  if (!(sort.gap >= 0 && sort.gap <= 0.5))
    throw ConfigError(fmt::format("--prob-gap {}: expected 0 to 0.5", sort.gap));
}

std::string PairsOptions::describe() const {
  return fmt::format("layout={} beam={} gap={} seed={} both-orders={} undecided={} probs={}",
                     layout, sort.beam, sort.gap, sort.seed, both_orders,
                     undecided_half ? "half" : "unscored", probs.describe());
}

Pairs::Pairs(Rubric rubric, const Prompts& prompts, PairsOptions options)
    : rubric_(std::move(rubric)), options_(std::move(options)), prompt_(prompts(kPrompt)) {
  options_.validate();
  settings_ = fmt::format("pairs {} rubric {} {}", options_.describe(), rubric_hash(rubric_),
                          prompt_hash(prompt_));
}

Needs Pairs::needs() const {
  Needs needs;
  needs.generation = true;  // it reads prompts; a judge that only measures texts does not
  needs.probabilities = options_.probs.kind == ProbSource::Kind::kLogprobs;
  return needs;
}

GroupStep Pairs::next(std::span<const Sample> samples, const Transcript& transcript) const {
  if (samples.size() < 2) {
    return std::vector<Score>(
        samples.size(),
        unscored(rubric_.id, "the only row of its group: there is nothing to compare it with"));
  }
  PairSort sort(samples.size(), options_.sort);
  std::vector<Made> made;
  for (const Round& round : transcript) {
    const std::size_t each = round.size() / sort.pending().size();
    std::vector<double> p_a;
    for (std::size_t k = 0; k < sort.pending().size(); ++k) {
      made.push_back(read(sort.pending()[k], std::span(round).subspan(k * each, each)));
      if (made.back().p) p_a.push_back(*made.back().p);
    }
    if (p_a.size() < sort.pending().size()) return undecided(samples, made);
    sort.tell(p_a);
  }
  if (!sort.pending().empty()) return ask(samples, sort.pending());
  return ranked(samples, sort, made);
}

std::string Pairs::input_of(const Sample& sample, const Input& input) const {
  if (input.field == "references" && !sample.fields.references.empty())
    return sample.fields.references[0];
  return field_text(sample, input.field);
}

// What both rows have stands before them; what only one has, or each in its own way, stands with
// it.
Question Pairs::question(const Sample& a, const Sample& b) const {
  std::string texts;
  std::string shown_a;
  std::string shown_b;
  for (const Input& input : rubric_.inputs) {
    const std::string of_a = input_of(a, input);
    const std::string of_b = input_of(b, input);
    if (input.field != "output" && of_a == of_b) {
      if (!of_a.empty()) add_block(texts, fence(input.shown, of_a));
      continue;
    }
    if (!of_a.empty()) add_block(shown_a, fence(fmt::format("{} {}", input.shown, kA), of_a));
    if (!of_b.empty()) add_block(shown_b, fence(fmt::format("{} {}", input.shown, kB), of_b));
  }
  Question question = compose(prompt_, options_.layout,
                              {{"texts", texts},
                               {"introduction", rubric_.introduction},
                               {"definition", rubric_.definition},
                               {"a", shown_a},
                               {"b", shown_b}},
                              Choice{{kA, kB}});
  question.stage = "comparisons";
  question.label = fmt::format("{} | {}", a.id, b.id);
  return question;
}

Ask Pairs::ask(std::span<const Sample> samples, const std::vector<Pair>& pairs) const {
  Ask ask;
  for (const Pair& pair : pairs) {
    for (int order = 0; order < (options_.both_orders ? 2 : 1); ++order) {
      const Sample& first = samples[order == 0 ? pair.a : pair.b];
      const Sample& second = samples[order == 0 ? pair.b : pair.a];
      for (Question& draw : drawn(question(first, second), options_.probs))
        ask.questions.push_back(std::move(draw));
    }
  }
  return ask;
}

Pairs::Made Pairs::read(Pair pair, std::span<const Verdict> verdicts) const {
  constexpr std::size_t kShown = 500;
  const std::size_t orders = options_.both_orders ? 2 : 1;
  const std::size_t draws = verdicts.size() / orders;
  Made made{pair, 0.0, {}};
  for (std::size_t order = 0; order < orders; ++order) {
    const TwoWay said = two_way(verdicts.subspan(order * draws, draws), options_.probs, kA, kB);
    const bool half = !said.p && said.undecided && options_.undecided_half;
    std::string note = said.note;
    if (!said.p)
      note = said.problem +
             (said.raw.empty() ? "" : fmt::format(" (reply: {})", ellipsize(said.raw, kShown))) +
             (half ? "; taken as 0.5" : "");
    if (!note.empty()) made.note += fmt::format("{}{}", made.note.empty() ? "" : "; ", note);
    if (!said.p && !half) {
      made.p.reset();
      return made;
    }
    const double first = said.p.value_or(0.5);
    *made.p += (order == 0 ? first : 1 - first) / static_cast<double>(orders);
  }
  return made;
}

// The comparisons a row took part in, each with the probability that it is the better one.
std::vector<Evidence> Pairs::comparisons(std::span<const Sample> samples, std::size_t item,
                                         const std::vector<Made>& made) const {
  std::vector<Evidence> all;
  for (const Made& one : made) {
    if (one.pair.a != item && one.pair.b != item) continue;
    const bool is_a = one.pair.a == item;
    Evidence against =
        leaf(fmt::format("against {}", samples[is_a ? one.pair.b : one.pair.a].id), 0, 0, one.note);
    if (one.p)
      against.value = is_a ? *one.p : 1 - *one.p;
    else
      against.value.reset();
    against.p = against.value;
    all.push_back(std::move(against));
  }
  return all;
}

std::vector<Score> Pairs::ranked(std::span<const Sample> samples, const PairSort& sort,
                                 const std::vector<Made>& made) const {
  const std::size_t n = samples.size();
  std::vector<Score> scores(n);
  for (std::size_t place = 0; place < n; ++place) {
    const std::size_t item = sort.order()[place];
    std::vector<Evidence> children = comparisons(samples, item, made);
    children.push_back(leaf("place", static_cast<double>(place) / static_cast<double>(n - 1), 1,
                            fmt::format("rank {} of {}", n - place, n)));
    Score& score = scores[item];
    score.evidence = node(rubric_.id, Op::kLast, std::move(children));
    score.evidence.note =
        fmt::format("rank {} of {}; the last merge's mean log-probability is {:.4g}", n - place, n,
                    sort.path_score());
    score.score = score.evidence.value;
  }
  return scores;
}

std::vector<Score> Pairs::undecided(std::span<const Sample> samples,
                                    const std::vector<Made>& made) const {
  const auto failed =
      std::find_if(made.begin(), made.end(), [](const Made& one) { return !one.p; });
  const std::string reason =
      fmt::format("the group was not ranked: no preference between {} and {}: {}",
                  samples[failed->pair.a].id, samples[failed->pair.b].id, failed->note);
  std::vector<Score> scores;
  for (std::size_t item = 0; item < samples.size(); ++item) {
    Score score = unscored(rubric_.id, reason);
    score.evidence.op = Op::kLast;
    score.evidence.children = comparisons(samples, item, made);
    Evidence none = leaf("place", 0, 1, "not ranked");
    none.value.reset();
    score.evidence.children.push_back(std::move(none));
    scores.push_back(std::move(score));
  }
  return scores;
}

}  // namespace assay
