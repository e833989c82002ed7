// Every check of the shared benchmark, through the binary: 277 checks, 1,108 correlations to 1e-9,
// and every printed digit of the 116 published ones, except the figure the file itself marks as
// missed by one unit.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "meta/run_assay.h"

namespace assay {
namespace {

using nlohmann::json;

const std::string kBench = ASSAY_ROOT "/../shared/bench";

bool absent() { return !std::filesystem::exists(kBench + "/expected.json"); }

struct Call {
  std::vector<std::string> words;
  std::string method;  // of the rows to look at
};

// The command line that gives a check, from its words for data set, field and convention.
Call call_of(const json& check) {
  Call call;
  const std::string field = check["field"];
  const std::string convention = check["convention"];
  std::string data = check["dataset"];
  const bool without_truth = data.find("ground truth excluded") != std::string::npos;
  data = data.substr(0, data.find(' '));
  call.words = {"meta",        kBench + "/" + check["predictions"].get<std::string>(),
                "--human",     kBench + "/data/" + data + ".jsonl",
                "--format",    "json",
                "--bootstrap", "0",
                "--quiet"};
  const auto add = [&](std::initializer_list<std::string> words) {
    call.words.insert(call.words.end(), words.begin(), words.end());
  };
  if (without_truth) add({"--exclude", "system=Original Ground Truth"});
  if (convention == "pooled") {
    add({"--level", "pooled"});
  } else {
    add({"--level", "grouped", "--constant"});
    add({convention == "grouped_drop_const" ? "skip"
         : convention == "grouped_zero"     ? "zero"
                                            : "human-one"});
  }
  if (check["predictions"].get<std::string>().find("chiang_lee") != std::string::npos) {
    const std::size_t quote = field.find('\'');
    call.method = quote == std::string::npos
                      ? "gpt-3.5-turbo-0613/" + field.substr(0, field.find(';'))
                      : field.substr(quote + 1, field.find('\'', quote + 1) - quote - 1);
    const bool zero = field.find("unparsed_as_0") != std::string::npos;
    add({"--parser", "chiang-lee", "--unparsed", zero ? "zero" : "drop"});
  } else if (field != "score") {
    call.method = field;
    add({"--score", field});
  }
  return call;
}

// Runs every distinct command once.
class Binary {
 public:
  const json& rows(const std::vector<std::string>& words) {
    const std::string key = json(words).dump();
    const auto [place, fresh] = cache_.emplace(key, json());
    if (fresh) {
      const test::Outcome outcome = test::run_assay(words);
      EXPECT_EQ(outcome.code, 0) << key << "\n" << outcome.err;
      place->second = json::parse(outcome.out, nullptr, false);
    }
    return place->second["rows"];
  }

 private:
  std::map<std::string, json> cache_;
};

const json* row_of(const json& rows, const Call& call, const std::string& dimension) {
  for (const json& row : rows) {
    if (row["dimension"] == dimension && (call.method.empty() || row["method"] == call.method))
      return &row;
  }
  return nullptr;
}

TEST(Expected, EveryNumberOfEveryCheck) {
  if (absent())
    GTEST_SKIP() << "no shared benchmark at " << kBench << ": the recorded tables are not checked";
  const json expected = json::parse(test::slurp(kBench + "/expected.json"));
  Binary binary;
  int checks = 0;
  int numbers = 0;
  int printed = 0;
  std::vector<std::string> missed;
  for (const json& check : expected["checks"]) {
    const Call call = call_of(check);
    const json* row = row_of(binary.rows(call.words), call, check["dimension"]);
    ASSERT_NE(row, nullptr) << check.dump();
    ++checks;
    for (const char* name : {"pearson", "spearman", "kendall_b", "kendall_c"}) {
      ASSERT_TRUE((*row)[name].is_number()) << check.dump() << row->dump();
      EXPECT_NEAR((*row)[name], check["values"][name].get<double>(), 1e-9) << check.dump();
      ++numbers;
    }
    if (check["values"].contains("n")) {
      EXPECT_EQ((*row)["n"], check["values"]["n"]);
    } else {
      EXPECT_EQ((*row)["groups"], check["values"]["n_groups_used"]) << check.dump();
      EXPECT_EQ((*row)["dropped"], check["values"]["dropped"]) << check.dump();
      EXPECT_EQ((*row)["human_constant"], check["values"]["human_constant"]) << check.dump();
      EXPECT_EQ((*row)["score_constant"], check["values"]["pred_constant_only"]) << check.dump();
    }
    if (check["role"] != "target") continue;
    for (const auto& [name, figure] : check["published"].items()) {
      const int decimals = check["published_decimals"];
      const bool same = fmt::format("{:.{}f}", (*row)[name].get<double>(), decimals) ==
                        fmt::format("{:.{}f}", figure.get<double>(), decimals);
      EXPECT_EQ(same, check["match"][name].get<bool>()) << name << " " << check.dump();
      ++printed;
      if (!same)
        missed.push_back(fmt::format("{} {} {}", check["name"].get<std::string>(),
                                     check["dimension"].get<std::string>(), name));
    }
  }
  EXPECT_EQ(checks, 277);
  EXPECT_EQ(numbers, 1108);
  EXPECT_EQ(missed.size(), 1u);
  fmt::print(
      "{} checks, {} numbers to 1e-9, {} printed figures, {} missed by a unit in the last digit\n",
      checks, numbers, printed, missed.size());
}

}  // namespace
}  // namespace assay
