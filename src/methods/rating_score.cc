// How a rating becomes a score. Three ways, one tree each:
//   single    a leaf
//   logprobs  expected: a leaf for every point of the scale, weighted with the probability of its
//   first token sample:N  expected: a leaf for every rating that occurred, weighted with how often
//   it did
// Weights of samples are counts, not shares: the sum over small integers is exact, so means that
// are equal on paper are equal numbers, and equal to those `assay meta --parser` computes from
// recorded replies. Tested in tests/methods/rating_test.cc.

#include "methods/rating_score.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "methods/failure.h"
#include "text/utf8.h"

namespace assay {
namespace {

struct Reading {
  std::optional<double> value;
  std::string problem;  // why there is none
};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The first number that follows the label in a reply.
std::optional<double> first_after(std::string_view reply, std::string_view label) {
  const auto same = [](char a, char b) { return lower(a) == lower(b); };
  for (auto at = reply.begin();; ++at) {
    at = std::search(at, reply.end(), label.begin(), label.end(), same);
    if (at == reply.end()) return std::nullopt;
    std::string_view rest =
        reply.substr(static_cast<std::size_t>(at - reply.begin()) + label.size());
    while (!rest.empty() && std::string_view(" \t\r\n*_#[](){}\"'`:=<>").find(rest.front()) !=
                                std::string_view::npos)
      rest.remove_prefix(1);
    double n = 0;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), n).ec == std::errc()) return n;
  }
}

// The rating of one answer. Where it stands before its explanation, a second and different one
// makes the reply ambiguous: it may be quoted from the judged text, and the last one must not win.
Reading read(const RatingSetup& setup, const Verdict& verdict) {
  if (verdict.status != Status::kOk) return {{}, failure_of("rating", verdict)};
  if (setup.options.rule) {
    const std::optional<double> value = setup.options.rule(verdict.raw);
    return {value, value ? ""
                         : fmt::format("rating: the rule {} finds no number in the reply",
                                       setup.options.parser)};
  }
  const double value = *verdict.value.as<double>();
  if (setup.kind.form == RatingKind::Form::kLineFirst) {
    const std::optional<double> first = first_after(verdict.raw, setup.kind.label);
    if (first && *first != value)
      return {{}, fmt::format("rating: the reply gives {} first and {} later", *first, value)};
  }
  return {value, {}};
}

Score failed(const RatingSetup& setup, const Verdict& verdict, std::string reason) {
  Score score = unscored(setup.rubric.id, "rating", verdict);
  score.reason = std::move(reason);
  score.scale = setup.rubric.scale;
  return score;
}

Score scored(const RatingSetup& setup, Evidence evidence) {
  Score score;
  score.evidence = std::move(evidence);
  score.score = score.evidence.value;
  score.scale = setup.rubric.scale;
  return score;
}

bool speaks(RatingKind::Form form) {
  return form == RatingKind::Form::kLineFirst || form == RatingKind::Form::kLineLast;
}

// A released rule may read a number the scale does not have; that is what it does, and it is said.
std::string off_scale(const RatingSetup& setup, double value) {
  const Scale& scale = setup.rubric.scale;
  if (value >= scale.lo && value <= scale.hi) return {};
  return fmt::format("{} is outside the scale: so reads the rule {}", value, setup.options.parser);
}

}  // namespace

Score single_rating(const RatingSetup& setup, const Verdict& verdict) {
  constexpr std::size_t kShown = 2000;  // the ledger has the whole reply
  const Reading reading = read(setup, verdict);
  if (!reading.value) return failed(setup, verdict, reading.problem);
  std::string note = off_scale(setup, *reading.value);
  if (note.empty() && speaks(setup.kind.form)) note = ellipsize(verdict.raw, kShown);
  return scored(setup, leaf(setup.rubric.id, *reading.value, 1, std::move(note)));
}

Score expected_rating(const RatingSetup& setup, const Verdict& verdict) {
  if (verdict.status != Status::kOk) return failed(setup, verdict, failure_of("rating", verdict));
  std::vector<Evidence> points;
  for (const OptionProb& prob : verdict.probs) {
    double value = 0;
    const char* end = prob.option.data() + prob.option.size();
    if (prob.p <= 0 || std::from_chars(prob.option.data(), end, value).ptr != end) continue;
    points.push_back(leaf(prob.option, value, prob.p));
  }
  if (points.empty()) {
    return failed(setup, verdict,
                  "rating: the reply carries no probabilities of the scale's points; use --probs "
                  "sample:20 or --probs none");
  }
  return scored(setup, node(setup.rubric.id, Op::kExpected, std::move(points)));
}

Score sampled_rating(const RatingSetup& setup, const Round& round) {
  std::map<double, int> counts;
  const Verdict* unread = nullptr;
  std::string problem;
  std::size_t left_out = 0;
  for (const Verdict& verdict : round) {
    // What did not arrive is asked again by the next run; a mean without it would change then.
    if (verdict.status == Status::kTransport)
      return failed(setup, verdict, failure_of("rating", verdict));
    const Reading reading = read(setup, verdict);
    if (reading.value) {
      ++counts[*reading.value];
    } else if (left_out++ == 0) {
      unread = &verdict;
      problem = reading.problem;
    }
  }
  if (counts.empty())
    return failed(
        setup, *unread,
        fmt::format("none of {} samples can be read; the first: {}", round.size(), problem));
  std::vector<Evidence> ratings;
  for (const auto& [value, count] : counts)
    ratings.push_back(leaf(fmt::format("{}", value), value, count, off_scale(setup, value)));
  Evidence evidence = node(setup.rubric.id, Op::kExpected, std::move(ratings));
  if (left_out > 0)
    evidence.note =
        fmt::format("{} of {} samples left out; the first: {}", left_out, round.size(), problem);
  return scored(setup, std::move(evidence));
}

}  // namespace assay
