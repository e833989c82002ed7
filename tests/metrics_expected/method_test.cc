// Metrics as methods: evidence that gives the score back, unscored rows, and `assay metric` at one
// and at many threads.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "assay/error.h"
#include "methods/metric_method.h"

namespace assay {
namespace {

using Json = nlohmann::json;

Sample sample_with(std::string output, std::vector<std::string> references,
                   std::string source = {}) {
  Sample sample;
  sample.id = "a";
  sample.fields.output = std::move(output);
  sample.fields.references = std::move(references);
  sample.fields.source = std::move(source);
  return sample;
}

MetricSpec spec_of(MetricOptions options) {
  if (options.names[0] == "meteor") options.synonyms = false;
  return resolve_metrics(options)[0];
}

Score score_of(const MetricOptions& options, const Sample& sample) {
  const auto method = make_metric_method(spec_of(options), "coherence");
  return std::get<Score>(method->next(sample, {}));
}

// The evidence of every metric, convention and rule gives the score back, from its leaves alone.
TEST(MetricMethod, EveryScoreCanBeRecomputed) {
  const Sample sample =
      sample_with("The cat is sitting on the mat . It purrs .",
                  {"A cat sat on the mat . It was purring .", "The cat purrs .", "Nothing alike"});
  for (const MetricInfo& info : metric_list()) {
    for (const auto& convention : info.conventions) {
      for (std::string_view rule : convention.rules) {
        MetricOptions options;
        options.names = {std::string(info.name)};
        options.conventions = {std::string(convention.name)};
        options.references = rule;
        const Score score = score_of(options, sample);
        ASSERT_TRUE(score.score.has_value()) << info.name;
        EXPECT_EQ(*score.score, *recompute(score.evidence)) << info.name << convention.name << rule;
        EXPECT_NE(score.evidence.note.find(info.name), std::string::npos);
        EXPECT_EQ(score.scale, Scale{});
      }
    }
  }
}

// R is 1, 1/2 and 0 in hundred-thousandths: the mean of 1, 0.5 and 0 is 0.5; the best is 1.
TEST(MetricMethod, CombinesReferences) {
  MetricOptions options;
  options.names = {"rouge-1"};
  options.conventions = {"rouge155"};
  options.measure = "recall";
  const Sample sample = sample_with("a b", {"a b", "a b c d", "x"});
  EXPECT_EQ(score_of(options, sample).score, 0.5);
  options.references = "max";
  const Score best = score_of(options, sample);
  EXPECT_EQ(best.score, 1);
  ASSERT_EQ(best.evidence.children.size(), 3u);
  EXPECT_EQ(best.evidence.children[0].weight, 1);
  EXPECT_EQ(best.evidence.children[1].weight, 0);
  EXPECT_EQ(best.evidence.children[1].label, "references/2");
}

TEST(MetricMethod, ComparesWithTheSource) {
  MetricOptions options;
  options.names = {"rouge-1"};
  options.against = "source";
  const Score score = score_of(options, sample_with("a b", {"x"}, "a b"));
  EXPECT_EQ(score.score, 1);
  EXPECT_EQ(score.evidence.children[0].label, "source");
}

TEST(MetricMethod, UnscoredIsNotZero) {
  MetricOptions options;
  options.names = {"bleu-4"};
  EXPECT_EQ(score_of(options, sample_with("a", {})).reason,
            "no references to compare the output with");
  EXPECT_EQ(score_of(options, sample_with("", {"a"})).reason, "no output to compare");
  options.against = "source";
  const Score score = score_of(options, sample_with("a", {"a"}));
  EXPECT_EQ(score.reason, "no source to compare the output with");
  EXPECT_FALSE(score.score.has_value());
  options = {};
  options.names = {"meteor"};
  std::string big;
  for (int i = 0; i < 6000; ++i) big += "word ";
  const Score long_one = score_of(options, sample_with(big, {"word", big}));
  EXPECT_FALSE(long_one.score.has_value());
  EXPECT_EQ(long_one.reason, "references/2: too long to be aligned by METEOR");
}

TEST(MetricMethod, SaysWhatItIs) {
  MetricOptions options;
  options.names = {"rouge-l"};
  const auto method = make_metric_method(spec_of(options), "coherence");
  EXPECT_EQ(method->name(), "rouge-l");
  EXPECT_EQ(method->dimension(), "coherence");
  EXPECT_EQ(method->settings(), "rouge-l|porter|references:mean|f");
  EXPECT_FALSE(method->needs().generation);
}

// --- the command ---

class MetricCommand : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(ASSAY_BINARY)) GTEST_SKIP() << "the assay program is not built";
    folder_ =
        std::filesystem::temp_directory_path() / ("assay-metric-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write_rows(int count) {
    std::mt19937 random(4);
    const char* words[] = {"the", "cat", "sat", "on", "a", "mat", ".", "running", "dogs", "bark"};
    const auto text = [&] {
      std::string out;
      for (unsigned i = 0, n = 1 + random() % 12; i < n; ++i)
        out += std::string(words[random() % 10]) + " ";
      return out;
    };
    std::ofstream file(folder_ / "rows.jsonl");
    for (int i = 0; i < count; ++i) {
      Json row = {{"id", "r" + std::to_string(i)},
                  {"system", "s" + std::to_string(i % 3)},
                  {"output", text()}};
      row["references"] = {text(), text()};
      file << row.dump() << "\n";
    }
  }

