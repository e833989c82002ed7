// Every fault planted in examples/ (examples/planted.jsonl is the key) must be the one that is
// found: the real binary judges the file, the clean row must score higher in that dimension, and
// the planted unit must be the weakest.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace assay {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::vector<Json> read_lines(const fs::path& path) {
  std::vector<Json> rows;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) rows.push_back(Json::parse(line));
  }
  return rows;
}

fs::path example(const std::string& name) { return fs::path(ASSAY_ROOT) / "examples" / name; }

// Results of one run by row id. Runs are kept: several faults are planted in one file.
const std::map<std::string, Json>& results(const std::string& file, const std::string& task,
                                           const std::string& dimension,
                                           const std::string& options) {
  static std::map<std::string, std::map<std::string, Json>> runs;
  const std::string name = task + "_" + dimension + options;
  const auto [run, fresh] = runs.try_emplace(file + name);
  if (!fresh) return run->second;
  const fs::path out = fs::path(testing::TempDir()) / ("assay_planted_" + name + ".jsonl");
  const std::string command = std::string(ASSAY_BINARY) + " eval '" + example(file).string() +
                              "' --task " + task + " --dimension " + dimension +
                              " --judge builtin --store none --quiet " + options + " -o '" +
                              out.string() + "' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  for (Json& row : read_lines(out)) run->second[row.at("id")] = row;
  fs::remove(out);
  return run->second;
}

std::string text_of(const Json& rows_of_file, const Json& span) {
  const std::string text = rows_of_file.at(span.at("field").get<std::string>());
  const std::size_t begin = span.at("begin");
  return text.substr(begin, span.at("end").get<std::size_t>() - begin);
}

// The text of the unit with the lowest value; of a tie, the first.
std::string weakest_unit(const Json& result, const Json& row) {
  const Json* weakest = nullptr;
  for (const Json& unit : result.at("evidence").at("children")) {
    if (!unit.contains("value") || unit.at("value").is_null()) continue;
    if (!weakest || unit.at("value") < weakest->at("value")) weakest = &unit;
  }
  if (!weakest || !weakest->contains("span") || weakest->at("span").is_null()) return "";
  return text_of(row, weakest->at("span"));
}

Json row_of(const std::string& file, const std::string& id) {
  for (Json& row : read_lines(example(file))) {
    if (row.at("id") == id) return row;
  }
  return {};
}

class Planted : public testing::TestWithParam<std::string> {};

TEST_P(Planted, EveryFaultIsFound) {
  const auto key = read_lines(example("planted.jsonl"));
  ASSERT_GE(key.size(), 10u);
  for (const Json& fault : key) {
    const std::string file = fault.at("file");
    SCOPED_TRACE(fault.dump());
    const auto& found = results(file, fault.at("task"), fault.at("dimension"), GetParam());
    ASSERT_TRUE(found.contains(fault.at("id")) && found.contains(fault.at("clean")));
    const Json& faulty = found.at(fault.at("id"));
    const Json& clean = found.at(fault.at("clean"));
    ASSERT_TRUE(faulty.at("score").is_number() && clean.at("score").is_number());
    EXPECT_LT(faulty.at("score").get<double>(), clean.at("score").get<double>());
    const Json row = row_of(file, fault.at("id"));
    EXPECT_NE(weakest_unit(faulty, row).find(fault.at("unit").get<std::string>()),
              std::string::npos)
        << "weakest: " << weakest_unit(faulty, row);
  }
}

// As people run it, and with the soft values that rank finer.
INSTANTIATE_TEST_SUITE_P(Verdicts, Planted, testing::Values("", "--soft"),
                         [](const auto& info) { return info.param.empty() ? "Hard" : "Soft"; });

TEST(Examples, TheKeyNamesRowsAndFragmentsThatExist) {
  for (const Json& fault : read_lines(example("planted.jsonl"))) {
    const Json faulty = row_of(fault.at("file"), fault.at("id"));
    const Json clean = row_of(fault.at("file"), fault.at("clean"));
    ASSERT_FALSE(faulty.is_null() || clean.is_null()) << fault.dump();
    EXPECT_EQ(faulty.at("group"), clean.at("group"));
    EXPECT_EQ(clean.at("system"), "careful");
    const std::string unit = fault.at("unit");
    EXPECT_NE(faulty.at("output").get<std::string>().find(unit), std::string::npos) << unit;
    EXPECT_EQ(clean.at("output").get<std::string>().find(unit), std::string::npos) << unit;
  }
}

}  // namespace
}  // namespace assay
