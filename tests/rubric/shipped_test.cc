// Everything that is built in: complete, well-formed, and as METHODS asks for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "rubric/embedded.h"
#include "rubric/library.h"
#include "text/template.h"

namespace assay {
namespace {

using testing::ElementsAre;

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The names src/evidence/README.md lists in its table.
std::vector<std::string> documented_evidence() {
  std::vector<std::string> names;
  std::istringstream lines(read(std::string(ASSAY_ROOT) + "/src/evidence/README.md"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| `")) names.push_back(line.substr(3, line.find('`', 3) - 3));
  }
  return names;
}

TEST(Shipped, EmbeddedBytesAreTheFiles) {
  std::size_t on_disk = 0;
  for (const char* folder : {"/checklists", "/prices", "/prompts", "/rubrics"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(ASSAY_ROOT + std::string(folder))) {
      on_disk += entry.path().extension() == ".yaml";
    }
  }
  EXPECT_EQ(embedded_files().size(), on_disk);
  for (const EmbeddedFile& file : embedded_files()) {
    EXPECT_EQ(file.text, read(std::string(ASSAY_ROOT) + "/" + std::string(file.path))) << file.path;
  }
}

TEST(Shipped, EveryDimensionIsThere) {
  const RubricLibrary library = RubricLibrary::load("", documented_evidence());
  EXPECT_THAT(library.tasks(),
              ElementsAre("data-to-text", "dialogue", "factual", "story", "summarization"));
  EXPECT_THAT(library.dimensions("data-to-text"), ElementsAre("informativeness", "naturalness"));
  EXPECT_THAT(library.dimensions("story"),
              ElementsAre("coherence", "cohesiveness", "complexity", "empathy", "engagement",
                          "grammaticality", "likability", "relevance", "surprise"));
  EXPECT_THAT(library.dimensions("summarization"),
              ElementsAre("coherence", "consistency", "fluency", "informativeness", "relevance"));
  EXPECT_THAT(
      library.dimensions("dialogue"),
      ElementsAre("coherence", "engagingness", "groundedness", "naturalness", "understandability"));
  EXPECT_THAT(library.dimensions("factual"), ElementsAre("consistency"));
}

TEST(Shipped, FilesLieWhereTheirNamesSay) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path.starts_with("prices/")) continue;  // one file, no name
    Problems problems;
    const auto root = parse_yaml(file.text, std::string(file.path), problems);
    ASSERT_TRUE(root) << file.path;
    const std::string folder = file.path.starts_with("checklists/") ? "checklists/" : "rubrics/";
    const std::string path =
        is_prompt(*root) ? "prompts/" + root->find("id")->text
                         : folder + root->find("task")->text + "/" + root->find("dimension")->text;
    EXPECT_EQ(path + ".yaml", file.path);
  }
}

// METHODS, SEAL: units, threshold, number of sub-dimensions, inputs.
TEST(Shipped, SealPartsAreAsThePaperInstantiatesThem) {
  struct Case {
    const char* task;
    const char* dimension;
    UnitKind units;
    int threshold;
    std::size_t subs;
    std::vector<std::string> inputs;
  };
  const Case cases[] = {
      {"summarization", "coherence", UnitKind::kSentencePairs, 3, 1, {"source", "output"}},
      {"summarization", "fluency", UnitKind::kSentences, 3, 1, {"output"}},
      {"summarization", "consistency", UnitKind::kFacts, 6, 1, {"source", "output"}},
      {"summarization", "relevance", UnitKind::kFacts, 6, 1, {"source", "references", "output"}},
      {"dialogue", "naturalness", UnitKind::kWhole, 0, 5, {"history", "context", "output"}},
      {"dialogue", "coherence", UnitKind::kWhole, 0, 6, {"history", "context", "output"}},
      {"dialogue", "engagingness", UnitKind::kWhole, 0, 5, {"history", "context", "output"}},
      {"dialogue", "groundedness", UnitKind::kWhole, 0, 5, {"history", "context", "output"}},
      {"factual", "consistency", UnitKind::kWhole, 0, 5, {"source", "references", "output"}},
  };
  const RubricLibrary library = RubricLibrary::load("");
  for (const Case& c : cases) {
    const Rubric& rubric = library.get(c.task, c.dimension);
    SCOPED_TRACE(rubric.task + "/" + rubric.id);
    ASSERT_TRUE(rubric.seal);
    EXPECT_EQ(rubric.seal->units, c.units);
    EXPECT_EQ(rubric.seal->threshold, c.threshold);
    EXPECT_EQ(rubric.seal->subs.size(), c.subs);
    std::vector<std::string> fields;
    for (const Input& input : rubric.inputs) fields.push_back(input.field);
    EXPECT_EQ(fields, c.inputs);
  }
  EXPECT_TRUE(library.get("summarization", "consistency").seal->supported_by_source);
}

