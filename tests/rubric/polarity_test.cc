#include "rubric/polarity.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(Polarity, RefusesQuestionsWhereYesIsBad) {
  const char* bad[] = {
      "Does the summary contain errors?",
      "Does the response contradict anything said before?",
      "Does it fail to answer the question?",
      "Is an important point missing?",
      "Does it repeat itself?",
      "Is the reply generic?",
      "Is the text redundant or off topic?",
      "Does it hallucinate facts?",
      "Does the summary add details that are not in the source?",
      "Does it state things not supported by the article?",
      "Isn't it fluent?",
      "Is the transition abrupt?",
      "Does the text lack a clear structure?",
      "Are there any spelling mistakes?",
      "Is anything made up?",
      "Does it ignore the last turn?",
      "Does it fail to avoid errors?",
      "IS IT MISLEADING?",
  };
  for (const char* question : bad) EXPECT_NE(bad_yes_words(question), "") << question;
}

TEST(Polarity, LetsQuestionsPassWhereYesIsGood) {
  const char* good[] = {
      "Is the summary free of errors?",
      "Does the response avoid contradicting anything said before?",
      "Is it error-free and non-repetitive?",
      "Does it follow without an abrupt jump?",
      "Is nothing important missing?",
      "Does it hold the main point rather than something trivial?",
      "Does it say nothing that is not in the source?",
      "Is it clear, with no grammatical mistakes?",
      "Is the story inventive?",
      "Does every sentence follow from the one before?",
      "Is it grammatical?",
      "",
      "???",
  };
  for (const char* question : good) EXPECT_EQ(bad_yes_words(question), "") << question;
}

}  // namespace
}  // namespace assay
