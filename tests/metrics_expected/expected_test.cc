// ROUGE and BLEU computed from the texts of ../shared/bench against the recorded scores that give
// the published tables, row by row, and then the correlations with people against expected.json.
// Skips where the data is not.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "methods/metric_method.h"
#include "metrics/metric.h"
#include "stats/levels.h"

namespace assay {
namespace {

using Json = nlohmann::json;
const std::string kBench = std::string(ASSAY_ROOT) + "/../shared/bench/";

std::vector<Json> lines(const std::string& path) {
  std::ifstream file(kBench + path);
  std::vector<Json> result;
  for (std::string line; std::getline(file, line);) result.push_back(Json::parse(line));
  return result;
}

bool absent() { return !std::filesystem::exists(kBench + "expected.json"); }

Sample sample_of(const Json& row) {
  Sample sample;
  sample.id = row["id"];
  sample.group = row["group"];
  sample.system = row["system"];
  sample.fields.source = row["source"];
  sample.fields.output = row["output"];
  sample.fields.references = row.value("references", std::vector<std::string>());
  return sample;
}

struct Column {
  std::string metric;
  std::string convention;
  std::string measure;
  std::string against;
};

// id -> score of one metric on one data set.
std::map<std::string, double> scores(const std::vector<Json>& rows, const Column& column) {
  MetricOptions options;
  options.names = {column.metric};
  options.conventions = {column.convention};
  options.measure = column.measure;
  options.against = column.against;
  const MetricSpec spec = resolve_metrics(options)[0];
  const auto scorer = make_scorer(spec, nullptr);
  std::map<std::string, double> result;
  for (const Json& row : rows) {
    const Score score = metric_score(spec, *scorer, sample_of(row));
    if (score.score) result[row["id"]] = *score.score;
  }
  return result;
}

void expect_recorded(const std::map<std::string, double>& computed,
                     const std::vector<Json>& recorded, const std::string& field,
                     double tolerance) {
  std::size_t wrong = 0;
  for (const Json& row : recorded) {
    const auto it = computed.find(row["id"]);
    ASSERT_NE(it, computed.end()) << row["id"];
    if (std::abs(it->second - row[field].get<double>()) <= tolerance) continue;
    if (++wrong <= 3)
      ADD_FAILURE() << field << " of " << row["id"] << ": " << it->second << " not " << row[field];
  }
  EXPECT_EQ(wrong, 0u) << field << " of " << recorded.size() << " rows";
}

Association correlate_with_people(const std::vector<Json>& rows,
                                  const std::map<std::string, double>& computed,
                                  const std::vector<Json>& recorded, const Json& check) {
  std::map<std::string, bool>
      wanted;  // the recorded rows: without the ground truth on Topical-Chat
  for (const Json& row : recorded) wanted[row["id"]] = true;
  std::map<std::string, int> groups;
  std::vector<Point> points;
  for (const Json& row : rows) {
    if (!wanted.count(row["id"])) continue;
    const int group = groups.emplace(row["group"], static_cast<int>(groups.size())).first->second;
    points.push_back(
        {computed.at(row["id"]), row["human"][check["dimension"].get<std::string>()], group, 0});
  }
  LevelOptions options;
  const std::string convention = check["convention"];
  options.level = convention == "pooled" ? Level::kPooled : Level::kGrouped;
  if (convention == "grouped_zero") options.constant = ConstantRule::kZero;
  if (convention == "grouped_human1") options.constant = ConstantRule::kHumanOne;
  return associate(points, options);
}

// Every check of expected.json on this recorded file, from the texts.
void expect_checks(const std::string& recorded_path, const std::string& data_path,
                   const std::map<std::string, Column>& columns, double tolerance,
                   std::size_t checks) {
  if (absent()) GTEST_SKIP() << "no ../shared/bench here: published figures not checked";
  const std::vector<Json> rows = lines(data_path);
  const std::vector<Json> recorded = lines(recorded_path);
  ASSERT_FALSE(recorded.empty());
  std::map<std::string, std::map<std::string, double>> computed;
  for (const auto& [field, column] : columns) {
    computed[field] = scores(rows, column);
    expect_recorded(computed[field], recorded, field, tolerance);
  }
  std::ifstream file(kBench + "expected.json");
  std::size_t seen = 0;
  const Json expected = Json::parse(file);
  for (const Json& check : expected["checks"]) {
    if (check["predictions"] != recorded_path) continue;
    ++seen;
    const Association got =
        correlate_with_people(rows, computed.at(check["field"]), recorded, check);
    const Json& want = check["values"];
    for (int s = 0; s < Correlations::kCount; ++s) {
      ASSERT_TRUE(got.value.at(s).has_value());
      EXPECT_NEAR(*got.value.at(s), want[statistic_name(s)].get<double>(), 1e-9)
          << check["name"] << " " << check["field"] << " " << check["dimension"] << " "
          << check["convention"];
    }
  }
  EXPECT_EQ(seen, checks);
}

TEST(Expected, Rouge155OnSummEval) {
  std::map<std::string, Column> columns;
  for (const std::string kind : {"1", "2", "L"}) {
    const std::string metric = kind == "L" ? "rouge-l" : "rouge-" + kind;
    columns["rouge" + kind + "_f"] = {metric, "rouge155", "f", "references"};
    columns["rouge" + kind + "_p"] = {metric, "rouge155", "precision", "references"};
    columns["rouge" + kind + "_r"] = {metric, "rouge155", "recall", "references"};
  }
  expect_checks("recorded/rouge155m_summeval.jsonl", "data/summeval.jsonl", columns, 1e-12, 48);
}

TEST(Expected, Rouge155OnQags) {
  std::map<std::string, Column> columns;
  for (const std::string kind : {"1", "2", "L"}) {
    const std::string metric = kind == "L" ? "rouge-l" : "rouge-" + kind;
    columns["rouge" + kind + "_f"] = {metric, "rouge155", "f", "source"};
    columns["rouge" + kind + "_p"] = {metric, "rouge155", "precision", "source"};
    columns["rouge" + kind + "_r"] = {metric, "rouge155", "recall", "source"};
  }
  expect_checks("recorded/rouge155m_qags_cnndm.jsonl", "data/qags_cnndm.jsonl", columns, 1e-12, 3);
}

TEST(Expected, NlgEvalOnTopicalChat) {
  const std::map<std::string, Column> columns = {
      {"rougeL_beta1_2", {"rouge-l", "nlg-eval", "f", "references"}},
      {"bleu1", {"bleu-1", "nlg-eval", "", "references"}},
      {"bleu2", {"bleu-2", "nlg-eval", "", "references"}},
      {"bleu3", {"bleu-3", "nlg-eval", "", "references"}},
      {"bleu4", {"bleu-4", "nlg-eval", "", "references"}}};
  expect_checks("recorded/overlap_topical_chat_n300.jsonl", "data/topical_chat.jsonl", columns,
                1e-14, 12);
}

}  // namespace
}  // namespace assay
