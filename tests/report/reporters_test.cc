#include "report/reporters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "assay/error.h"
#include "assay/write_error.h"
#include "ingest/temp_file.h"
#include "report/fixtures.h"
#include "report/json.h"

namespace assay {
namespace {

using testing::bridge_result;
using testing::bridge_sample;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::TempFile;

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

TEST(Reporters, AFileHasItsNameOnlyWhenItIsWhole) {
  const TempFile file("r.jsonl", "old");
  {
    const auto reporter = make_reporter(file.path());
    reporter->add(bridge_sample(), bridge_result());
    EXPECT_EQ(content(file.path()), "old");
  }
  EXPECT_EQ(content(file.path()), "old");  // never finished
  EXPECT_EQ(content(file.path() + ".partial"), result_json(bridge_result()) + "\n");
  const auto reporter = make_reporter(file.path());
  reporter->add(bridge_sample(), bridge_result());
  reporter->add(bridge_sample(), bridge_result());
  reporter->finish();
  EXPECT_EQ(content(file.path()),
            result_json(bridge_result()) + "\n" + result_json(bridge_result()) + "\n");
  EXPECT_FALSE(std::filesystem::exists(file.path() + ".partial"));
}

TEST(Reporters, JsonIsOneList) {
  const TempFile file("r.json");
  auto reporter = make_reporter(file.path());
  reporter->finish();
  EXPECT_EQ(content(file.path()), "[]\n");
  reporter = make_reporter(file.path());
  reporter->add(bridge_sample(), bridge_result());
  reporter->add(bridge_sample(), bridge_result());
  reporter->finish();
  EXPECT_EQ(nlohmann::json::parse(content(file.path())).size(), 2u);
}

TEST(Reporters, CsvHasTheWeakestUnitAndWhy) {
  const TempFile file("r.CSV");
  const auto reporter = make_reporter(file.path());
  reporter->add(bridge_sample(), bridge_result());
  Result unscored = bridge_result();
  unscored.id = "a, \"b\"";
  unscored.score.reset();
  unscored.scale.reset();
  unscored.reason = "two\nlines";
  unscored.evidence = {};
  reporter->add(bridge_sample(), unscored);
  reporter->finish();
  EXPECT_EQ(content(file.path()),
            "id,group,system,dimension,method,judge,judge_kind,layout,score,scale_low,scale_high,"
            "status,reason,deviation,"
            "weakest,weakest_why,calls,prompt_tokens,cached_tokens,completion_tokens,usd,ms,run\n"
            "news-07,news,lead-3,coherence,seal,builtin,\"lexical baseline, not an "
            "LLM\",shared,0.5,0,1,scored,,,"
            "The mayor cut the ribbon. Bananas are rich in potassium.,"
            "logical continuity: the sentences share no name and no word,3,100,20,7,0.25,1.5,abc\n"
            "\"a, \"\"b\"\"\",news,lead-3,coherence,seal,builtin,\"lexical baseline, not an "
            "LLM\",shared,,,,unscored,"
            "\"two\nlines\",,,,3,100,20,7,0.25,1.5,abc\n");
}

TEST(Reporters, MarkdownIsTheSummary) {
  const TempFile file("r.md");
  const auto reporter = make_reporter(file.path());
  reporter->add(bridge_sample(), bridge_result());
  Result other = bridge_result();
  other.system = "a|b";
  other.score.reset();
  reporter->add(bridge_sample(), other);
  reporter->finish();
  EXPECT_EQ(
      content(file.path()),
      "| method | judge | system | dimension | rows | mean | 95 % interval | unscored |\n"
      "|---|---|---|---|---:|---:|---|---:|\n"
      "| seal | builtin (lexical baseline, not an LLM) | lead-3 | coherence | 1 | 0.500 | – | 0 |\n"
      "| seal | builtin (lexical baseline, not an LLM) | a\\|b | coherence | 0 | – | – | 1 |\n"
      "| seal | builtin (lexical baseline, not an LLM) | all | coherence | 1 | 0.500 | – | 1 |\n");
}

std::string refusal(const std::string& path) {
  try {
    make_reporter(path);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Reporters, WrongTargetsAreRefusedUpFront) {
  const TempFile file("r.jsonl");
  EXPECT_EQ(refusal("r.xlsx"),
            "-o r.xlsx: the format follows from the extension, and \".xlsx\" is none of .jsonl "
            ".json .csv .md");
  EXPECT_THAT(refusal("no.dots/results"), HasSubstr("and \"\" is none of .jsonl .json .csv .md"));
  EXPECT_THAT(refusal(file.folder() + "/none/r.jsonl"),
              EndsWith("its folder does not exist; make it first"));
  const std::string folder = file.folder() + "/d.jsonl";
  std::filesystem::create_directory(folder);
  EXPECT_THAT(refusal(folder), EndsWith("is a directory; name a file in it"));
  std::filesystem::remove(folder);
}

TEST(Reporters, AFullDiskIsOneClearLine) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const TempFile file("unused");
  const std::string path = file.folder() + "/full.jsonl";
  std::filesystem::create_symlink("/dev/full", path);
  const auto reporter = make_reporter(path);
  try {
    for (int i = 0; i < 200; ++i) reporter->add(bridge_sample(), bridge_result());
    reporter->finish();
    ADD_FAILURE() << "written to a full disk";
  } catch (const WriteError& error) {
    EXPECT_EQ(
        error.what(),
        path + ": cannot be written: the disk is full; make room and run the same command again");
  }
  std::filesystem::remove(path);
}

TEST(Reporters, ALinkStaysALink) {
  const TempFile file("real.jsonl", "old");
  const std::string link = file.folder() + "/link.jsonl";
  std::filesystem::create_symlink(file.path(), link);
  const auto reporter = make_reporter(link);
  reporter->add(bridge_sample(), bridge_result());
  reporter->finish();
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_THAT(content(file.path()), HasSubstr("news-07"));
  std::filesystem::remove(link);
}

}  // namespace
}  // namespace assay
