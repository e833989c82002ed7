// Which labelled rows a few-shot prompt shows. Three rows drawn at random often carry the same
// score and teach the judge nothing about the scale, so they are spread over the labels that occur.
// Example: labels 1, 2, 2.3, 5 and three shots: the points are 1, 3 and 5, so 1, 2.3 and 5 are
// taken.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "assay/error.h"
#include "core/hash.h"
#include "methods/rating_prepare.h"

namespace assay {
namespace {

struct Candidate {
  const Row* row;
  double label;
  std::string order;  // by seed and id
};

void check_row(const Rubric& rubric, const Row& row, double label) {
  if (label < rubric.scale.lo || label > rubric.scale.hi) {
    throw ConfigError(
        fmt::format("labelled row {} (line {}): the label {} is outside the scale {} to {} of {}; "
                    "correct it, or the rubric's scale",
                    row.sample.id, row.line, label, rubric.scale.lo, rubric.scale.hi, rubric.id));
  }
  for (const Input& input : rubric.inputs) {
    if (input.required && field_text(row.sample, input.field).empty()) {
      throw ConfigError(fmt::format(
          "labelled row {} (line {}): field \"{}\" is missing; an example of {} must show it",
          row.sample.id, row.line, input.field, rubric.id));
    }
  }
}

std::vector<Candidate> candidates_of(const Rubric& rubric, const std::vector<Row>& labelled,
                                     long seed) {
  std::vector<Candidate> all;
  for (const Row& row : labelled) {
    const double* label = find(row.human, rubric.id);
    if (label == nullptr) continue;
    check_row(rubric, row, *label);
    all.push_back(
        {&row, *label, Hasher().add(static_cast<std::int64_t>(seed)).add(row.sample.id).hex()});
  }
  std::sort(all.begin(), all.end(),
            [](const Candidate& a, const Candidate& b) { return a.order < b.order; });
  return all;
}

double on_scale(const Rubric& rubric, double label) {
  const double steps = std::round((label - rubric.scale.lo) / rubric.step);
  return std::min(rubric.scale.hi, rubric.scale.lo + steps * rubric.step);
}

Candidate take_nearest(std::vector<Candidate>& from, double point) {
  const auto nearest =
      std::min_element(from.begin(), from.end(), [&](const Candidate& a, const Candidate& b) {
        return std::abs(a.label - point) < std::abs(b.label - point);
      });
  Candidate taken = std::move(*nearest);
  from.erase(nearest);
  return taken;
}

}  // namespace

std::vector<RatingExample> choose_examples(const Rubric& rubric, const std::vector<Row>& labelled,
                                           const RateOptions& options) {
  const int shots = options.shots;
  std::vector<Candidate> all = candidates_of(rubric, labelled, options.shots_seed);
  if (static_cast<int>(all.size()) < shots) {
    throw ConfigError(
        fmt::format("few-shot: {} rows with a label for {}, and --shots {} needs as many; give "
                    "more labelled rows or fewer --shots",
                    all.size(), rubric.id, shots));
  }
  const auto [low, high] =
      std::minmax_element(all.begin(), all.end(),
                          [](const Candidate& a, const Candidate& b) { return a.label < b.label; });
  const double lo = low->label;
  const double hi = high->label;
  if (shots > 1 && lo == hi) {
    throw ConfigError(
        fmt::format("few-shot: every row has the label {} for {}: examples must show different "
                    "scores; add rows with other labels, or use --shots 1",
                    lo, rubric.id));
  }
  std::vector<Candidate> taken;
  for (int i = 0; i < shots && !options.shots_random; ++i) {
    taken.push_back(
        take_nearest(all, shots == 1 ? (lo + hi) / 2 : lo + (hi - lo) * i / (shots - 1)));
  }
  if (options.shots_random)
    taken.assign(all.begin(), all.begin() + shots);  // they stand in the order of the seed
  // Not from low to high: the judge would learn the order too.
  std::sort(taken.begin(), taken.end(),
            [](const Candidate& a, const Candidate& b) { return a.order < b.order; });
  std::vector<RatingExample> examples;
  for (const Candidate& c : taken) {
    examples.push_back({c.row->sample.id, c.label, on_scale(rubric, c.label), c.row->sample});
  }
  return examples;
}

}  // namespace assay
