// Checklists: what is shipped, what is refused and where, writing and reading back, merging,
// weights.
#include "rubric/checklist.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "assay/error.h"
#include "rubric/checklist_weights.h"
#include "rubric/embedded.h"
#include "rubric/library.h"
#include "rubric/polarity.h"

namespace assay {
namespace {

const char* const kList = R"(task: summarization
dimension: coherence
version: 2
sub_dimensions:
  - id: flow
    name: Flow
    questions:
      - id: q1
        text: Does it flow?
        origin: seed
      - id: q2
        text: Does each sentence follow from the one before?
        origin: elaborated
        parent: q1
      - id: q3
        text: Does it contain errors?
        origin: diversified
        parent: q1
        dropped: alignment
)";

std::string with(const std::string& from, const std::string& to) {
  std::string text = kList;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string problem_of(const std::string& yaml) {
  try {
    parse_checklist(yaml, "mine.yaml");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Checklist, IsReadWithOriginsParentsAndDrops) {
  const Checklist list = parse_checklist(kList, "mine.yaml");
  EXPECT_EQ(list.version, 2);
  ASSERT_EQ(list.subs.size(), 1U);
  const auto& questions = list.subs[0].questions;
  ASSERT_EQ(questions.size(), 3U);
  EXPECT_EQ(questions[1].origin, CheckQuestion::Origin::kElaborated);
  EXPECT_EQ(questions[1].parent, "q1");
  EXPECT_EQ(questions[1].line, 11);
  EXPECT_EQ(questions[2].dropped, "alignment");
  const CheckCounts counts = count_questions(list);
  EXPECT_EQ(counts.asked, 2);
  EXPECT_EQ(counts.seeds, 1);
  EXPECT_EQ(counts.elaborated, 1);
  EXPECT_EQ(counts.dropped, 1);
}

TEST(Checklist, EveryProblemNamesFileAndLine) {
  struct Case {
    std::string yaml;
    const char* says;
  };
  const Case cases[] = {
      {with("        dropped: alignment\n", ""),
       "mine.yaml:16: a yes to this question looks bad (\"errors\")"},
      {with("        dropped: alignment\n", "        yes_is: bad\n"),
       "mine.yaml:19: yes must mean good"},
      {with("Does it flow?", "It flows."), "mine.yaml:9: \"It flows.\" is no question"},
      {with("Does it flow?", "\"Does it\\nflow?\""), "mine.yaml:9: a question must be one line"},
      {with("parent: q1", "parent: q9"), "mine.yaml:11: its parent \"q9\" is no question"},
      {with("parent: q1", "parent: q3"), "mine.yaml:11: its parent \"q3\" is no seed"},
      {with("        parent: q1\n        dropped", "        dropped"),
       "mine.yaml:15: \"parent\" is missing: the id of the seed it was diversified from"},
      {with("origin: seed", "origin: seed\n        parent: q2"),
       "mine.yaml:11: a seed has no parent"},
      {with("origin: elaborated", "origin: elaborate"), "did you mean \"elaborated\"?"},
      {with("id: q2", "id: q1"), "mine.yaml:11: the id \"q1\" is also on line 8"},
      {with("Does each sentence follow from the one before?", "does it FLOW ?"),
       "mine.yaml:12: the same question is asked on line 8"},
      {with("version: 2", "version: 0"), "mine.yaml:3: \"version\" must be 1 or more"},
      {with("version: 2", "verzion: 2"), "did you mean \"version\"?"},
      {with("sub_dimensions:", "inputs: {sourse: Article, output: Summary}\nsub_dimensions:"),
       "mine.yaml:4: \"sourse\" is no field of a row; did you mean \"source\"?"},
      {with("sub_dimensions:", "inputs: {source: Article}\nsub_dimensions:"),
       "mine.yaml:4: inputs must hold \"output\""},
      {"- a\n- b\n", "mine.yaml:1: a checklist must be a map of keys, not a list"},
      {"task: x\ndimension: y\nsub_dimensions: []\n", "mine.yaml:3: no question is left to ask"},
      {"task: x\ndimension: y\nsub_dimensions: [1]\n",
       "mine.yaml:3: a sub-dimension must be a map"},
      {"task: x\ndimension: y\n", "\"sub_dimensions\" is missing"},
      {"", "mine.yaml"},
  };
  for (const Case& c : cases) {
    const std::string problem = problem_of(c.yaml);
    EXPECT_NE(problem.find(c.says), std::string::npos)
        << "wanted: " << c.says << "\ngot:    " << problem;
    EXPECT_EQ(problem.find('\n'), std::string::npos) << problem;
  }
}

TEST(Checklist, AYesThatIsVouchedForPasses) {
  EXPECT_EQ(problem_of(with("        dropped: alignment\n", "        yes_is: good\n")), "");
}

TEST(Checklist, WrittenAndReadBackItIsTheSame) {
  Checklist list = parse_checklist(kList, "mine.yaml");
  list.made = "by hand: \"us\" # and \\ them";
  list.notes = {"- odd: note", "yes", "\ttab"};
  list.inputs = {{"source", "Article", false}, {"output", "Summary", false}};
  list.subs[0].questions[0].text = "Is \"it\": that #1 \\ one?";
  list.subs[0].questions[0].vouched = true;
  const std::string yaml = checklist_yaml(list);
  const Checklist back = parse_checklist(yaml, "back.yaml");
  EXPECT_EQ(checklist_yaml(back), yaml);
  EXPECT_EQ(checklist_hash(back), checklist_hash(list));
  EXPECT_EQ(back.made, list.made);
  EXPECT_EQ(back.notes, list.notes);
  EXPECT_EQ(back.subs[0].questions[0].text, list.subs[0].questions[0].text);
}

TEST(Checklist, TheHashFollowsWhatChangesResults) {
  const std::string before = checklist_hash(parse_checklist(kList, "a"));
  EXPECT_EQ(checklist_hash(parse_checklist(kList, "b")), before);
  EXPECT_EQ(checklist_hash(parse_checklist(with("name: Flow", "name: Flux"), "a")),
            before);  // a name is shown to people only
  for (const auto& [from, to] :
       {std::pair("version: 2", "version: 3"), std::pair("Does it flow?", "Does it run?"),
        std::pair("dropped: alignment", "dropped: style"),
        std::pair("origin: elaborated", "origin: diversified"), std::pair("id: flow", "id: flux"),
        std::pair("sub_dimensions:", "inputs: {output: Text}\nsub_dimensions:")}) {
    EXPECT_NE(checklist_hash(parse_checklist(with(from, to), "a")), before) << to;
  }
}

TEST(Checklist, MergedListsHoldEachQuestionOnce) {
  const Checklist a = parse_checklist(kList, "a.yaml");
  const Checklist b = parse_checklist(R"(task: summarization
dimension: coherence
sub_dimensions:
  - id: topic
    questions:
      - {id: q1, text: "Does it keep to its subject?", origin: seed}
      - {id: q2, text: "Does it flow", origin: seed, dropped: style}
  - id: flow
    questions:
      - {id: q3, text: "does each sentence follow from the one BEFORE?", origin: seed}
      - {id: q4, text: "Is the order plain?", origin: elaborated, parent: q3}
)",
                                      "b.yaml");
  const Checklist both[] = {a, b};
  const Checklist all = merge_checklists(both);
  ASSERT_EQ(all.subs.size(), 2U);
  ASSERT_EQ(all.subs[0].questions.size(), 4U);  // three of a, one of b
  EXPECT_EQ(all.subs[0].questions[3].id, "flow-4");
  EXPECT_EQ(all.subs[0].questions[3].text, "Is the order plain?");
  EXPECT_EQ(all.subs[0].questions[3].parent,
            "flow-1");  // its seed is a grown question in a: the seed of that
  EXPECT_EQ(all.subs[0].questions[0].dropped, "");  // asked in one of the lists
  EXPECT_EQ(all.subs[1].questions.size(), 1U);
  EXPECT_EQ(all.version, 2);
  const std::string yaml = checklist_yaml(all);
  EXPECT_EQ(checklist_yaml(parse_checklist(yaml, "merged.yaml")), yaml);

  const Checklist again[] = {all, a, b};
  EXPECT_EQ(count_questions(merge_checklists(again)).asked, count_questions(all).asked);

  Checklist other = b;
  other.dimension = "fluency";
  const Checklist unlike[] = {a, other};
  EXPECT_THROW(merge_checklists(unlike), ConfigError);
}

// METHODS: 20-35 questions for every dimension that has a rubric, each with an origin and a parent.
TEST(Checklist, EveryDimensionHasAListOfTwentyToThirtyFive) {
  const RubricLibrary library = RubricLibrary::load("");
  std::size_t dimensions = 0;
  for (const std::string& task : library.tasks()) {
    for (const std::string& dimension : library.dimensions(task)) {
      ++dimensions;
      const Checklist list = find_checklist({}, task, dimension);
      const CheckCounts counts = count_questions(list);
      EXPECT_GE(counts.asked, 20) << task << "/" << dimension;
      EXPECT_LE(counts.asked, 35) << task << "/" << dimension;
      EXPECT_EQ(counts.dropped, 0);
      for (const CheckSub& sub : list.subs) {
        const auto seed = [](const CheckQuestion& q) {
          return q.origin == CheckQuestion::Origin::kSeed;
        };
        EXPECT_TRUE(std::any_of(sub.questions.begin(), sub.questions.end(), seed)) << sub.id;
        for (const CheckQuestion& question : sub.questions) {
          EXPECT_FALSE(question.vouched) << question.id;
          EXPECT_EQ(bad_yes_words(question.text), "") << question.text;
        }
      }
    }
  }
  EXPECT_EQ(shipped_checklists().size(), dimensions);
}

// The sub-dimensions of Tables 26 and 27 and the numbers of questions of Tables 17 and 18.
TEST(Checklist, ThePapersDimensionsHaveItsNumbers) {
  struct Case {
    const char* task;
    const char* dimension;
    std::size_t subs;
    int asked;
  };
  for (const Case& c :
       {Case{"summarization", "coherence", 3, 23}, Case{"summarization", "consistency", 3, 29},
        Case{"summarization", "fluency", 4, 35}, Case{"summarization", "relevance", 5, 26},
        Case{"dialogue", "naturalness", 5, 28}, Case{"dialogue", "coherence", 4, 20},
        Case{"dialogue", "engagingness", 4, 31}, Case{"dialogue", "groundedness", 3, 26}}) {
    const Checklist list = find_checklist({}, c.task, c.dimension);
    EXPECT_EQ(list.subs.size(), c.subs) << c.task << "/" << c.dimension;
    EXPECT_EQ(count_questions(list).asked, c.asked) << c.task << "/" << c.dimension;
  }
}

TEST(Checklist, ShippedFilesAreInTheFormThatIsWritten) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("checklists/")) continue;
    EXPECT_EQ(checklist_yaml(parse_checklist(file.text, std::string(file.path))), file.text)
        << file.path;
  }
}

