// What may be asked of the metrics, and what is refused with which words.

#include "metrics/metric.h"

#include <gtest/gtest.h>

#include <random>

#include "assay/error.h"

namespace assay {
namespace {

std::string signatures(const MetricOptions& options) {
  std::string all;
  try {
    for (const MetricSpec& spec : resolve_metrics(options)) all += metric_signature(spec) + " ";
  } catch (const ConfigError& error) {
    return error.what();
  }
  return all;
}

TEST(Metric, DefaultsByMetric) {
  EXPECT_EQ(signatures({.names = {"rouge-l", "bleu-4", "meteor", "chrf"}}),
            "rouge-l|porter|references:mean|f bleu-4|standard|references:joint|tok:13a|smooth:exp "
            "meteor|standard|references:max|synonyms:wordnet chrf|standard|references:max ");
}

TEST(Metric, OptionsReachTheMetricsTheyAreFor) {
  MetricOptions options{.names = {"rouge-2", "bleu-1"}, .conventions = {"rouge155", "standard"}};
  options.references = "max";
  options.measure = "recall";
  options.smooth = "floor";
  options.tokenize = "none";
  EXPECT_EQ(signatures(options),
            "rouge-2|rouge155|references:max|recall "
            "bleu-1|standard|references:max|tok:none|smooth:floor ");
  EXPECT_EQ(signatures({.names = {"rouge-l"}, .conventions = {"nlg-eval"}, .against = "source"}),
            "rouge-l|nlg-eval|against:source|f ");
}

TEST(Metric, RefusesWhatDoesNotExist) {
  const std::pair<MetricOptions, const char*> cases[] = {
      {{.names = {}}, "no metric named; assay metric --help lists them"},
      {{.names = {"rouge"}},
       "unknown metric \"rouge\"; there are rouge-1, rouge-2, rouge-l, bleu-1, bleu-2, bleu-3, "
       "bleu-4, meteor, chrf"},
      {{.names = {"chrf", "chrf"}}, "metric chrf is named twice"},
      {{.names = {"bleu-4"}, .conventions = {"rouge155"}},
       "bleu-4 has no convention \"rouge155\"; it has standard, nlg-eval"},
      {{.names = {"rouge-1"}, .conventions = {"rouge155", "nlg-eval"}},
       "--convention nlg-eval: none of the metrics uses it"},
      {{.names = {"rouge-1"}, .references = "joint"},
       "rouge-1 in convention porter cannot combine references by \"joint\"; it can by mean, max"},
      {{.names = {"rouge-1"}, .against = "context"},
       "--against is one of references, source, not \"context\""},
      {{.names = {"rouge-1"}, .measure = "f2"},
       "--measure is one of f, precision, recall, not \"f2\""},
      {{.names = {"chrf"}, .measure = "f"},
       "--measure is for ROUGE, and none of the metrics is one"},
      {{.names = {"bleu-4"}, .conventions = {"nlg-eval"}, .smooth = "exp"},
       "--smooth is for BLEU in the standard convention, and none of the metrics is one"},
      {{.names = {"chrf"}, .synonyms = false},
       "--no-synonyms is for METEOR, and none of the metrics is one"},
      {{.names = {"rouge-l"}, .corpus = true},
       "rouge-l has no corpus level; bleu-1 to bleu-4 and chrf have one"},
      {{.names = {"bleu-4"}, .references = "mean", .corpus = true},
       "bleu-4 at corpus level has no mean over references"},
  };
  for (const auto& [options, message] : cases) EXPECT_EQ(signatures(options), message);
}

TEST(Metric, MeteorWithoutItsDictionaryIsRefused) {
  MetricOptions options{.names = {"meteor"}};
  options.wordnet = "/nowhere";
  const auto specs = resolve_metrics(options);
  EXPECT_THROW(metric_wordnet(specs), ConfigError);
  options.synonyms = false;
  const auto without = resolve_metrics(options);
  EXPECT_EQ(metric_wordnet(without), nullptr);
  EXPECT_EQ(metric_signature(without[0]), "meteor|standard|references:max|synonyms:none");
}

TEST(Metric, EveryMetricScoresARowTheSameTwice) {
  const std::vector<std::string> references{"The cat sat on the mat .",
                                            "A cat was sitting there ."};
  for (const MetricInfo& info : metric_list()) {
    for (const auto& convention : info.conventions) {
      MetricOptions options{.names = {std::string(info.name)},
                            .conventions = {std::string(convention.name)}};
      if (info.name == "meteor") options.synonyms = false;
      const MetricSpec spec = resolve_metrics(options)[0];
      const auto scorer = make_scorer(spec, nullptr);
      const auto first = scorer->each("The cat is sitting on a mat .", references);
      ASSERT_EQ(first.size(), 2u);
      for (const Compared& c : first) {
        ASSERT_TRUE(c.value.has_value());
        EXPECT_GE(*c.value, 0);
        EXPECT_LE(*c.value, 1);
      }
      EXPECT_EQ(scorer->each("The cat is sitting on a mat .", references)[1].value, first[1].value);
      EXPECT_EQ(scorer->has_joint(), convention.rules.front() == "joint") << info.name;
    }
  }
}

// Whatever the bytes, a value lies between 0 and 1, and a scorer that has seen other rows gives
// what a fresh one does.
TEST(Metric, RandomTextsGiveSoundValues) {
  std::mt19937 random(17);
  const std::string_view pieces[] = {"the",
                                     "cat",
                                     " ",
                                     " ",
                                     " ",
                                     ".",
                                     " . ",
                                     "\n",
                                     "-",
                                     "&amp;",
                                     "3,5",
                                     "\xc3\xa9",
                                     "\xe2\x80\x99",
                                     "\xff",
                                     "running",
                                     "runs",
                                     "yyy",
                                     "<skipped>",
                                     "'s"};
  const auto text = [&] {
    std::string out;
    for (unsigned i = 0, n = random() % 30; i < n; ++i) {
      out += random() % 20 == 0 ? std::string(1, static_cast<char>(random()))
                                : std::string(pieces[random() % 19]);
    }
    return out;
  };
  for (const MetricInfo& info : metric_list()) {
    for (const auto& convention : info.conventions) {
      MetricOptions options{.names = {std::string(info.name)},
                            .conventions = {std::string(convention.name)}};
      if (info.name == "meteor") options.synonyms = false;
      const MetricSpec spec = resolve_metrics(options)[0];
      const auto kept = make_scorer(spec, nullptr);
      for (int round = 0; round < 60; ++round) {
        const std::string output = text();
        const std::vector<std::string> references{text(), text(), output};
        const auto values = kept->each(output, references);
        const auto fresh = make_scorer(spec, nullptr)->each(output, references);
        for (std::size_t r = 0; r < references.size(); ++r) {
          ASSERT_EQ(values[r].value, fresh[r].value) << info.name << " " << output;
          ASSERT_GE(*values[r].value, 0);
          ASSERT_LE(*values[r].value, 1 + 1e-12);
          ASSERT_LE(*values[r].value, *values[2].value + 1e-12)
              << "nothing is nearer than the text itself";
        }
      }
    }
  }
}

}  // namespace
}  // namespace assay
