#include "core/content_key.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/hash.h"

namespace assay {
namespace {

constexpr const char* kKeyVersion = "assay-key-1";

struct Describe {
  std::string operator()(const YesNo& s) const {
    return fmt::format("yes-no({:?},{:?})", s.yes, s.no);
  }
  std::string operator()(const Keyed& s) const {
    return fmt::format("keyed({:?})", fmt::join(s.ids, ","));
  }
  std::string operator()(const Weights& s) const {
    return fmt::format("weights({:?})", fmt::join(s.ids, ","));
  }
  std::string operator()(const Number& s) const {
    return fmt::format("number({},{},{})", s.lo, s.hi, s.step);
  }
  std::string operator()(const Choice& s) const {
    return fmt::format("choice({:?})", fmt::join(s.options, ","));
  }
  std::string operator()(const Lists& s) const {
    return fmt::format("lists({:?})", fmt::join(s.names, ","));
  }
  std::string operator()(const Links& s) const {
    return fmt::format("links({:?};{:?})", fmt::join(s.from, ","), fmt::join(s.to, ","));
  }
  std::string operator()(const LogLik& s) const {
    return fmt::format("log-likelihood({:?})", s.text);
  }
  std::string operator()(const Text&) const { return "text"; }
  std::string operator()(const Rated& s) const {
    return fmt::format("rated({:?},{},{},{})", s.label, s.lo, s.hi, s.step);
  }
  std::string operator()(const Lines& s) const {
    return fmt::format("lines({:?})", fmt::join(s.ids, ","));
  }
  std::string operator()(const Record& s) const {
    std::string parts;
    for (const RecordPart& part : s.parts)
      parts += fmt::format("{:?}={};", part.name, describe(part.spec));
    return "record(" + parts + ")";
  }
};

}  // namespace

std::string describe(const AnswerSpec& spec) { return std::visit(Describe{}, spec); }

std::string content_key(const std::string& identity, const Request& request) {
  Hasher hasher;
  hasher.add(kKeyVersion).add(identity);
  hasher.add(static_cast<std::int64_t>(request.messages.size()));
  for (const Message& message : request.messages) {
    hasher.add(static_cast<std::int64_t>(message.role)).add(message.text);
  }
  const Sampling& sampling = request.sampling;
  hasher.add(describe(request.answer)).add(sampling.temperature).add(sampling.top_p);
  hasher.add(static_cast<std::int64_t>(sampling.max_tokens))
      .add(static_cast<std::int64_t>(sampling.seed));
  hasher.add(static_cast<std::int64_t>(sampling.probabilities));
  hasher.add(static_cast<std::int64_t>(request.draw))
      .add(static_cast<std::int64_t>(request.attempt));
  return hasher.hex();
}

bool draws_of_one_question(const Request& a, const Request& b) {
  return a.sampling.temperature > 0 && a.draw != b.draw && a.attempt == b.attempt &&
         a.sampling == b.sampling && a.stage == b.stage && a.messages == b.messages &&
         describe(a.answer) == describe(b.answer);
}

}  // namespace assay