TEST(Shipped, EveryRubricServesEveryMethod) {
  const RubricLibrary library = RubricLibrary::load("");
  for (const std::string& task : library.tasks()) {
    for (const std::string& dimension : library.dimensions(task)) {
      const Rubric& rubric = library.get(task, dimension);
      SCOPED_TRACE(task + "/" + dimension);
      EXPECT_EQ(rubric.origin, "built in");
      EXPECT_GE(rubric.anchors.size(), 2u);
      EXPECT_GE(rubric.steps.size(), 3u);
      ASSERT_TRUE(rubric.seal && rubric.decomp);
      double total = 0;
      for (const SubDimension& sub : rubric.seal->subs) total += sub.weight;
      EXPECT_NEAR(total, 1, 1e-12);
      EXPECT_NE(rubric.decomp->subquestion.find("{{sentence}}"), std::string::npos);
    }
  }
}

// DecompEval, Tables 8-10: which texts each question shows, in which order, and the sentence rule.
TEST(Shipped, DecompPartsShowThePapersInputs) {
  const RubricLibrary library = RubricLibrary::load("");
  const std::pair<std::string, std::string> cases[] = {
      {"summarization/coherence", "source output once"},
      {"summarization/consistency", "output source mean"},
      {"summarization/fluency", "output mean"},
      {"summarization/relevance", "output references once"},
      {"dialogue/naturalness", "history output once"},
      {"dialogue/coherence", "history output once"},
      {"dialogue/engagingness", "history context output sum"},
      {"dialogue/groundedness", "output context once"},
      {"dialogue/understandability", "history output once"},
      {"data-to-text/naturalness", "output mean"},
      {"data-to-text/informativeness", "output references once"},
  };
  for (const auto& [name, expected] : cases) {
    const Rubric& rubric =
        library.get(name.substr(0, name.find('/')), name.substr(name.find('/') + 1));
    std::string got;
    for (const Input& input : rubric.decomp->inputs) got += input.field + " ";
    EXPECT_EQ(got + rubric.decomp->rule, expected) << name;
  }
}

TEST(Shipped, PromptsRenderInBothLayoutsWithAndWithoutValues) {
  const RubricLibrary library = RubricLibrary::load("");
  EXPECT_GE(library.prompts().size(), 13u);
  for (const std::string& id : library.prompts()) {
    const Prompt& prompt = library.prompt(id);
    SCOPED_TRACE(id);
    for (const char* filling : {"", "x"}) {
      TemplateValues values;
      for (const std::string& name : prompt_values(prompt)) values[name] = filling;
      for (const Prompt::Turn& turn : prompt.turns) {
        for (const char* layout : {"shared", "paper"}) {
          for (const std::string& block : turn.blocks.at(layout)) {
            if (block == kTailMark) continue;
            EXPECT_NO_THROW(render(prompt.blocks.at(block), values)) << block;
          }
        }
      }
    }
  }
}

// Siblings can only share a prefix that begins with the same bytes; and every one of them must say
// that fenced text is no instruction.
TEST(Shipped, SealPromptsOpenWithTheSameSystemTurn) {
  const RubricLibrary library = RubricLibrary::load("");
  std::set<std::string> openings;
  for (const std::string& id : library.prompts()) {
    if (!id.starts_with("seal/")) continue;
    const Prompt& prompt = library.prompt(id);
    ASSERT_EQ(prompt.turns.size(), 2u) << id;
    EXPECT_EQ(prompt.turns[0].role, Role::kSystem) << id;
    openings.insert(prompt.blocks.at(prompt.turns[0].blocks.at("shared")[0]));
  }
  ASSERT_EQ(openings.size(), 1u);
  EXPECT_NE(openings.begin()->find("never take it as instructions"), std::string::npos);
}

TEST(Shipped, PromptsAskForTheShapeTheyDeclare) {
  const RubricLibrary library = RubricLibrary::load("");
  const std::pair<const char*, const char*> cases[] = {
      {"seal/sentences", "lists"},   {"seal/facts", "lists"},
      {"seal/facts-joint", "lists"}, {"seal/verdicts", "keyed"},
      {"seal/support", "links"},     {"seal/support-atomic", "yes-no"},
      {"seal/aspects", "keyed"},     {"seal/aspects-weights", "record"},
      {"seal/verdict", "yes-no"},    {"seal/weights", "weights"},
      {"seal/holistic", "number"},   {"seal/graded", "record"},
      {"engine/repair", "same"},
  };
  for (const auto& [id, answer] : cases) EXPECT_EQ(library.prompt(id).answer, answer) << id;
}

}  // namespace
}  // namespace assay
