#include "engine/oracle.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/hash.h"
#include "text/fence.h"
#include "text/token_estimate.h"

namespace assay {
namespace {

constexpr std::int64_t kMadeUp = 10;  // questions or hypotheses in a list that a judge makes up

std::int64_t words_in(std::string_view text) {
  std::int64_t words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    words += !space && !inside ? 1 : 0;
    inside = !space;
  }
  return words;
}

// The words of the texts a question is about.
std::int64_t judged_words(const Question& question) {
  std::int64_t words = 0;
  for (const Message& message : messages_of(question)) {
    for (const std::string& text : fenced_texts(message.text)) words += words_in(text);
  }
  return words;
}

struct Imagine {
  const Question& question;
  Leaning leaning;

  Value operator()(const YesNo&) const { return {leaning == Leaning::kMany}; }
  Value operator()(const Keyed& s) const { return {all(s.ids)}; }
  Value operator()(const Lines& s) const { return {all(s.ids)}; }
  Value operator()(const Weights& s) const {
    Named<double> weights;
    for (const std::string& id : s.ids)
      weights.emplace_back(id, 1.0 / static_cast<double>(s.ids.size()));
    return {weights};
  }
  Value operator()(const Number& s) const { return {leaning == Leaning::kMany ? s.hi : s.lo}; }
  Value operator()(const Rated& s) const { return {leaning == Leaning::kMany ? s.hi : s.lo}; }
  Value operator()(const Choice& s) const {
    return {leaning == Leaning::kMany ? s.options.back() : s.options.front()};
  }
  Value operator()(const Lists& s) const {
    // A fact takes two words at least, so a text has no more facts than half its words. Where no
    // text is judged something is made up; nothing bounds that, and kMadeUp is a guess.
    const std::int64_t words = judged_words(question);
    const auto lists_asked = std::max<std::int64_t>(1, static_cast<std::int64_t>(s.names.size()));
    const std::int64_t many = words == 0 ? kMadeUp : words / 2 / lists_asked + 1;
    // Facts of different texts differ, or the plan would take the questions about them for one.
    std::uint64_t text = 0;
    for (const Message& message : messages_of(question))
      text = text * 31 + quick_hash(message.text);
    Named<std::vector<std::string>> lists;
    for (const std::string& name : s.names) {
      std::vector<std::string> facts(leaning == Leaning::kMany ? static_cast<std::size_t>(many)
                                                               : 0);
      for (std::size_t i = 0; i < facts.size(); ++i)
        facts[i] = words == 0 ? fmt::format("Does the text keep to point {} of {}?", i, name)
                              : fmt::format("fact {} of {}", i, text % 1'000'000);
      lists.emplace_back(name, std::move(facts));
    }
    return {lists};
  }
  Value operator()(const Links& s) const {
    Named<std::vector<std::string>> links;
    for (const std::string& from : s.from) links.emplace_back(from, std::vector<std::string>{});
    return {links};
  }
  Value operator()(const LogLik&) const { return {0.0}; }
  Value operator()(const Text&) const { return {std::string("a text")}; }
  Value operator()(const Record& s) const {
    Named<Value> parts;
    for (const RecordPart& part : s.parts)
      parts.emplace_back(part.name, std::visit(*this, part.spec));
    return {parts};
  }

 private:
  Named<bool> all(const std::vector<std::string>& ids) const {
    Named<bool> answers;
    for (const std::string& id : ids) answers.emplace_back(id, leaning == Leaning::kMany);
    return answers;
  }
};

struct Size {
  const Question& question;

  ReplySize operator()(const YesNo&) const { return {1, 6}; }
  ReplySize operator()(const Keyed& s) const { return per_id(s.ids, 5, 10); }
  ReplySize operator()(const Lines& s) const { return per_id(s.ids, 4, 10); }
  ReplySize operator()(const Weights& s) const { return per_id(s.ids, 6, 12); }
  ReplySize operator()(const Number&) const { return {1, 10}; }
  ReplySize operator()(const Rated&) const { return {3, question.sampling.max_tokens}; }
  ReplySize operator()(const Choice&) const { return {1, 12}; }
  ReplySize operator()(const Lists& s) const {
    const std::int64_t words = judged_words(question);
    const std::int64_t least = per_id(s.names, 5, 5).least;
    if (words == 0) return {least, question.sampling.max_tokens};
    return {least, per_id(s.names, 8, 8).most + words * 3};
  }
  ReplySize operator()(const Links& s) const { return per_id(s.from, 5, 20); }
  ReplySize operator()(const LogLik&) const { return {0, 0}; }
  ReplySize operator()(const Text&) const { return {1, question.sampling.max_tokens}; }
  ReplySize operator()(const Record& s) const {
    ReplySize sum{2, 4};
    for (const RecordPart& part : s.parts) {
      const ReplySize one = std::visit(*this, part.spec);
      sum.least += one.least + 3;
      sum.most += one.most + 6;
    }
    return sum;
  }

 private:
  static ReplySize per_id(const std::vector<std::string>& ids, std::int64_t least,
                          std::int64_t most) {
    const auto n = static_cast<std::int64_t>(ids.size());
    return {2 + n * least, 4 + n * most};
  }
};

}  // namespace

Verdict imagined(const Question& question, Leaning leaning) {
  Verdict verdict;
  verdict.value = std::visit(Imagine{question, leaning}, question.answer);
  if (question.sampling.probabilities) {
    if (const auto* words = std::get_if<YesNo>(&question.answer))
      verdict.probs = {{words->yes, 0.6}, {words->no, 0.4}};
    if (const auto* choice = std::get_if<Choice>(&question.answer)) {
      for (const std::string& option : choice->options)
        verdict.probs.push_back({option, 1.0 / static_cast<double>(choice->options.size())});
    }
    if (const auto* number = std::get_if<Number>(&question.answer)) {
      for (double n = number->lo; n <= number->hi; n += number->step)
        verdict.probs.push_back({std::to_string(static_cast<int>(n)), 0.1});
    }
  }
  return verdict;
}

ReplySize reply_size(const Question& question) {
  ReplySize size = std::visit(Size{question}, question.answer);
  size.most =
      std::min<std::int64_t>(std::max(size.most, size.least),
                             std::max<std::int64_t>(question.sampling.max_tokens, size.least));
  return size;
}

}  // namespace assay
