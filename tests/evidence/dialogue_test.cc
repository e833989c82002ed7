#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "texts.h"

namespace assay {
namespace {

TEST(FactUse, FourWordsAreFullMarks) {
  Texts texts("a guitar has six strings");
  EXPECT_DOUBLE_EQ(fact_use(texts.in)->value, 1);
  EXPECT_EQ(fact_use(texts.in)->note, "no fact given");
  texts.in.fact = texts.of("Guitars are made of wood and have 6 tuned pegs.");
  EXPECT_DOUBLE_EQ(fact_use(texts.in)->value, 0.5);
  EXPECT_EQ(fact_use(texts.in)->note, "takes 2 of the fact's words");
  texts.in.fact = texts.of("a guitar has six strings and wooden necks");
  EXPECT_DOUBLE_EQ(fact_use(texts.in)->value, 0.75);
}

TEST(IsNoFact, KnowsTheMark) {
  for (const char* text : {"", " \n", "_nofact", "_nofact\n"})
    EXPECT_TRUE(is_no_fact(text)) << text;
  for (const char* text : {"fact", "_nofact here"}) EXPECT_FALSE(is_no_fact(text)) << text;
}

TEST(Content, RampsToSixteenWords) {
  Texts texts("dogs chase cats and dogs chase birds");
  EXPECT_DOUBLE_EQ(content(texts.in)->value, 4.0 / 16);
  EXPECT_EQ(content(texts.in)->note, "has only 4 content words");
}

TEST(Turns, OnTopicReadsTheLastAndEarlierTurnsTheRest) {
  Texts texts("the guitar and the piano need tuning");
  EXPECT_FALSE(on_topic(texts.in));
  EXPECT_FALSE(earlier_turns(texts.in));
  texts.in.history = texts.of("i tune a piano \n do you have a guitar ? \n\n");
  EXPECT_DOUBLE_EQ(on_topic(texts.in)->value, 0.5);           // guitar
  EXPECT_DOUBLE_EQ(earlier_turns(texts.in)->value, 2.0 / 4);  // piano, tune
  texts.in.history = texts.of("do you have a guitar ?");
  EXPECT_FALSE(earlier_turns(texts.in));
  texts.in.history = texts.of("do you like great people ?");
  EXPECT_EQ(on_topic(texts.in)->note, "takes up no word of the last turn");
}

TEST(Turns, SmallTalkIsNoTopic) {
  Texts texts("i think that is great");
  texts.in.history = texts.of("i think people are great");
  EXPECT_DOUBLE_EQ(on_topic(texts.in)->value, 0);
}

TEST(NotGeneric, IsTheShareBeyondSmallTalk) {
  Texts generic("yeah , i think that is great .");
  EXPECT_DOUBLE_EQ(not_generic(generic.in)->value, 0);
  EXPECT_EQ(not_generic(generic.in)->note, "would fit almost anywhere");
  Texts half("i love guitar");
  EXPECT_DOUBLE_EQ(not_generic(half.in)->value, 0.5);
  Texts empty_of_content("it is what it is");
  EXPECT_DOUBLE_EQ(not_generic(empty_of_content.in)->value, 0);
}

// Whatever the texts: every value is in [0,1], and text-level evidence does not look at the unit.
TEST(EveryEvidence, KeepsItsContract) {
  const char* outputs[] = {"x", "The the dog. 42 cats in Rome", "yes .", "a . b . c . d . e .",
                           "Ünïcode — 世界。 ok"};
  for (const char* output : outputs) {
    Texts texts(output, "The dog met 41 cats in Rome. It slept.\nA b c.");
    texts.in.fact = texts.of("cats sleep");
    texts.in.history = texts.of("a dog ? \n a cat ? \n");
    texts.in.references = {texts.of("dog"), texts.of("a dog"), texts.of("")};
    for (const EvidenceKind& kind : evidence_kinds()) {
      const auto result = kind.measure(texts.unit(0, texts.in.output->sentences.size() - 1).in);
      if (!result) continue;
      EXPECT_GE(result->value, 0) << kind.name << output;
      EXPECT_LE(result->value, 1) << kind.name << output;
      if (!kind.text_level) continue;
      EXPECT_EQ(kind.measure(texts.unit(0, 0).in)->value, result->value) << kind.name;
    }
  }
}

TEST(EvidenceNames, AreDistinctAndFound) {
  const auto names = evidence_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const std::string& name : names) EXPECT_NE(find_evidence(name), nullptr);
  EXPECT_EQ(find_evidence("no-such"), nullptr);
  Texts texts("x");
  EXPECT_FALSE(measure("no-such", texts.in));
}

}  // namespace
}  // namespace assay
