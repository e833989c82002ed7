// HypoEval's scoring as a table of transcripts, and the bank file it scores with.

#include "methods/hypoeval.h"

#include <gtest/gtest.h>

#include <random>

#include "assay/error.h"
#include "hypo_world.h"
#include "text/utf8.h"

namespace assay::test {
namespace {

Bank bank(std::vector<long> seeds = {42}) {
  Bank b;
  b.task = "summarization";
  b.dimension = "coherence";
  b.rubric = "abc";
  b.judges = {{"judge", "openai:m"}};
  b.options = {{"labels", "30"}};
  b.literature = {"paper.md"};
  b.origin = "bank.yaml";
  for (const long seed : seeds) {
    LearnedBank learned{seed, {"seen-1", "7"}, {}, {}};
    for (int i = 1; i <= 7; ++i) {
      learned.hypotheses.push_back(
          {fmt::format("h{}", i), "initial",
           fmt::format("Trait {} of seed {}.\nScore 1: bad.\nScore 5: good.", i, seed), 0.9, 30,
           0.1 * i, i > 1, i > 2});
    }
    b.seeds.push_back(std::move(learned));
  }
  return b;
}

HypoEval method(HypoEvalOptions options = {}, std::vector<Bank> banks = {bank()}) {
  return HypoEval(library().get("summarization", "coherence"), shipped_prompt, options,
                  std::move(banks));
}

Sample sample(std::string id = "r1") {
  Sample s;
  s.id = std::move(id);
  s.fields.source = "Ann won the race.";
  s.fields.output = "Ann won.";
  return s;
}

// 1 to 5: that score; u: unreadable; r: refused; t: no answer.
Round answers(const std::string& marks) {
  Round round;
  for (const char mark : marks) {
    Verdict verdict;
    verdict.raw = fmt::format("reply {}", mark);
    if (mark >= '1' && mark <= '5') verdict.value = {static_cast<double>(mark - '0')};
    if (mark == 'u') verdict.status = Status::kUnparsable;
    if (mark == 'r') verdict.status = Status::kRefused;
    if (mark == 't') verdict.status = Status::kTransport;
    round.push_back(std::move(verdict));
  }
  return round;
}

TEST(HypoEval, AsksOneScoreWithReasonsPerSelectedHypothesis) {
  const Ask ask = std::get<Ask>(method().next(sample(), {}));
  ASSERT_EQ(ask.questions.size(), 5U);
  for (const Question& question : ask.questions) {
    const Rated& rated = std::get<Rated>(question.answer);
    EXPECT_EQ(rated.label, "Final score");
    EXPECT_EQ(rated.lo, 1);
    EXPECT_EQ(rated.hi, 5);
    EXPECT_EQ(question.shared, ask.questions[0].shared);  // the row's texts are read once
    EXPECT_NE(question.shared.back().text.find("Ann won the race."), std::string::npos);
    EXPECT_EQ(question.role, "judge");
  }
  EXPECT_NE(ask.questions[0].tail.find("Trait 3 of seed 42."), std::string::npos);
  EXPECT_EQ(ask.questions[4].label, "bank 1 seed 42/h7");
}

TEST(HypoEval, ScoresAreTheHandComputedOnes) {
  struct Case {
    const char* marks;
    std::optional<double> score;
    const char* reason;
  };
  const Case cases[] = {
      {"44354", 4.0, ""},
      {"11111", 1.0, ""},
      {"5u5r4", 14.0 / 3, ""},  // left out, never averaged in as -1 or 0
      {"uuuu2", 2.0, ""},
      {"uruuu", std::nullopt, "no hypothesis gave a score"},
      {"444t4", std::nullopt, "no answer came"},
  };
  for (const Case& c : cases) {
    const Score score = std::get<Score>(method().next(sample(), {answers(c.marks)}));
    EXPECT_EQ(score.score.has_value(), c.score.has_value()) << c.marks;
    EXPECT_EQ(score.scale, (Scale{1, 5}));
    EXPECT_NE(score.reason.find(c.reason), std::string::npos) << score.reason;
    EXPECT_EQ(recompute(score.evidence), score.score) << c.marks;
    if (c.score) {
      EXPECT_NEAR(*score.score, *c.score, 1e-12) << c.marks;
      ASSERT_EQ(score.evidence.children.size(), 5U);
      for (std::size_t i = 0; i < 5; ++i) {
        const Evidence& leaf = score.evidence.children[i];
        const bool read = c.marks[i] >= '1' && c.marks[i] <= '5';
        EXPECT_EQ(leaf.value.has_value(), read);
        EXPECT_NE(leaf.note.find(read ? "Trait" : "left out of the mean"), std::string::npos)
            << leaf.note;
      }
    }
  }
}

TEST(HypoEval, SeedsAndBanksAreAveraged) {
  const HypoEval two = method({}, {bank({42, 2})});
  ASSERT_EQ(std::get<Ask>(two.next(sample(), {})).questions.size(), 10U);
  const Score score = std::get<Score>(two.next(sample(), {answers("1111155555")}));
  EXPECT_NEAR(*score.score, 3, 1e-12);
  ASSERT_EQ(score.evidence.children.size(), 2U);
  EXPECT_EQ(score.evidence.children[1].label, "bank 1 seed 2");
  EXPECT_NEAR(*recompute(score.evidence), 3, 1e-12);
  // One of the two says nothing that can be read: the other stands for both.
  EXPECT_NEAR(*std::get<Score>(two.next(sample(), {answers("uuuuu55554")})).score, 4.8, 1e-12);
  EXPECT_NEAR(
      *std::get<Score>(method({}, {bank({42}), bank({7})}).next(sample(), {answers("2222244444")}))
           .score,
      3, 1e-12);
}

TEST(HypoEval, JoinedAsksOneCriterion) {
  HypoEvalOptions options;
  options.joined = true;
  const HypoEval joined = method(options);
  const Ask ask = std::get<Ask>(joined.next(sample(), {}));
  ASSERT_EQ(ask.questions.size(), 1U);
  for (const char* trait : {"1. Trait 3", "5. Trait 7"})
    EXPECT_NE(ask.questions[0].tail.find(trait), std::string::npos);
  EXPECT_EQ(ask.questions[0].tail.find("Trait 2 "), std::string::npos);
  EXPECT_EQ(*std::get<Score>(joined.next(sample(), {answers("4")})).score, 4);
  EXPECT_NE(joined.settings(), method().settings());
}

TEST(HypoEval, SaysWhenTheBankKnowsTheRow) {
  EXPECT_TRUE(method().seen("seen-1"));
  EXPECT_TRUE(method().seen("7"));
  EXPECT_FALSE(method().seen("r1"));
  EXPECT_EQ(std::get<Score>(method().next(sample("7"), {answers("11111")})).evidence.note,
            "the bank was learned from this row");
  EXPECT_EQ(std::get<Score>(method().next(sample(), {answers("11111")})).evidence.note, "");
}

TEST(HypoEval, NeedsAJudgeThatWrites) {
  EXPECT_TRUE(method().needs().generation);
  EXPECT_TRUE(method().needs().grades);
}

TEST(HypoEval, WhatChangesScoresChangesTheSettings) {
  Bank edited = bank();
  edited.seeds[0].hypotheses[6].text += " More.";
  EXPECT_NE(method({}, {edited}).settings(), method().settings());
  Bank noted = bank();
  noted.seeds[0].notes = {"a note"};
  EXPECT_EQ(method({}, {noted}).settings(), method().settings());
}

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  return "not refused";
}

TEST(HypoEval, ABankForSomethingElseIsRefused) {
  Bank other = bank();
  other.dimension = "fluency";
  EXPECT_EQ(refusal([&] { method({}, {other}); }),
            "bank.yaml: this bank is for summarization/fluency, not for summarization/coherence");
  other = bank();
  other.task = "dialogue";
  EXPECT_NE(refusal([&] { method({}, {other}); }).find("dialogue/coherence"), std::string::npos);
  other = bank();
  other.scale = {0, 1};
  EXPECT_NE(refusal([&] { method({}, {other}); }).find("from 0 to 1"), std::string::npos);
  EXPECT_NE(refusal([&] { method({}, {}); }).find("--bank FILE"), std::string::npos);
  EXPECT_NE(refusal([&] {
              banks_for({"/nowhere/bank.yaml"}, "summarization", "coherence");
            }).find("/nowhere/bank.yaml"),
            std::string::npos);
}

// --- the bank file ---

TEST(BankFile, ReadsBackWhatItWrote) {
  Bank written = bank({42, 2, 114514});
  written.seeds[1].notes = {"it's a \"note\": [with] {marks} # all of it"};
  written.seeds[2].hypotheses[0].reward.reset();
  written.seeds[2].hypotheses[0].pearson.reset();
  written.records = {"record: 1\ncalls: []\n", "record: 1\n"};
  const std::string text = write_bank(written);
  const Bank read = parse_bank(text, "b.yaml");
  EXPECT_EQ(write_bank(read), text);
  EXPECT_EQ(read.hash(), written.hash());
  EXPECT_EQ(read.records, written.records);
  EXPECT_EQ(read.seeds[2].seed, 114514);
  EXPECT_EQ(read.seeds[1].notes, written.seeds[1].notes);
  EXPECT_FALSE(read.seeds[2].hypotheses[0].reward.has_value());
  EXPECT_EQ(read.seeds[0].hypotheses[3].text, written.seeds[0].hypotheses[3].text);
}

TEST(BankFile, AnyTextSurvives) {
  std::mt19937 random(7);
  const std::vector<std::string> pieces = {
      "a",  " ",  "\n", "\t",    "---", "\n---\n", "#",    ": ",          "- ",
      "\"", "'",  "\\", "{{x}}", "|-",  "é",       "漢",   "\x01",        "\r",
      "%",  "&a", "*a", "!t",    "~",   "null",    "\n  ", "\xe2\x80\xa8"};
  for (int round = 0; round < 400; ++round) {
    std::string text = "x";
    for (int i = static_cast<int>(random() % 12); i > 0; --i)
      text += pieces[random() % pieces.size()];
    text += "x";
    Bank b = bank();
    b.seeds[0].hypotheses[2].text = text;
    b.seeds[0].seen[0] = text;
    const Bank read = parse_bank(write_bank(b), "b.yaml");
    ASSERT_EQ(read.seeds[0].hypotheses[2].text, text);
    ASSERT_EQ(read.seeds[0].seen[0], text);
  }
}

TEST(BankFile, ProblemsAreNamedWithTheirLine) {
  const std::string good = write_bank(bank());
  struct Case {
    const char* from;
    const char* to;
    const char* says;
  };
  const Case cases[] = {
      {"bank: 1", "bank: 2", "b.yaml:3: format 2 is not known; this program reads format 1"},
      {"bank: 1", "rubric_file: 1", "not a hypothesis bank: the key \"bank\" is missing"},
      {"task: \"summarization\"\n", "", "\"task\" is missing"},
      {"scale: {from: 1, to: 5}", "scale: {from: 5, to: 1}",
       "\"scale\" must go from a lower to a higher number"},
      {"scale: {from: 1, to: 5}", "scale: [1, 5]", "\"scale\" must be a map of keys, not a list"},
      {"- id: h2", "- id: h1", "two hypotheses of seed 42 are named \"h1\""},
      {"origin: initial", "origin: intial", "did you mean \"initial\"?"},
      {"rubric: \"abc\"", "rubic: \"abc\"",
       "key \"rubic\" is not known here; did you mean \"rubric\"?"},
      {"  - seed: 42", "  - seed: many",
       "\"seed\" of entry 1 of seeds must be a number, not \"many\""},
  };
  for (const Case& c : cases) {
    std::string text = good;
    const std::size_t at = text.find(c.from);
    ASSERT_NE(at, std::string::npos) << c.from;
    text.replace(at, std::string(c.from).size(), c.to);
    const std::string said = refusal([&] { parse_bank(text, "b.yaml"); });
    EXPECT_NE(said.find(c.says), std::string::npos) << said;
    EXPECT_EQ(said.find("b.yaml:"), 0U) << said;
  }
  std::string none = good;
  for (std::size_t at; (at = none.find("        selected: true\n")) != std::string::npos;)
    none.erase(at, 23);
  EXPECT_NE(
      refusal([&] { parse_bank(none, "b.yaml"); }).find("no hypothesis of seed 42 is selected"),
      std::string::npos);
  EXPECT_NE(refusal([&] { parse_bank("", "b.yaml"); }).find("the file is empty"),
            std::string::npos);
}

// Mutated files are read or refused in one line; nothing else happens.
TEST(BankFile, MutationsAreReadOrRefused) {
  const std::string good = write_bank(bank());
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::string text = good;
    for (int i = 1 + static_cast<int>(random() % 4); i > 0; --i) {
      const std::size_t at = random() % text.size();
      const int kind = static_cast<int>(random() % 3);
      if (kind == 0) text[at] = static_cast<char>(random() % 256);
      if (kind == 1) text.erase(at, random() % 20);
      if (kind == 2) text.insert(at, text.substr(random() % text.size(), random() % 20));
      if (text.empty()) text = "x";
    }
    try {
      const Bank read = parse_bank(text, "b.yaml");
      EXPECT_FALSE(read.seeds.empty());
    } catch (const ConfigError& error) {
      EXPECT_EQ(std::string(error.what()).find("b.yaml"), 0U) << error.what();
    }
  }
}

}  // namespace
}  // namespace assay::test
