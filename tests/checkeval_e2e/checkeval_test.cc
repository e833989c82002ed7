// CheckEval through the real binary: the server answers "no" to question n where the text holds
// BAD-Qn, and says nothing of it where it holds SKIP-Qn. A list of six questions makes every score
// easy to work out.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "assay/evidence.h"
#include "fake_server/process.h"
#include "meta/run_assay.h"
#include "report/json.h"

namespace assay::test {
namespace {

const char* const kList = R"(task: summarization
dimension: fluency
version: 1
sub_dimensions:
  - id: form
    name: Form
    questions:
      - {id: a1, text: "Is every sentence complete?", origin: seed}
      - {id: a2, text: "Is every word spelled right?", origin: seed}
      - {id: a3, text: "Is every mark where it belongs?", origin: seed}
  - id: flow
    name: Flow
    questions:
      - {id: b1, text: "Is it easy to read aloud?", origin: seed}
      - {id: b2, text: "Is each sentence of a fitting length?", origin: seed}
      - {id: b3, text: "Is the wording natural?", origin: seed}
)";

struct Case {
  const char* output;
  const char* group;
  std::optional<double> score;
  int calls;
};

TEST(CheckEval, ScoresAreTheHandComputedOnes) {
  const Scratch scratch;
  fake::ServerProcess server({"--mode", "scripted"});
  const std::string list = scratch.file("list.yaml", kList);
  for (const Case& c : {Case{"Fine text.", "subdimension", 1.0, 2},
                        Case{"Fine BAD-Q1 BAD-Q5 text.", "subdimension", 4.0 / 6, 2},
                        Case{"Fine BAD-Q1 BAD-Q5 text.", "dimension", 4.0 / 6, 1},
                        Case{"Fine BAD-Q1 BAD-Q5 text.", "question", 4.0 / 6, 6},
                        Case{"Fine SKIP-Q2 text.", "dimension", std::nullopt, 0}}) {
    const std::string out = scratch.path("out.jsonl");
    const std::string rows = scratch.file(
        "rows.jsonl",
        nlohmann::json({{"id", "r"}, {"source", "A source."}, {"output", c.output}}).dump() + "\n");
    const Outcome outcome =
        run_assay({"eval", rows, "-d", "fluency", "-m", "checkeval", "--checklist", list, "--group",
                   c.group, "--judge", "openai:m", "--base-url", server.url(), "--store", "none",
                   "--quiet", "-o", out});
    ASSERT_EQ(outcome.code, c.score ? 0 : 3) << outcome.err;
    const std::string line = slurp(out);
    const Result result = parse_result(line.substr(0, line.size() - 1), "out.jsonl");
    ASSERT_EQ(result.score.has_value(), c.score.has_value()) << c.output << line;
    if (!c.score) {
      EXPECT_FALSE(result.reason.empty());
      continue;
    }
    EXPECT_NEAR(*result.score, *c.score, 1e-12) << c.output << c.group;
    EXPECT_NEAR(*recompute(result.evidence), *result.score, 1e-12);
    EXPECT_EQ(result.usage.calls, c.calls) << c.group;
  }
}

}  // namespace
}  // namespace assay::test
