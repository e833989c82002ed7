#include "methods/failure.h"

#include <fmt/core.h>

#include "text/utf8.h"

namespace assay {
namespace {

const char* how(Status status) {
  switch (status) {
    case Status::kUnparsable:
      return "no readable answer";
    case Status::kRefused:
      return "the judge refused";
    case Status::kTransport:
      return "no answer came";
    case Status::kOk:
      break;
  }
  return "not usable";
}

}  // namespace

std::string failure_of(std::string_view label, const Verdict& verdict) {
  return fmt::format("{}: {}{}{}", label, how(verdict.status), verdict.problem.empty() ? "" : ": ",
                     verdict.problem);
}

Score unscored(std::string dimension, std::string reason) {
  Score score;
  score.reason = std::move(reason);
  score.evidence.label = std::move(dimension);
  return score;
}

Score unscored(std::string dimension, std::string_view label, const Verdict& verdict) {
  // The ledger has the whole reply; a results line stays readable.
  constexpr std::size_t kShown = 2000;
  Score score = unscored(std::move(dimension), failure_of(label, verdict));
  Evidence failed;
  failed.label = label;
  failed.note = verdict.raw.empty() ? verdict.problem : "reply: " + ellipsize(verdict.raw, kShown);
  score.evidence.op = Op::kMean;
  score.evidence.children.push_back(std::move(failed));
  return score;
}

}  // namespace assay
