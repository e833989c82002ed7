#include "report/terminal.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "report/display.h"
#include "report/fixtures.h"

namespace assay {
namespace {

using testing::bridge_result;
using testing::bridge_sample;
using ::testing::HasSubstr;
using ::testing::Not;

std::string page(const std::vector<std::pair<Sample, Result>>& results, TerminalOptions options) {
  std::ostringstream out;
  TerminalReporter reporter(out, std::move(options));
  for (const auto& [sample, result] : results) reporter.add(sample, result);
  reporter.finish();
  return out.str();
}

std::vector<std::pair<Sample, Result>> example() {
  std::vector<std::pair<Sample, Result>> results = {{bridge_sample(), bridge_result()}};
  Result fluent = bridge_result();
  fluent.dimension = "fluency";
  fluent.score = 1;
  fluent.evidence.value = 1;
  fluent.evidence.children[1] = testing::unit("units/2", 29, 85, 1, "");
  results.emplace_back(bridge_sample(), fluent);

  Sample chat{"chat-02", "chat", "model-b", {}};
  chat.fields.output = "Yes, I like it too.";
  Result generic = bridge_result();
  generic.id = "chat-02";
  generic.group = "chat";
  generic.system = "model-b";
  generic.dimension = "engagingness";
  generic.score = 0.25;
  generic.deviation = 0.05;
  Evidence unit;
  unit.label = "units/1";
  unit.op = Op::kWeighted;
  unit.span = Span{"output", 0, 19};
  unit.children = {leaf("interest", 0, 0.5, "says nothing that could not follow any other turn"),
                   leaf("initiative", 0.25, 0.25), leaf("personalisation", 0.6, 0.15),
                   leaf("emotional-resonance", 1, 0.1)};
  generic.evidence.children = {unit};
  generic.evidence.value = generic.evidence.children[0].value = 0.25;
  for (Evidence& sub : generic.evidence.children[0].children) sub.span.reset();
  results.emplace_back(chat, generic);

  Result lost = generic;
  lost.dimension = "groundedness";
  lost.score.reset();
  lost.deviation.reset();
  lost.reason =
      "the reply could not be read after 2 repairs: <html><body>502 Bad Gateway</body></html>";
  lost.evidence = {};
  results.emplace_back(chat, lost);
  return results;
}

// Scores are named by what differs: the dimension, and the method and judge where there are
// several.
TEST(Terminal, SeveralMethodsAndJudgesAreToldApart) {
  std::vector<std::pair<Sample, Result>> results;
  for (const char* method : {"seal", "direct"}) {
    for (const char* judge : {"openai:a-model-with-a-long-name", "openai:b", "jury(...)"}) {
      Result result = bridge_result();
      result.method = method;
      result.judge = judge;
      result.judge_kind = judge[0] == 'j' ? "jury" : "language model";
      results.emplace_back(bridge_sample(), result);
    }
  }
  const std::string text = page(results, {.width = 100});
  for (const char* name :
       {"coherence · seal · openai:a-model-with-a-long-name ", "coherence · seal · openai:b ",
        "coherence · direct · openai:b ", "coherence · direct · jury "})
    EXPECT_THAT(text, HasSubstr(name));
  results.resize(1);
  EXPECT_THAT(page(results, {.width = 100}), HasSubstr("  coherence  0."));
}

TEST(Terminal, PlainPage) {
  const std::string text =
      page(example(), {.caveats = {"The built-in judge compares words. It cannot tell a good "
                                   "argument from a bad one with the same words."}});
  EXPECT_EQ(text,
            R"(chat-02 · model-b
  engagingness  0.25 ± 0.05
        “Yes, I like it too.”
        ✗ interest — says nothing that could not follow any other turn
        ✗ initiative 0.25
        ~ personalisation 0.60
  groundedness  unscored  the reply could not be read after 2 repairs: <html><b…

news-07 · lead-3
  coherence     0.50         1 of 2 units weak
        “The mayor cut the ribbon. Bananas are rich in potassium.”
        ✗ logical continuity — the sentences share no name and no word
  fluency       1.00

seal  judged by builtin — lexical baseline, not an LLM
  system   dimension       rows    mean  95 % interval  unscored
  lead-3   coherence          1   0.500  –                     0
           fluency            1   1.000  –                     0
  model-b  engagingness       1   0.250  –                     0
           groundedness       0       –  –                     1
  all      coherence          1   0.500  –                     0
           fluency            1   1.000  –                     0
           engagingness       1   0.250  –                     0
           groundedness       0       –  –                     1

The built-in judge compares words. It cannot tell a good argument from a bad one
with the same words.
)");
}

TEST(Terminal, ColourAndBarsOnlyWhenAsked) {
  const std::string plain = page(example(), {});
  EXPECT_THAT(plain, Not(HasSubstr("\x1b")));
  EXPECT_THAT(plain, Not(HasSubstr("█")));
  const std::string bars = page(example(), {.bars = true});
  EXPECT_THAT(bars, Not(HasSubstr("\x1b")));
  EXPECT_THAT(bars,
              HasSubstr("coherence     0.50         ██████████··········  1 of 2 units weak"));
  const std::string colour = page(example(), {.color = true, .bars = true});
  EXPECT_THAT(colour, HasSubstr("\x1b[33m0.50\x1b[0m"));
  EXPECT_THAT(colour, HasSubstr("\x1b[31m✗ \x1b[0m"));
}

TEST(Terminal, NoLineIsWiderThanTheTerminal) {
  auto results = example();
  results[0].first.fields.output =
      std::string(300, 'x') + " 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字 end";
  results[0].second.evidence.children[1].span =
      Span{"output", 0, results[0].first.fields.output.size()};
  for (const int width : {60, 80, 120}) {
    std::istringstream lines(page(results, {.bars = true, .width = width}));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(report::columns(line), static_cast<std::size_t>(width)) << line;
    }
  }
}

TEST(Terminal, ShowsTheWorstAndSaysHowManyItDoesNot) {
  std::vector<std::pair<Sample, Result>> results;
  for (int i = 0; i < 30; ++i) {
    auto sample = bridge_sample();
    auto result = bridge_result();
    result.id = sample.id = fmt::format("row-{:02}", i);
    result.score = ((i * 7) % 30) / 30.0;
    results.emplace_back(sample, result);
  }
  const std::string text = page(results, {.max_rows = 3});
  const std::size_t first = text.find("row-00");
  const std::size_t second = text.find("row-13");
  const std::size_t third = text.find("row-26");
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  EXPECT_NE(third, std::string::npos);
  EXPECT_THAT(text, HasSubstr("The 3 worst of 30 rows are shown."));
  EXPECT_THAT(text, Not(HasSubstr("row-01")));
  EXPECT_THAT(page(results, {.max_rows = 0}), Not(HasSubstr("row-")));
}

TEST(Terminal, JudgedTextCannotDriveTheTerminal) {
  auto results = example();
  results[0].first.fields.output =
      "safe \x1b[2J\x1b]0;title\x07 \xc2\x9b"
      "31m \xe2\x80\xae reversed\n\r next";
  results[0].second.evidence.children[1].span =
      Span{"output", 0, results[0].first.fields.output.size()};
  results[0].second.evidence.children[1].children[0].note = "note \x1b[31m";
  results[0].second.id = "id\x1b[1m";
  const std::string text = page(results, {});
  for (const char* bad : {"\x1b", "\x07", "\xc2\x9b", "\xe2\x80\xae", "\r"})
    EXPECT_THAT(text, Not(HasSubstr(bad)));
  EXPECT_THAT(text, HasSubstr("“safe [2J ]0;title 31m reversed next”"));
}

TEST(Terminal, ScalesOtherThanZeroToOneAreSaid) {
  auto results = example();
  results.resize(1);
  results[0].second.scale = Scale{1, 5};
  results[0].second.score = 4;
  EXPECT_THAT(page(results, {}), HasSubstr("coherence  4.00 of 1–5"));
}

TEST(Terminal, AFactIsShownUnderTheSentenceItCameFrom) {
  auto results = example();
  results.resize(1);
  results[0].second.evidence.children[1].note = "Bananas hold potassium.";
  EXPECT_THAT(page(results, {}),
              HasSubstr("        “The mayor cut the ribbon. Bananas are rich in potassium.”\n"
                        "        → Bananas hold potassium.\n"
                        "        ✗ logical continuity — "));
}

TEST(Weakest, AMetricHasNoFaults) {
  Result result = bridge_result();
  result.judge = "none";
  EXPECT_TRUE(find_weakest(bridge_sample(), result, 5).units.empty());
}

TEST(Weakest, SpansThatDoNotFitAreHarmless) {
  Sample sample = bridge_sample();
  sample.fields.output = "né";
  Result result = bridge_result();
  result.evidence.children[1].span = Span{"output", 2, 9000};
  EXPECT_EQ(find_weakest(sample, result, 5).units[0].text, "");
  result.evidence.children[1].span = Span{"output", 0, 2};
  EXPECT_EQ(find_weakest(sample, result, 5).units[0].text, "né");
  result.evidence.children[1].span = Span{"no-such-field", 0, 2};
  EXPECT_EQ(find_weakest(sample, result, 5).units[0].text, "");
}

TEST(Weakest, OrderFollowsWhatEachUnitCost) {
  Sample sample = bridge_sample();
  Result result = bridge_result();
  result.evidence = Evidence{};
  result.evidence.op = Op::kMean;
  for (int i = 0; i < 3; ++i) {
    Evidence unit;
    unit.label = fmt::format("units/{}", i);
    unit.op = Op::kWeighted;
    unit.value = 0.5;
    unit.children = {leaf("a", i == 1 ? 0 : 1, 0.7), leaf("b", 0, 0.3), leaf("c", 1, 0)};
    result.evidence.children.push_back(unit);
  }
  const Weakness weakness = find_weakest(sample, result, 2);
  EXPECT_EQ(weakness.all, 3u);
  EXPECT_EQ(weakness.weak, 3u);
  ASSERT_EQ(weakness.units.size(), 2u);
  EXPECT_EQ(weakness.units[0].label, "units 1");
  EXPECT_NEAR(weakness.units[0].loss, 1.0 / 3, 1e-12);
  EXPECT_EQ(weakness.units[0].faults.size(), 2u);
  EXPECT_EQ(weakness.units[1].label, "units 0");
}

TEST(Display, WidthsAndCuts) {
  EXPECT_EQ(report::columns("abc"), 3u);
  EXPECT_EQ(report::columns("漢字"), 4u);
  EXPECT_EQ(report::columns("e\xcc\x81"), 1u);
  EXPECT_EQ(report::fit("abcdef", 4), "abc…");
  EXPECT_EQ(report::fit("漢字漢字", 4), "漢…");
  EXPECT_EQ(report::pad("漢", 4), "漢  ");
  EXPECT_THAT(report::wrap("one two three four", 9, 2),
              ::testing::ElementsAre("one two", "three fo…"));
  EXPECT_THAT(report::wrap("abcdefghijkl", 5, 3), ::testing::ElementsAre("abcd…"));
  EXPECT_THAT(report::wrap("", 5, 3), ::testing::ElementsAre());
}

TEST(Display, AnyBytesComeOutSafe) {
  std::mt19937 random(9);
  for (int i = 0; i < 5000; ++i) {
    std::string text(random() % 40, '\0');
    for (char& c : text) c = static_cast<char>(random());
    const std::string line = report::one_line(text);
    for (std::size_t at = 0; at < line.size();) {
      const auto point = report::decode(line, at);
      ASSERT_NE(point.value, report::kBad);
      ASSERT_FALSE(point.value < 0x20 || (point.value >= 0x7f && point.value < 0xa0));
      at += point.bytes;
    }
    ASSERT_LE(report::columns(report::fit(line, 10)), 10u);
    for (const std::string& wrapped : report::wrap(line, 12, 3))
      ASSERT_LE(report::columns(wrapped), 12u);
  }
}

}  // namespace
}  // namespace assay
