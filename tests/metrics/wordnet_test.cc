// The dictionary reader on a small dictionary written here, and METEOR's synonym stage with the
// real one where it is installed.

#include "metrics/wordnet.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "assay/error.h"
#include "metrics/meteor.h"

namespace assay {
namespace {

class Dictionary : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("assay-wordnet-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    // goose and bird share 10; buy and purchase share 30 as verbs; big and large share 50.
    write("index.noun",
          "  1 licence\nbird n 1 0 1 0 00000010\ngoose n 2 1 @ 2 0 00000010 00000011\npurchase n 1 "
          "0 1 0 00000030\nice_cream n 1 0 1 0 00000012\n");
    write("index.verb", "  1 licence\nbuy v 1 0 1 0 00000030\npurchase v 1 0 1 0 00000030\n");
    write("index.adj", "big a 1 0 1 0 00000050\nlarge a 1 0 1 0 00000050\n");
    write("index.adv", "fast r 1 0 1 0 00000070\n");
    write("noun.exc", "geese goose\n");
    write("verb.exc", "bought buy\n");
    write("adj.exc", "better good\n");
    write("adv.exc", "best well\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  std::string message() {
    try {
      WordNet::load(folder_);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "loaded";
  }
  std::filesystem::path folder_;
};

TEST_F(Dictionary, FindsSynsetsOfWordsAndBaseForms) {
  const auto wordnet = WordNet::load(folder_);
  const auto share = [&](const char* a, const char* b) {
    return share_synset(wordnet->synsets(a), wordnet->synsets(b));
  };
  EXPECT_TRUE(share("goose", "bird"));
  EXPECT_TRUE(share("geese", "birds"));       // exception list; ending s
  EXPECT_TRUE(share("bought", "purchased"));  // exception list; ending ed
  EXPECT_TRUE(share("purchasing", "buy"));    // ending ing -> e
  EXPECT_FALSE(share("bigger", "large"));     // doubled letters are in the real exception list
  EXPECT_TRUE(share("larger", "big"));
  EXPECT_FALSE(share("goose", "buy"));
  EXPECT_TRUE(wordnet->synsets("zzz").empty());
  EXPECT_TRUE(wordnet->synsets("").empty());
  EXPECT_EQ(wordnet->words(), 8u);  // ice_cream is two words
}

// Offsets are numbered within a part of speech: the noun purchase (30) is not the verb buy (30).
TEST_F(Dictionary, KeepsPartsOfSpeechApart) {
  write("index.verb", "buy v 1 0 1 0 00000030\n");
  const auto wordnet = WordNet::load(folder_);
  EXPECT_FALSE(share_synset(wordnet->synsets("purchase"), wordnet->synsets("buy")));
}

// "he bought big geese" / "he purchased large birds": he exactly, three synonyms, one chunk: 1 -
// 0.5/64.
TEST_F(Dictionary, SynonymsCountInMeteor) {
  const auto scorer = make_meteor(WordNet::load(folder_));
  const Compared m =
      scorer->each("he bought big geese", std::vector<std::string>{"he purchased large birds"})[0];
  EXPECT_NEAR(*m.value, 1 - 0.5 / 64, 1e-15);
  EXPECT_EQ(m.note, "4 of 4 words matched with 4: 1 exact, 0 stem, 3 synonym in 1 chunk");
}

TEST_F(Dictionary, SaysWhatIsMissingOrDamaged) {
  write("index.adj", "big a many 0 1 0 00000050\n");
  EXPECT_EQ(message(), (folder_ / "index.adj").string() +
                           ":1: a number was expected; the WordNet file is damaged");
  write("index.adj", "big a 1 0\n");
  EXPECT_EQ(message(),
            (folder_ / "index.adj").string() + ":1: too few fields; the WordNet file is damaged");
  std::filesystem::remove(folder_ / "index.adj");
  EXPECT_NE(message().find("install WordNet (Debian: wordnet-base)"), std::string::npos);
  EXPECT_NE(message().find("--no-synonyms"), std::string::npos);
}

TEST_F(Dictionary, DamagedFilesAreRefusedOrRead) {
  std::mt19937 random(8);
  const std::string good = "bird n 1 0 1 0 00000010\ngoose n 2 1 @ 2 0 00000010 00000011\n";
  for (int round = 0; round < 300; ++round) {
    std::string bad = good;
    for (int k = 0; k < 3; ++k) bad[random() % bad.size()] = static_cast<char>(random());
    write("index.noun", bad.substr(0, 1 + random() % bad.size()));
    const std::string result = message();
    EXPECT_TRUE(result == "loaded" || result.find("damaged") != std::string::npos) << result;
  }
}

TEST(WordNet, KnowsEnglishWhereInstalled) {
  if (!std::filesystem::exists(std::string(kWordNetFolder) + "/index.noun")) {
    GTEST_SKIP() << "wordnet-base is not installed: the real dictionary is not checked";
  }
  const auto wordnet = WordNet::load(std::string(kWordNetFolder));
  EXPECT_GT(wordnet->words(), 80000u);
  EXPECT_TRUE(share_synset(wordnet->synsets("cars"), wordnet->synsets("automobile")));
  EXPECT_TRUE(share_synset(wordnet->synsets("bigger"), wordnet->synsets("large")));
  EXPECT_TRUE(share_synset(wordnet->synsets("quickly"), wordnet->synsets("rapidly")));
  EXPECT_FALSE(share_synset(wordnet->synsets("car"), wordnet->synsets("banana")));
}

}  // namespace
}  // namespace assay
