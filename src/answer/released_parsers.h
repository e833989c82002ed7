#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// How verbatim replies become a score. `strict` is ours; the others repeat what released code did,
// quirks included, because published numbers depend on it (docs/formats/meta.md).
enum class ReplyRule {
  kStrict,     // the reply is one number and nothing else
  kChiangLee,  // first digit after the last "rating:"
  kGEval,      // a number at the very start; a reply without one counts 0
};

// By name: strict, chiang-lee, geval; nothing on another.
std::optional<ReplyRule> reply_rule_of(std::string_view name);

// The rating in one reply; nothing where the rule finds none.
std::optional<double> rating_in(std::string_view reply, ReplyRule rule);

enum class Unparsed {
  kByRule,  // strict: the row is unscored; chiang-lee: left out of the mean; geval: 0
  kDrop,    // left out of the mean
  kZero,    // counts 0
};

// The mean rating of a row's replies; nothing where no reply counts.
std::optional<double> score_of_replies(const std::vector<std::string>& replies, ReplyRule rule,
                                       Unparsed unparsed = Unparsed::kByRule);

}  // namespace assay
