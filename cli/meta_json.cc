// `assay meta --format json`. docs/formats/meta.md describes every key; keys are only ever added.
#include <nlohmann/json.hpp>

#include "meta_report.h"

namespace assay::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json four(const Correlations& values) {
  Json object = Json::object();
  for (int s = 0; s < Correlations::kCount; ++s) object[statistic_name(s)] = number(values.at(s));
  return object;
}

Json intervals(const Intervals& ci) {
  Json object = Json::object();
  for (int s = 0; s < Correlations::kCount; ++s) {
    object[statistic_name(s)] =
        ci.of[s] ? Json::array({ci.of[s]->lo, ci.of[s]->hi}) : Json(nullptr);
  }
  return object;
}

Json row_json(const MetaRow& row, const MetaReport& report) {
  const Association& association = row.value.association;
  Json object;
  object["method"] = row.method;
  object["judge"] = row.judge;
  object["dimension"] = row.dimension;
  object["level"] = level_name(report.level.level);
  object["constant"] = constant_rule_name(report.level.constant);
  object["part"] = row.part;
  object["n"] = association.n;
  object["groups"] = association.groups;
  object["dropped"] = association.dropped;
  object["human_constant"] = association.human_constant;
  object["score_constant"] = association.score_constant;
  object["small"] = association.small;
  object["unscored"] = row.unscored;
  object["missing"] = row.missing;
  for (int s = 0; s < Correlations::kCount; ++s)
    object[statistic_name(s)] = number(association.value.at(s));
  const bool sampled = report.bootstrap.resamples > 0 && row.repeats == 1;
  object["ci"] = sampled ? intervals(row.value.ci) : Json(nullptr);
  object["p"] = row.repeats == 1 ? four(row.value.p) : Json(nullptr);
  object["bounds"] = nullptr;
  if (row.value.best)
    object["bounds"] = {{"best", four(*row.value.best)}, {"worst", four(*row.value.worst)}};
  object["repeats"] = row.repeats;
  object["std"] = row.repeats > 1 ? four(row.deviation) : Json(nullptr);
  return object;
}

Json spread_json(const Spread& over, const char* count) {
  Json object;
  object[count] = over.count;
  object["mean"] = four(over.mean);
  object["std"] = four(over.deviation);
  Correlations variance;
  for (int s = 0; s < Correlations::kCount; ++s) {
    if (over.deviation.at(s)) variance.at(s) = *over.deviation.at(s) * *over.deviation.at(s);
  }
  object["variance"] = four(variance);
  return object;
}

Json test_json(const MetaTest& test) {
  Json object;
  object["dimension"] = test.dimension;
  object["a"] = test.a;
  object["b"] = test.b;
  object["n"] = test.n;
  object["difference"] = four(test.difference);
  object["permutation_p"] = four(test.permutation_p);
  object["holm_p"] = four(test.holm_p);
  object["williams"] = nullptr;
  if (test.williams) object["williams"] = {{"t", test.williams->t}, {"p", test.williams->p}};
  return object;
}

}  // namespace

std::string meta_json(const MetaReport& report) {
  Json document;
  document["rows"] = Json::array();
  for (const MetaRow& row : report.rows) document["rows"].push_back(row_json(row, report));
  document["averages"] = Json::array();
  for (const MetaAverage& average : report.averages) {
    Json object = {{"method", average.method}, {"judge", average.judge}};
    object.update(spread_json(average.over, "dimensions"));
    document["averages"].push_back(object);
  }
  document["judges"] = Json::array();
  for (const MetaJudges& judges : report.judges) {
    Json object = {{"method", judges.method}, {"dimension", judges.dimension}};
    object.update(spread_json(judges.over, "judges"));
    document["judges"].push_back(object);
  }
  document["ceilings"] = Json::array();
  for (const MetaCeiling& ceiling : report.ceilings) {
    document["ceilings"].push_back({{"dimension", ceiling.dimension},
                                    {"raters", ceiling.raters},
                                    {"ratings_per_row", ceiling.value.raters},
                                    {"n", ceiling.value.n},
                                    {"lower", four(ceiling.value.lower)},
                                    {"upper", four(ceiling.value.upper)}});
  }
  document["tests"] = Json::array();
  for (const MetaTest& test : report.tests) document["tests"].push_back(test_json(test));
  document["bootstrap"] = {{"resamples", report.bootstrap.resamples},
                           {"confidence", report.bootstrap.confidence},
                           {"seed", report.bootstrap.seed}};
  document["remarks"] = report.remarks;
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::cli
