#include "rubric/yaml.h"

#include <gtest/gtest.h>

#include <random>

#include "rubric/embedded.h"
#include "rubric/prompt_file.h"
#include "rubric/rubric_file.h"

namespace assay {
namespace {

std::string first_problem(std::string_view text) {
  Problems problems;
  parse_yaml(text, "f.yaml", problems);
  return problems.empty() ? "" : problems.all().front().str();
}

TEST(Yaml, KeepsOrderRepeatsAndLines) {
  Problems problems;
  const auto root = parse_yaml("a: 1\nb:\n  - x\n  - {c: ~}\na: \"2\"\n", "f.yaml", problems);
  ASSERT_TRUE(root);
  ASSERT_EQ(root->entries.size(), 3u);
  EXPECT_EQ(root->entries[1].second.items[0].line, 3);
  EXPECT_EQ(root->entries[1].second.items[1].entries[0].second.kind, YamlNode::Kind::kNull);
  EXPECT_EQ(root->entries[2].second.text, "2");
  EXPECT_EQ(root->entries[2].second.line, 5);
}

TEST(Yaml, ReadsByteOrderMarkAndCarriageReturns) {
  Problems problems;
  const auto root = parse_yaml(
      "\xEF\xBB\xBF"
      "a: 1\r\nb: two words\r\n",
      "f.yaml", problems);
  ASSERT_TRUE(root) << problems.all().front().str();
  EXPECT_EQ(root->find("a")->text, "1");
  EXPECT_EQ(root->find("b")->text, "two words");
}

TEST(Yaml, QuotedEmptyAndNullWordsAreText) {
  Problems problems;
  const auto root = parse_yaml("a: ''\nb: 'null'\nc: null\nd:\n", "f.yaml", problems);
  ASSERT_TRUE(root);
  EXPECT_EQ(root->find("a")->kind, YamlNode::Kind::kScalar);
  EXPECT_EQ(root->find("b")->kind, YamlNode::Kind::kScalar);
  EXPECT_EQ(root->find("c")->kind, YamlNode::Kind::kNull);
  EXPECT_EQ(root->find("d")->kind, YamlNode::Kind::kNull);
}

TEST(Yaml, BadFilesAreNamedWithTheirLine) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "f.yaml: the file is empty"},
      {" \n\t\n", "f.yaml: the file is empty"},
      {"a: 1\nb: \xff\n", "f.yaml:2: not UTF-8"},
      {std::string("a: 1\nb\0: 2\n", 12), "f.yaml:2: holds a NUL byte"},
      {"a: 1\nb: [1, 2\n", "f.yaml:3: not YAML"},
      {"a: 1\n b: 2\n", "f.yaml:2: not YAML"},
      {"a: &x 1\nb: *x\n", "f.yaml:1: anchors"},
      {"a: *x\n", "f.yaml:1: not YAML"},
      {"a: &x [*x]\n", "f.yaml:1: anchors"},
      {"? [a]\n: 1\n", "f.yaml:1: a key must be a plain word"},
      {"a: 1\n---\nb: 2\n", "f.yaml:3: a second document"},
      {"a: " + std::string(40, '[') + std::string(40, ']'), "f.yaml:1: nested too deeply"},
      {std::string(200000, '['), "f.yaml:1: "},
      {std::string(2 << 20, 'a'), "f.yaml: 2097152 bytes"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(first_problem(text).substr(0, expected.size()), expected) << text.substr(0, 60);
  }
}

// Mutated shipped files must end in a value or a problem, never in a crash, a hang or an exception.
TEST(Yaml, SurvivesMutatedFiles) {
  std::mt19937 random(7);
  const auto files = embedded_files();
  ASSERT_FALSE(files.empty());
  for (int round = 0; round < 1500; ++round) {
    std::string text(files[random() % files.size()].text);
    for (int edits = 1 + static_cast<int>(random() % 6); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random() % text.size();
      const std::size_t length = 1 + random() % 12;
      switch (random() % 5) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), length));
          break;
        case 3:
          text.insert(at, 1, "{}[]:-|>&*!%@`\"'#\n\t,?"[random() % 21]);
          break;
        default:
          text.resize(at);
      }
    }
    Problems problems;
    if (const auto root = parse_yaml(text, "f.yaml", problems)) {
      is_prompt(*root) ? (void)read_prompt(*root, problems)
                       : (void)read_rubric(*root, {}, problems);
    } else {
      EXPECT_FALSE(problems.empty());
    }
    for (const Problem& problem : problems.all()) EXPECT_EQ(problem.file, "f.yaml");
  }
}

TEST(Yaml, SurvivesRandomBytes) {
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    std::string text(random() % 80, ' ');
    for (char& c : text) c = "ab: \n-[]{}|>'\"&*!#%\t,?0"[random() % 24];
    Problems problems;
    const bool read = parse_yaml(text, "f.yaml", problems).has_value();
    EXPECT_EQ(read, problems.empty()) << text;
  }
}

}  // namespace
}  // namespace assay
