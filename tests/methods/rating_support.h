#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "assay/error.h"
#include "methods/rating.h"
#include "methods/rating_prepare.h"
#include "methods/registry.h"
#include "rubric/library.h"

// What the tests of the rating methods share: a small language for rows, verdicts and methods.

namespace assay::rating_test {

inline const RubricLibrary& library() {
  static const RubricLibrary loaded = RubricLibrary::load("");
  return loaded;
}

inline const Rubric& coherence() { return library().get("summarization", "coherence"); }

inline Sample sample(std::string output = "Ann won. She cried.") {
  Sample s;
  s.id = "r1";
  s.fields.source = "Ann won the race in Oslo.";
  s.fields.output = std::move(output);
  return s;
}

inline Row labelled(std::string id, double label, std::string output = "") {
  Row row;
  row.sample = sample(output.empty() ? "Text of " + id + "." : std::move(output));
  row.sample.id = std::move(id);
  row.human = {{"coherence", label}};
  return row;
}

inline Verdict ok(Value value, std::string raw = {}) {
  Verdict verdict;
  verdict.value = std::move(value);
  verdict.raw = std::move(raw);
  return verdict;
}
inline Verdict rated(double n, std::string raw = {}) { return ok({n}, std::move(raw)); }
inline Verdict text(std::string said) { return ok({said}, said); }

inline Verdict failed(Status status, std::string raw = {}) {
  Verdict verdict;
  verdict.status = status;
  verdict.raw = std::move(raw);
  verdict.problem = "told so";
  return verdict;
}

inline MethodContext context(RateOptions options = {}, bool probabilities = true) {
  Capabilities judge;
  judge.probabilities = probabilities;
  MethodContext made{library(), "summarization", "coherence", judge, {}, std::nullopt};
  made.options.rating = std::move(options);
  return made;
}

// The method with its preparation answered: `said` are the texts of its rounds, in order.
inline std::unique_ptr<RowMethod> method(const std::string& name, RateOptions options = {},
                                         const std::vector<std::string>& said = {},
                                         std::vector<Row> rows = {}) {
  MethodContext made = context(std::move(options));
  if (const auto preparation = make_preparation(name, made)) {
    Transcript transcript;
    for (const std::string& reply : said) transcript.push_back({text(reply)});
    const PrepareStep step =
        preparation->next({"summarization", "coherence", std::move(rows), {}}, transcript);
    made.artefact = std::get<Artefact>(step);
  }
  return make_method(name, made);
}

inline RateOptions with_probs(const char* probs) {
  RateOptions options;
  options.probs = ProbSource::parse(probs);
  return options;
}

inline const Ask& asked(const Step& step) { return std::get<Ask>(step); }
inline const Score& scored(const Step& step) { return std::get<Score>(step); }
inline std::string prompt_of(const Question& question) {
  std::string all;
  for (const Message& message : messages_of(question)) all += message.text + "\n---\n";
  return all;
}

inline void expect_score(const Score& score, double value) {
  ASSERT_TRUE(score.score.has_value()) << score.reason;
  EXPECT_DOUBLE_EQ(*score.score, value);
  EXPECT_DOUBLE_EQ(*recompute(score.evidence), value);
  EXPECT_EQ(score.scale, (Scale{1, 5}));
}

// Unscored, with the reason and the reply kept, and nothing to recompute.
inline void expect_unscored(const Score& score, const std::string& reason) {
  EXPECT_FALSE(score.score.has_value());
  EXPECT_NE(score.reason.find(reason), std::string::npos) << score.reason;
  EXPECT_FALSE(recompute(score.evidence).has_value());
}

inline std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace assay::rating_test
