// P(yes) against P(no), P(A) against P(B): read from log-probabilities, from draws, or from one
// answer. Only the two options count: what a judge gives to other words is left out of the sum, as
// in DecompEval's score. Tested in tests/methods (decompeval_test.cc, pairs_test.cc).
#include "methods/two_options.h"

#include <fmt/core.h>

#include <charconv>

#include "assay/error.h"
#include "methods/failure.h"

namespace assay {
namespace {

double p_of(const Verdict& verdict, std::string_view option) {
  double p = 0;
  for (const OptionProb& candidate : verdict.probs) {
    if (candidate.option == option) p += candidate.p;
  }
  return p;
}

bool says_first(const Verdict& verdict, std::string_view first) {
  if (const bool* yes = verdict.value.as<bool>()) return *yes;
  const std::string* choice = verdict.value.as<std::string>();
  return choice != nullptr && *choice == first;
}

TwoWay failed(const Verdict& verdict) {
  TwoWay out;
  out.problem = failure_of("answer", verdict);
  out.undecided = verdict.status != Status::kTransport;
  out.raw = verdict.raw;
  return out;
}

TwoWay by_probabilities(const Verdict& verdict, std::string_view first, std::string_view second) {
  TwoWay out;
  const double p1 = p_of(verdict, first);
  const double p2 = p_of(verdict, second);
  if (p1 + p2 > 0) {
    out.p = p1 / (p1 + p2);
    out.first = p1 > p2;
    return out;
  }
  out.raw = verdict.raw;
  out.undecided = !verdict.probs.empty();
  out.problem =
      out.undecided
          ? fmt::format("neither \"{}\" nor \"{}\" is a likely answer", first, second)
          : "the judge gave no probabilities with its answer; --probs sample:20 does without them";
  return out;
}

TwoWay by_share(std::span<const Verdict> draws, std::string_view first) {
  int read = 0;
  int firsts = 0;
  const Verdict* unreadable = nullptr;
  for (const Verdict& draw : draws) {
    if (draw.status == Status::kTransport) return failed(draw);
    if (draw.status != Status::kOk) {
      unreadable = &draw;
      continue;
    }
    ++read;
    firsts += says_first(draw, first) ? 1 : 0;
  }
  if (read == 0) return failed(*unreadable);
  TwoWay out;
  out.p = static_cast<double>(firsts) / read;
  out.first = 2 * firsts > read;
  if (unreadable != nullptr) {
    out.note = fmt::format("{} of {} draws unreadable and left out",
                           draws.size() - static_cast<std::size_t>(read), draws.size());
  }
  return out;
}

}  // namespace

std::string ProbSource::describe() const {
  if (kind == Kind::kSample) return fmt::format("sample:{}", samples);
  return kind == Kind::kSingle ? "none" : "logprobs";
}

ProbSource ProbSource::parse(std::string_view text) {
  constexpr std::string_view kSampled = "sample:";
  constexpr int kMost = 1000;
  if (text == "logprobs") return {};
  if (text == "none") return {Kind::kSingle, 1};
  if (text.starts_with(kSampled)) {
    ProbSource source{Kind::kSample, 0};
    const std::string_view n = text.substr(kSampled.size());
    const auto [end, error] = std::from_chars(n.data(), n.data() + n.size(), source.samples);
    if (error == std::errc() && end == n.data() + n.size() && source.samples >= 1 &&
        source.samples <= kMost)
      return source;
  }
  throw ConfigError(fmt::format(
      "--probs {}: expected logprobs, none, or sample:N with N from 1 to {}", text, kMost));
}

std::vector<Question> drawn(Question question, const ProbSource& source) {
  question.sampling.probabilities = source.kind == ProbSource::Kind::kLogprobs;
  if (source.kind != ProbSource::Kind::kSample) return {std::move(question)};
  question.sampling.temperature = 1;
  std::vector<Question> all(static_cast<std::size_t>(source.samples), question);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].draw = static_cast<int>(i);
  return all;
}

TwoWay two_way(std::span<const Verdict> draws, const ProbSource& source, std::string_view first,
               std::string_view second) {
  if (source.kind != ProbSource::Kind::kLogprobs) return by_share(draws, first);
  if (draws.front().status != Status::kOk) return failed(draws.front());
  return by_probabilities(draws.front(), first, second);
}

}  // namespace assay