  int run(const std::string& options) {
    const std::string command = std::string(ASSAY_BINARY) + " metric " +
                                (folder_ / "rows.jsonl").string() + " " + options + " >" +
                                (folder_ / "out").string() + " 2>" + (folder_ / "err").string();
    return WEXITSTATUS(std::system(command.c_str()));
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string content(const std::string& name) const {
    std::ifstream file(folder_ / name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::filesystem::path folder_;
};

TEST_F(MetricCommand, WritesTheSameBytesWithAnyNumberOfThreads) {
  write_rows(700);
  const std::string all = "-q --no-synonyms -m rouge-1,rouge-2,rouge-l,bleu-4,meteor,chrf -o ";
  ASSERT_EQ(run(all + path("one.jsonl") + " -j 1"), 0) << content("err");
  ASSERT_EQ(run(all + path("many.jsonl") + " -j 7"), 0);
  EXPECT_EQ(content("one.jsonl"), content("many.jsonl"));
  std::istringstream lines(content("one.jsonl"));
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    const Json row = Json::parse(line);
    EXPECT_EQ(row["id"], "r" + std::to_string(count / 6));
    EXPECT_EQ(row["dimension"], "*");
    EXPECT_EQ(row["judge"], "none");
    EXPECT_EQ(row["status"], "scored");
    ++count;
  }
  EXPECT_EQ(count, 4200);
}

TEST_F(MetricCommand, CorpusScoresPerSystem) {
  write_rows(200);
  ASSERT_EQ(run("-m bleu-2,chrf --level corpus -d coherence -j 3 -o " + path("c.jsonl")), 0)
      << content("err");
  ASSERT_EQ(run("-q -m bleu-2,chrf --level corpus -d coherence -j 1 -o " + path("d.jsonl")), 0);
  const std::string text = content("c.jsonl");
  EXPECT_EQ(text, content("d.jsonl"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6);
  const Json first = Json::parse(text.substr(0, text.find('\n')));
  EXPECT_EQ(first["id"], "corpus/s0");
  EXPECT_EQ(first["dimension"], "coherence");
}

TEST_F(MetricCommand, UnscoredRowsEndWithThree) {
  std::ofstream(folder_ / "rows.jsonl") << R"({"id":"a","output":"x","references":["x"]})"
                                        << "\n"
                                        << R"({"id":"b","output":"x","source":"x"})"
                                        << "\n";
  EXPECT_EQ(run("-m rouge-l -o -"), 3);
  EXPECT_NE(content("out").find("\"score\":null"), std::string::npos);
  EXPECT_EQ(content("err"), "assay: 1 of 2 results are unscored; each says why in `reason`\n");
  EXPECT_EQ(run("-m bleu-4 --level corpus"), 2);
  EXPECT_NE(
      content("err").find(
          "rows.jsonl:2: no references to compare with; --level corpus needs them in every row"),
      std::string::npos);
}

TEST_F(MetricCommand, RefusesBeforeReading) {
  write_rows(3);
  EXPECT_EQ(run("-m rouge-9"), 2);
  EXPECT_NE(content("err").find("unknown metric \"rouge-9\""), std::string::npos);
  EXPECT_EQ(run("-m meteor --wordnet /nowhere"), 2);
  EXPECT_NE(content("err").find("wordnet-base"), std::string::npos);
  EXPECT_EQ(run("-m chrf -o " + path("x.pdf")), 2);
}

}  // namespace
}  // namespace assay
