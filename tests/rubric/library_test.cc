// The user's files over the built-in ones, and what `extends` does.
#include "rubric/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "assay/error.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Library : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              (std::string("assay_rubric_") +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string put(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  std::string error_of(const std::string& path) {
    try {
      RubricLibrary::load(path);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }
  std::string error_of_get(const RubricLibrary& library, const char* task, const char* dimension) {
    try {
      library.get(task, dimension);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

TEST_F(Library, UnknownNamesListTheKnownOnes) {
  const RubricLibrary library = RubricLibrary::load("");
  EXPECT_EQ(error_of_get(library, "sumarization", "fluency"),
            "no rubric for task \"sumarization\"; did you mean \"summarization\"?; known tasks: "
            "data-to-text, dialogue, factual, story, summarization");
  EXPECT_THAT(error_of_get(library, "summarization", "beauty"),
              HasSubstr("known dimensions: coherence, consistency, fluency"));
  EXPECT_THROW(library.prompt("seal/verdct"), ConfigError);
}

TEST_F(Library, AShortFileChangesOneThreshold) {
  const std::string path =
      put("mine.yaml",
          "task: summarization\ndimension: coherence\nextends: summarization/coherence\n"
          "version: 2\nseal: {threshold: 5}\n");
  const RubricLibrary library = RubricLibrary::load(path);
  const Rubric& rubric = library.get("summarization", "coherence");
  EXPECT_EQ(rubric.seal->threshold, 5);
  EXPECT_EQ(rubric.seal->units, UnitKind::kSentencePairs);
  EXPECT_EQ(rubric.version, 2);
  EXPECT_EQ(rubric.origin, path);
  EXPECT_EQ(library.get("summarization", "fluency").origin, "built in");
  EXPECT_NE(rubric_hash(rubric),
            rubric_hash(RubricLibrary::load("").get("summarization", "coherence")));
}

TEST_F(Library, AFolderAddsATaskAndReplacesAPrompt) {
  put("rubrics/mail/tone.yaml", "task: mail\ndimension: tone\nextends: summarization/fluency\n");
  put("prompts/verdict.yml",
      "id: seal/verdict\nversion: 2\nanswer: yes-no\nturns:\n  - {role: user, text: \"{{unit}} "
      "{{question}}\"}\n");
  const RubricLibrary library = RubricLibrary::load(folder_);
  EXPECT_EQ(library.get("mail", "tone").definition,
            library.get("summarization", "fluency").definition);
  EXPECT_EQ(library.prompt("seal/verdict").version, 2);
  EXPECT_EQ(library.prompt("seal/verdicts").version, 1);
}

TEST_F(Library, ChainsOfExtendsAreFollowed) {
  put("a.yaml", "task: mail\ndimension: a\nextends: mail/b\nseal: {threshold: 9}\n");
  put("b.yaml",
      "task: mail\ndimension: b\nextends: summarization/fluency\nanswer: {yes: ja, no: nein}\n");
  const RubricLibrary library = RubricLibrary::load(folder_);
  EXPECT_EQ(library.get("mail", "a").yes, "ja");
  EXPECT_EQ(library.get("mail", "a").seal->threshold, 9);
  EXPECT_EQ(library.get("mail", "b").seal->threshold, 3);
}

TEST_F(Library, ARubricWithACycleIsRefused) {
  put("a.yaml", "task: mail\ndimension: a\nextends: mail/b\n");
  put("b.yaml", "task: mail\ndimension: b\nextends: mail/a\n");
  EXPECT_THAT(error_of(folder_),
              HasSubstr("extends goes round in a circle: mail/a -> mail/b -> mail/a"));
  fs::remove(folder_ / "a.yaml");
  put("b.yaml", "task: mail\ndimension: b\nextends: mail/b\n");
  EXPECT_THAT(error_of(folder_),
              HasSubstr("b.yaml:3: extends goes round in a circle: mail/b -> mail/b"));
}

TEST_F(Library, WrongPathsAndFilesAreOneLine) {
  EXPECT_THAT(error_of(folder_ / "none"), HasSubstr("none: no such file or folder"));
  EXPECT_THAT(error_of(folder_), HasSubstr("the folder holds no .yaml file"));
  EXPECT_THAT(error_of(put("empty.yaml", "")), HasSubstr("empty.yaml: the file is empty"));
  EXPECT_THAT(
      error_of(put("x.yaml", "task: mail\ndimension: a\nextends: summarization/fluencey\n")),
      HasSubstr(
          "x.yaml:3: it extends \"summarization/fluencey\", which does not exist; did you mean "
          "\"summarization/fluency\"?"));
  EXPECT_THAT(error_of("/dev/null"), HasSubstr("/dev/null: neither a file nor a folder"));
}

TEST_F(Library, TwoFilesForOneRubricAreRefused) {
  put("a.yaml", "task: mail\ndimension: a\nextends: summarization/fluency\n");
  put("b.yaml", "task: mail\ndimension: a\nextends: summarization/fluency\n");
  EXPECT_THAT(error_of(folder_), HasSubstr("b.yaml:1: \"mail/a\" is also in"));
}

TEST_F(Library, AValueNoMethodSuppliesIsRefused) {
  const std::string path = put("p.yaml",
                               "id: seal/verdict\nversion: 2\nanswer: yes-no\n"
                               "turns:\n  - {role: user, text: \"{{qestion}}\"}\n");
  EXPECT_THAT(error_of(path),
              HasSubstr("{{qestion}} is no value of this method; did you mean \"question\"?"));
}

TEST_F(Library, CheckTellsAllProblemsAndWhatIsWell) {
  put("a.yaml", "task: mail\ndimension: a\nextends: summarization/fluency\n");
  put("b.yaml",
      "task: mail\ndimension: b\nextends: summarization/fluency\nseal: {treshold: 1, thresh: 2}\n");
  const std::vector<std::string> paths{folder_};
  const RubricCheck check = check_rubrics(paths);
  ASSERT_EQ(check.problems.size(), 2u);
  EXPECT_THAT(check.problems[0].str(),
              HasSubstr("b.yaml:4: key \"treshold\" is not known in seal; did you mean"));
  ASSERT_EQ(check.well.size(), 1u);
  EXPECT_THAT(check.well[0], HasSubstr("a.yaml: mail/a"));
}

TEST_F(Library, ShippedYamlIsGivenBackByteForByte) {
  const RubricLibrary library = RubricLibrary::load("");
  std::ifstream in(std::string(ASSAY_ROOT) + "/rubrics/dialogue/naturalness.yaml",
                   std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(library.yaml("dialogue", "naturalness"), text);
}

}  // namespace
}  // namespace assay
