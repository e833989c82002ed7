// The reader of result lines: strict, so that a file that was cut or edited wrongly is named and
// not half believed.

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "assay/error.h"
#include "report/json.h"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMaxDepth = 200;  // a method's tree has four or five levels

class Reader {
 public:
  explicit Reader(std::string_view where) : where_(where) {}

  Result result(const Json& json) const;

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    throw ConfigError(fmt::format("{}: {}", where_, what));
  }
  [[noreturn]] void refuse(const char* key, std::string_view want) const {
    refuse(fmt::format("\"{}\" must be {}", key, want));
  }
  const Json& at(const Json& json, const char* key) const {
    const auto it = json.find(key);
    if (it == json.end()) refuse(fmt::format("a result without \"{}\"", key));
    return *it;
  }
  std::string text(const Json& json, const char* key) const {
    const Json& value = at(json, key);
    if (!value.is_string()) refuse(key, "a string");
    return value.get<std::string>();
  }
  double number(const Json& value, const char* key) const {
    if (!value.is_number()) refuse(key, "a number");
    return value.get<double>();
  }
  std::optional<double> maybe(const Json& value, const char* key) const {
    if (value.is_null()) return std::nullopt;
    if (!value.is_number()) refuse(key, "a number or null");
    return value.get<double>();
  }
  std::uint64_t count(const Json& json, const char* key) const {
    const Json& value = at(json, key);
    if (!value.is_number_unsigned() ||
        value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
      refuse(key, "a whole number from 0");
    }
    return value.get<std::uint64_t>();
  }
  const Json& object(const Json& value, const char* key) const {
    if (!value.is_object()) refuse(key, "an object");
    return value;
  }
  const Json& list(const Json& json, const char* key) const {
    const Json& value = at(json, key);
    if (!value.is_array()) refuse(key, "a list");
    return value;
  }

  void score(const Json& json, Result& result) const;
  std::optional<Span> span(const Json& value) const;
  Op op(const std::string& name) const;
  Evidence evidence(const Json& json, int depth) const;
  Usage usage(const Json& json) const;

  std::string_view where_;
};

void Reader::score(const Json& json, Result& result) const {
  result.score = maybe(at(json, "score"), "score");
  const std::string status = text(json, "status");
  if (status != "scored" && status != "unscored") refuse("status", "\"scored\" or \"unscored\"");
  if ((status == "scored") != result.score.has_value()) {
    refuse(fmt::format("\"status\" is \"{}\", but \"score\" {}", status,
                       result.score ? "is a number" : "is null"));
  }
  result.reason = text(json, "reason");
  const Json& scale = at(json, "scale");
  if (scale.is_null()) return;
  if (!scale.is_array() || scale.size() != 2) refuse("scale", "[LOW,HIGH] or null");
  result.scale = Scale{number(scale[0], "scale"), number(scale[1], "scale")};
}

std::optional<Span> Reader::span(const Json& value) const {
  if (value.is_null()) return std::nullopt;
  object(value, "span");
  Span span{text(value, "field"), count(value, "begin"), count(value, "end")};
  if (span.begin > span.end) refuse("a \"span\" that ends before it begins");
  return span;
}

Op Reader::op(const std::string& name) const {
  constexpr std::array kOps = {Op::kLeaf,  Op::kMean,     Op::kWeighted, Op::kSum,
                               Op::kRatio, Op::kExpected, Op::kLast};
  for (const Op op : kOps) {
    if (op_name(op) == name) return op;
  }
  refuse(fmt::format("\"op\" is \"{}\", which is none", name));
}

Evidence Reader::evidence(const Json& json, int depth) const {
  if (depth > kMaxDepth) refuse("the evidence is nested too deeply");
  object(json, "evidence");
  Evidence node;
  node.label = text(json, "label");
  node.op = op(text(json, "op"));
  node.value = maybe(at(json, "value"), "value");
  node.weight = number(at(json, "weight"), "weight");
  node.note = text(json, "note");
  node.span = span(at(json, "span"));
  for (const Json& link : list(json, "links")) {
    if (!link.is_string()) refuse("links", "a list of strings");
    node.links.push_back(link.get<std::string>());
  }
  for (const Json& child : list(json, "children"))
    node.children.push_back(evidence(child, depth + 1));
  return node;
}

Usage Reader::usage(const Json& json) const {
  Usage usage;
  usage.calls = static_cast<std::int64_t>(count(json, "calls"));
  usage.prompt_tokens = static_cast<std::int64_t>(count(json, "prompt_tokens"));
  usage.cached_tokens = static_cast<std::int64_t>(count(json, "cached_tokens"));
  usage.completion_tokens = static_cast<std::int64_t>(count(json, "completion_tokens"));
  usage.usd = number(at(json, "usd"), "usd");
  usage.ms = number(at(json, "ms"), "ms");
  return usage;
}

Result Reader::result(const Json& json) const {
  if (!json.is_object()) refuse("a result must be a JSON object");
  Result result;
  result.id = text(json, "id");
  result.group = text(json, "group");
  result.system = text(json, "system");
  result.dimension = text(json, "dimension");
  result.method = text(json, "method");
  result.judge = text(json, "judge");
  if (json.contains("judge_kind")) result.judge_kind = text(json, "judge_kind");
  result.layout = text(json, "layout");
  score(json, result);
  if (json.contains("deviation")) result.deviation = maybe(json["deviation"], "deviation");
  result.evidence = evidence(at(json, "evidence"), 0);
  const Json& total = object(at(json, "usage"), "usage");
  result.usage = usage(total);
  if (total.contains("stages")) {
    for (const auto& [name, stage] : object(total["stages"], "stages").items()) {
      result.stages.emplace_back(name, usage(object(stage, "stages")));
    }
  }
  result.run = text(json, "run");
  return result;
}

}  // namespace

Result parse_result(std::string_view line, std::string_view where) {
  Json json;
  try {
    json = Json::parse(line);
  } catch (const nlohmann::json::parse_error& error) {
    throw ConfigError(fmt::format("{}: not valid JSON at column {}", where, error.byte));
  } catch (const nlohmann::json::exception&) {
    throw ConfigError(fmt::format("{}: holds a number that is out of range", where));
  }
  return Reader(where).result(json);
}

}  // namespace assay