TEST(Checklist, AListForAnotherDimensionIsNeverUsed) {
  const std::string folder = std::string(ASSAY_ROOT) + "/checklists/dialogue";
  const std::vector<std::string> own = {folder};
  EXPECT_EQ(find_checklist(own, "dialogue", "coherence").dimension, "coherence");
  try {
    find_checklist(own, "summarization", "coherence");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("no --checklist is for summarization/coherence"),
              std::string::npos)
        << error.what();
  }
  const std::vector<std::string> twice = {folder, folder + "/coherence.yaml"};
  EXPECT_THROW(find_checklist(twice, "dialogue", "coherence"), ConfigError);
  EXPECT_THROW(find_checklist({}, "story", "no-such"), ConfigError);
}

TEST(ChecklistWeights, AreReadBackExactly) {
  ChecklistWeights weights{"summarization",
                           "coherence",
                           "us: \"1\"",
                           1.0 / 3,
                           {{"Q1", "Is it \"so\"?", 0.1, 0}, {"Q2", "Is it?", -1e-17, 0}},
                           {"r1", "yes"},
                           ""};
  const std::string yaml = checklist_weights_yaml(weights);
  const ChecklistWeights back = parse_checklist_weights(yaml, "w.yaml");
  EXPECT_EQ(checklist_weights_yaml(back), yaml);
  EXPECT_EQ(back.intercept, weights.intercept);
  EXPECT_EQ(back.weights[1].weight, -1e-17);
  EXPECT_EQ(back.weights[0].text, "Is it \"so\"?");
  EXPECT_EQ(back.rows, weights.rows);
  EXPECT_THROW(parse_checklist_weights("task: a\ndimension: b\nintercept: x\nweights: []\n", "w"),
               ConfigError);
  EXPECT_THROW(parse_checklist_weights("task: a\ndimension: b\nintercept: 1\nweights: [{id: Q1, "
                                       "text: a, weight: 1}, {id: Q1, text: b, weight: 2}]\n",
                                       "w"),
               ConfigError);
}

// Whatever the bytes: a list or one line about why not.
TEST(Checklist, MutatedFilesEndInAListOrOneLine) {
  std::mt19937 random(7);
  const std::string corpus[] = {kList, checklist_yaml(shipped_checklists().front()).substr(0, 1500),
                                "task: a\nweights:\n - {id: Q1, text: x, weight: 1}\n"};
  for (int i = 0; i < 1500; ++i) {
    std::string text = corpus[random() % std::size(corpus)];
    for (int edits = static_cast<int>(random() % 4) + 1; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 20);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 30));
      }
      if (text.empty()) text = "a";
    }
    for (const bool weights : {false, true}) {
      try {
        if (weights)
          checklist_weights_yaml(parse_checklist_weights(text, "m"));
        else {
          const std::string yaml = checklist_yaml(parse_checklist(text, "m"));
          EXPECT_EQ(checklist_yaml(parse_checklist(yaml, "again")), yaml) << text;
        }
      } catch (const ConfigError& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with("m:") ||
                    std::string(error.what()).starts_with("m"))
            << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace assay
