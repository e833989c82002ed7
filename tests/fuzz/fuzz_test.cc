// Everything that reads bytes from outside, fed with a kept corpus and mutations of it: nothing may
// crash, and what is accepted must hold what the parser promises. Bounded in count; FUZZ_ROUNDS=N
// runs longer. A file that once broke something is added to corpus/.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

#include "answer/parse.h"
#include "answer/released_parsers.h"
#include "assay/error.h"
#include "ingest/rows.h"
#include "rubric/library.h"
#include "store/codec.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> corpus(const char* folder) {
  std::vector<std::string> all;
  std::vector<fs::path> paths;
  for (const auto& entry :
       fs::directory_iterator(fs::path(ASSAY_ROOT) / "tests/fuzz/corpus" / folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    all.push_back(text.str());
  }
  return all;
}

// Flips, cuts, doubles and splices, as a byte fuzzer does.
std::string mutated(const std::vector<std::string>& from, std::mt19937& random) {
  std::string text = from[random() % from.size()];
  for (unsigned step = 0; step <= random() % 4; ++step) {
    const std::size_t at = text.empty() ? 0 : random() % text.size();
    switch (random() % 5) {
      case 0:
        if (!text.empty()) text[at] = static_cast<char>(random() % 256);
        break;
      case 1:
        text.erase(at, random() % 8);
        break;
      case 2:
        text.insert(at, text.substr(at, random() % 32));
        break;
      case 3: {
        const std::string& other = from[random() % from.size()];
        text = text.substr(0, at) + other.substr(other.empty() ? 0 : random() % other.size());
        break;
      }
      default:
        text.insert(at, 1, "\"{}[]:,\n'\\-&*"[random() % 13]);
    }
  }
  return text;
}

void feed(const char* folder, unsigned rounds, const std::function<void(const std::string&)>& eat) {
  const std::vector<std::string> seeds = corpus(folder);
  ASSERT_FALSE(seeds.empty());
  for (const std::string& seed : seeds) eat(seed);
  const char* more = std::getenv("FUZZ_ROUNDS");
  if (more != nullptr) rounds = static_cast<unsigned>(std::atoi(more));
  std::mt19937 random(1);
  for (unsigned i = 0; i < rounds; ++i) eat(mutated(seeds, random));
}

std::string scratch_file(const char* name, const std::string& content) {
  const fs::path path = fs::path(testing::TempDir()) / name;
  std::ofstream(path, std::ios::binary) << content;
  return path.string();
}

TEST(Fuzz, Replies) {
  const Keyed keyed{{"s1", "s2"}};
  const AnswerSpec specs[] = {YesNo{},
                              keyed,
                              Weights{{"s1", "s2"}},
                              Number{1, 5, 1},
                              Choice{{"A", "B"}},
                              Lists{{"s1", "s2"}},
                              Links{{"s1", "s2"}, {"c1", "c2"}},
                              Text{},
                              Rated{},
                              Lines{{"Q1", "Q2"}},
                              Record{{{"verdicts", keyed}, {"weights", Weights{{"s1", "s2"}}}}}};
  feed("replies", 20000, [&](const std::string& reply) {
    for (const AnswerSpec& spec : specs) {
      const Parsed parsed = parse_answer(spec, reply);
      EXPECT_TRUE(parsed.ok || !parsed.problem.empty());
      if (const auto* n = parsed.ok ? parsed.value.as<double>() : nullptr) {
        EXPECT_TRUE(*n >= 1 && *n <= 5) << reply;
      }
      if (const auto* weights = parsed.ok ? parsed.value.as<Named<double>>() : nullptr) {
        EXPECT_NEAR((*weights)[0].second + (*weights)[1].second, 1, 1e-9) << reply;
      }
    }
  });
}

TEST(Fuzz, Rows) {
  for (const char* name : {"fuzz.jsonl", "fuzz.csv"}) {
    feed("rows", 1500, [&](const std::string& bytes) {
      IngestOptions options;
      options.path = scratch_file(name, bytes);
      options.skip_bad = true;
      try {
        RowReader reader(options);
        while (const auto row = reader.next()) EXPECT_FALSE(row->sample.fields.output.empty());
      } catch (const ConfigError& error) {
        EXPECT_NE(std::string(error.what()), "");
      }
    });
  }
}

TEST(Fuzz, Rubrics) {
  feed("rubrics", 200, [&](const std::string& bytes) {
    const std::string path = scratch_file("fuzz.yaml", bytes);
    const std::vector<std::string> paths{path};
    for (const Problem& problem : check_rubrics(paths).problems) EXPECT_FALSE(problem.text.empty());
  });
}

TEST(Fuzz, LedgerLists) {
  feed("ledger", 20000, [](const std::string& bytes) {
    if (const auto probs = decode_probs(bytes))
      EXPECT_EQ(decode_probs(encode_probs(*probs)), probs);
    if (const auto notes = decode_notes(bytes))
      EXPECT_EQ(decode_notes(encode_notes(*notes)), notes);
  });
}

}  // namespace
}  // namespace assay
