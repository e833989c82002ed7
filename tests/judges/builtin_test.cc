#include "judges/builtin.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "text/sentences.h"

namespace assay {
namespace {

constexpr const char* kSource =
    "A van was robbed outside a bank in Glasgow. Three armed men took the money. Two guards were "
    "shaken.";

Reply ask(Judge& judge, AnswerSpec answer, std::shared_ptr<const Subject> subject) {
  Request request;
  request.answer = std::move(answer);
  request.subject = std::move(subject);
  std::promise<Reply> promise;
  judge.ask(std::move(request), [&](Reply reply) { promise.set_value(std::move(reply)); });
  return promise.get_future().get();
}

std::vector<Subject::Unit> sentences(const std::string& text, const std::string& field,
                                     char prefix) {
  std::vector<Subject::Unit> out;
  for (const auto& range : split_sentences(text)) {
    out.push_back({prefix + std::to_string(out.size() + 1),
                   text.substr(range.begin, range.end - range.begin),
                   {field, range.begin, range.end}});
  }
  return out;
}

std::shared_ptr<Subject> subject_of(const std::string& output,
                                    std::vector<Subject::Aspect> aspects) {
  auto subject = std::make_shared<Subject>();
  subject->sample.fields.output = output;
  subject->sample.fields.source = kSource;
  subject->units = sentences(output, "output", 'u');
  subject->sources = sentences(kSource, "source", 's');
  subject->aspects = std::move(aspects);
  return subject;
}

const Subject::Aspect kSupported = {"entailed", {"source-support"}, 0.5};

TEST(Builtin, SaysWhatItIs) {
  const auto judge = make_builtin(1);
  EXPECT_EQ(judge->name(), "builtin");
  EXPECT_EQ(judge->kind(), "lexical baseline, not an LLM");
  EXPECT_TRUE(judge->identity().starts_with("builtin/1/"));
  EXPECT_EQ(judge->identity(), make_builtin(2)->identity());
  const Capabilities can = judge->capabilities();
  EXPECT_FALSE(can.generation || can.grades || can.weighs || can.log_likelihood);
  EXPECT_TRUE(can.probabilities && can.free && can.deterministic);
  EXPECT_NE(builtin_caveat().find("not a language model"), std::string_view::npos);
}

TEST(Builtin, AnswersEveryUnitOfOneAspect) {
  const auto judge = make_builtin(1);
  const auto subject =
      subject_of("Three armed men took the money. A van was robbed in Berlin.", {kSupported});
  const Reply reply = ask(*judge, Keyed{{"u1", "u2"}}, subject);
  EXPECT_EQ(reply.status, Status::kOk);
  EXPECT_EQ(reply.text, R"({"u1":"yes","u2":"no"})");
  ASSERT_EQ(reply.probs.size(), 2u);
  EXPECT_EQ(reply.probs[0].option, "u1");
  EXPECT_DOUBLE_EQ(reply.probs[0].p, 1);
  EXPECT_LT(reply.probs[1].p, 0.5);
  ASSERT_EQ(reply.notes.size(), 1u);
  EXPECT_EQ(reply.notes[0].first, "u2");
  EXPECT_EQ(reply.notes[0].second, "new name \"Berlin\"");
}

TEST(Builtin, AnswersEveryAspectOfOneUnit) {
  const auto judge = make_builtin(0);
  const auto subject = subject_of(
      "Three armed men took the money",
      {kSupported, {"form", {"clean-form"}, 0.9}, {"both", {"clean-form", "source-support"}, 0.9}});
  const Reply reply = ask(*judge, Keyed{{"entailed", "form", "both"}}, subject);
  EXPECT_EQ(reply.text, R"({"entailed":"yes","form":"no","both":"yes"})");
  EXPECT_DOUBLE_EQ(reply.probs[1].p, 0.8);
  EXPECT_DOUBLE_EQ(reply.probs[2].p, 0.9);  // the mean; yes from the threshold on
}

TEST(Builtin, AnswersYesOrNoInTheWordsAsked) {
  const auto judge = make_builtin(1);
  const auto subject = subject_of("Bananas ripen slowly.", {kSupported});
  const Reply reply = ask(*judge, YesNo{"Ja", "Nein"}, subject);
  EXPECT_EQ(reply.text, "Nein");
  ASSERT_EQ(reply.probs.size(), 2u);
  EXPECT_EQ(reply.probs[0].option, "Ja");
  EXPECT_DOUBLE_EQ(reply.probs[0].p, 0);
}

TEST(Builtin, LinksSupportedUnitsToTheirSource) {
  const auto judge = make_builtin(1);
  const auto subject = subject_of(
      "Three armed men took the money. Bananas ripen. Two guards were shaken.", {kSupported});
  const Links links{{"u1", "u2", "u3"}, {"s1", "s2", "s3"}};
  EXPECT_EQ(ask(*judge, links, subject).text, R"({"u1":["s2"],"u2":[],"u3":["s3"]})");
  auto facts = std::make_shared<Subject>(*subject);
  for (auto& source : facts->sources) source.span = {};  // facts without a place
  EXPECT_EQ(ask(*judge, links, facts).text, R"({"u1":["s2"],"u2":[],"u3":["s3"]})");
}

TEST(Builtin, ReadsAUnitWhoseWordingIsItsOwn) {
  const auto judge = make_builtin(1);
  auto subject = subject_of("Bananas ripen slowly.", {kSupported});
  subject->units[0].text =
      "Three armed men took the money.";  // a fact; the span says only where it came from
  EXPECT_EQ(ask(*judge, YesNo{}, subject).text, "yes");
}

TEST(Builtin, RefusesWhatItCannotDo) {
  const auto judge = make_builtin(1);
  const auto subject = subject_of("Two guards were shaken.", {kSupported});
  for (const AnswerSpec& spec :
       {AnswerSpec(Text{}), AnswerSpec(Number{}), AnswerSpec(Weights{{"entailed"}}),
        AnswerSpec(Lists{{"facts"}}), AnswerSpec(Choice{{"A"}}), AnswerSpec(LogLik{"x"}),
        AnswerSpec(Record{})}) {
    const Reply reply = ask(*judge, spec, subject);
    EXPECT_EQ(reply.status, Status::kRefused);
    EXPECT_NE(reply.problem.find("cannot write, weigh or grade"), std::string::npos);
  }
  EXPECT_EQ(ask(*judge, YesNo{}, nullptr).status, Status::kRefused);
  EXPECT_EQ(ask(*judge, Keyed{{"x"}}, subject).status, Status::kRefused);
  const auto unknown = subject_of("Two guards were shaken.", {{"tone", {}, 0.5}});
  EXPECT_EQ(ask(*judge, YesNo{}, unknown).problem, "no built-in evidence for \"tone\"");
  auto no_source = subject_of("Two guards were shaken.", {kSupported});
  no_source->sample.fields.source.clear();
  EXPECT_EQ(ask(*judge, YesNo{}, no_source).problem,
            "the texts for \"entailed\" are absent: source-support cannot be measured");
}

TEST(Builtin, LeavesAnUnknownIdWithoutProbability) {
  const auto judge = make_builtin(1);
  const auto subject =
      subject_of("Two guards were shaken.", {kSupported, {"r", {"reference-unigrams"}, 0.5}});
  const Reply reply = ask(*judge, Keyed{{"entailed", "r"}}, subject);
  EXPECT_EQ(reply.status, Status::kOk);
  EXPECT_EQ(reply.text, R"({"entailed":"yes","r":"no"})");
  ASSERT_EQ(reply.probs.size(), 1u);
  EXPECT_EQ(reply.probs[0].option, "entailed");
  ASSERT_EQ(reply.notes.size(), 1u);
  EXPECT_EQ(reply.notes[0].second,
            "unknown: the texts for \"r\" are absent: reference-unigrams cannot be measured");
}

TEST(Builtin, TextLevelEvidenceIsTheSameForEveryUnit) {
  const auto judge = make_builtin(1);
  const auto subject = subject_of("The dog ran home. The dog ran off. Cats sleep.",
                                  {{"a", {"no-repeated-bigrams"}, 0.5}});
  const Reply reply = ask(*judge, Keyed{{"u1", "u2", "u3"}}, subject);
  ASSERT_EQ(reply.probs.size(), 3u);
  EXPECT_EQ(reply.probs[0].p, reply.probs[1].p);
  EXPECT_EQ(reply.probs[0].p, reply.probs[2].p);
}

// Many threads, one cache: every question is answered once, and as one thread answers it.
TEST(Builtin, GivesTheSameAnswersOnManyThreads) {
  std::vector<std::shared_ptr<Subject>> subjects;
  for (int i = 0; i < 200; ++i) {
    subjects.push_back(
        subject_of("Three men took " + std::to_string(i % 50) + " vans. Two guards ran.",
                   {{"a", {"source-support", "no-overlap", "weakest-support"}, 0.5}}));
  }
  const auto answers = [&](int threads) {
    std::vector<Reply> replies(subjects.size());
    std::atomic<int> calls = 0;
    {
      const auto judge = make_builtin(threads);
      for (std::size_t i = 0; i < subjects.size(); ++i) {
        Request request;
        request.answer = Keyed{{"u1", "u2"}};
        request.subject = subjects[i];
        judge->ask(std::move(request), [&, i](Reply reply) {
          replies[i] = std::move(reply);
          ++calls;
        });
      }
    }  // waits for all that was asked
    EXPECT_EQ(calls, 200);
    return replies;
  };
  const auto one = answers(0);
  const auto many = answers(8);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].text, many[i].text);
    EXPECT_EQ(one[i].probs, many[i].probs);
    EXPECT_EQ(one[i].notes, many[i].notes);
  }
}

}  // namespace
}  // namespace assay
