// Rules of the repository, run as a test: which folder may include which, where third-party headers
// may stand, and that methods and judges hold no prompts.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
const fs::path kRoot = ASSAY_ROOT;

struct Include {
  fs::path file;
  int line;
  std::string target;
  bool angled;
};

std::vector<Include> includes_below(const char* folder) {
  std::vector<Include> all;
  const std::regex pattern(R"(^\s*#include\s*([<"])([^>"]+)[>"])");
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".cc") continue;
    std::ifstream in(entry.path());
    std::string text;
    for (int line = 1; std::getline(in, text); ++line) {
      std::smatch match;
      if (std::regex_search(text, match, pattern))
        all.push_back({entry.path(), line, match[2], match[1] == "<"});
    }
  }
  return all;
}

std::string layer_of(const fs::path& file) {
  return (*++fs::relative(file, kRoot).begin()).string();
}

std::string first_folder(const std::string& target) { return target.substr(0, target.find('/')); }

// Data flows one way (src/README.md): what a folder of src/ may include, beside itself and
// include/assay.
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"core", {}},
    {"text", {"core"}},
    {"answer", {"core", "text"}},
    {"ingest", {"core", "text"}},
    {"rubric", {"core", "text"}},
    {"aggregate", {"core"}},
    {"stats", {"core"}},
    {"metrics", {"core", "text"}},
    {"evidence", {"core", "text"}},
    {"methods", {"core", "text", "rubric", "aggregate", "metrics"}},
    {"judges", {"core", "text", "answer", "evidence"}},
    {"store", {"core", "answer"}},
    {"engine", {"core", "text", "answer", "aggregate"}},
    {"report", {"core", "text", "stats"}},
};

TEST(Rules, IncludeArrowsGoOneWay) {
  for (const Include& include : includes_below("src")) {
    const std::string layer = layer_of(include.file);
    ASSERT_TRUE(kMayInclude.contains(layer))
        << layer << " is not a known folder of src/: add its arrows here and in src/README.md";
    if (include.angled) continue;
    const std::string target = first_folder(include.target);
    const bool allowed =
        target == layer || target == "assay" || kMayInclude.at(layer).contains(target);
    EXPECT_TRUE(allowed) << include.file << ":" << include.line << ": " << layer
                         << " must not include " << include.target;
  }
}

TEST(Rules, PublicHeadersIncludeOnlyEachOther) {
  for (const Include& include : includes_below("include")) {
    EXPECT_TRUE(include.angled || first_folder(include.target) == "assay")
        << include.file << ":" << include.line;
  }
}

// The one folder that may include a library, by the beginning of the header's name.
const std::map<std::string, std::set<std::string>> kHome = {
    {"curl/", {"judges"}},     {"sqlite3.h", {"store"}},
    {"unicode/", {"text"}},    {"libstemmer.h", {"text"}},
    {"yaml-cpp/", {"rubric"}}, {"simdjson.h", {"ingest"}},
    {"openssl/", {"core"}},    {"nlohmann/", {"answer", "judges", "store", "report"}},
};

TEST(Rules, ThirdPartyHeadersHaveOneHomeAndStayOutOfOurHeaders) {
  for (const char* tree : {"src", "include"}) {
    for (const Include& include : includes_below(tree)) {
      for (const auto& [prefix, homes] : kHome) {
        if (!include.target.starts_with(prefix)) continue;
        EXPECT_TRUE(std::string(tree) == "src" && homes.contains(layer_of(include.file)))
            << include.file << ":" << include.line << ": " << include.target;
        if (include.target.ends_with("_fwd.hpp")) continue;  // names only: costs nobody anything
        EXPECT_NE(include.file.extension(), ".h") << include.file << ":" << include.line << ": "
                                                  << include.target << " in a header of ours";
      }
    }
  }
}

// Two types of one name in one namespace compile, and then one's destructor runs on the other's
// object.
TEST(Rules, NoTypeNameIsUsedTwice) {
  const std::regex space(R"(^namespace ([a-z:]+) \{)");
  const std::regex type(R"(^(?:struct|class|enum class) ([A-Za-z0-9_]+)\b[^;]*$)");
  std::map<std::string, fs::path> seen;
  for (const char* tree : {"src", "include", "cli"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / tree)) {
      if (entry.path().extension() != ".h") continue;
      std::ifstream in(entry.path());
      std::string line;
      std::string where;
      while (std::getline(in, line)) {
        std::smatch match;
        if (std::regex_search(line, match, space)) where = match[1];
        if (!std::regex_search(line, match, type)) continue;
        const auto [other, is_new] = seen.emplace(where + "::" + match[1].str(), entry.path());
        EXPECT_TRUE(is_new || other->second == entry.path())
            << match[1] << " in " << entry.path() << " and " << other->second;
      }
    }
  }
  EXPECT_GT(seen.size(), 50U);
}

TEST(Rules, NoHandWrittenFileIsTooLong) {
  for (const char* tree : {"src", "include", "cli", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / tree)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cc") continue;
      std::ifstream in(entry.path());
      const auto lines = std::count(std::istreambuf_iterator<char>(in), {}, '\n');
      EXPECT_LE(lines, 600) << entry.path();
    }
  }
}

}  // namespace
