#include "answer/schema.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

Json object_of(const Json& properties) {
  Json required = Json::array();
  for (const auto& item : properties.items()) required.push_back(item.key());
  return {{"type", "object"},
          {"properties", properties},
          {"required", required},
          {"additionalProperties", false}};
}

Json same_for_all(const std::vector<std::string>& names, const Json& schema) {
  Json properties = Json::object();
  for (const std::string& name : names) properties[name] = schema;
  return object_of(properties);
}

Json words(const std::vector<std::string>& options) {
  return {{"type", "string"}, {"enum", options}};
}

Json strings() { return {{"type", "array"}, {"items", {{"type", "string"}}}}; }

Json number_schema(const Number& n) {
  Json schema = {{"type", "number"}, {"minimum", n.lo}, {"maximum", n.hi}};
  if (n.step == 1) schema["type"] = "integer";
  return schema;
}

// The schema of a shape where it stands inside a Record.
struct PartSchema {
  Json operator()(const YesNo& s) const { return words({s.yes, s.no}); }
  Json operator()(const Keyed& s) const { return same_for_all(s.ids, words({"yes", "no"})); }
  Json operator()(const Weights& s) const {
    return same_for_all(s.ids, {{"type", "number"}, {"minimum", 0}});
  }
  Json operator()(const Number& s) const { return number_schema(s); }
  Json operator()(const Choice& s) const { return words(s.options); }
  Json operator()(const Lists& s) const { return same_for_all(s.names, strings()); }
  Json operator()(const Links& s) const {
    Json list = strings();
    if (!s.to.empty()) list["items"] = words(s.to);
    return same_for_all(s.from, list);
  }
  Json operator()(const LogLik&) const { return nullptr; }
  Json operator()(const Text&) const { return {{"type", "string"}}; }
  Json operator()(const Rated&) const { return {{"type", "string"}}; }
  Json operator()(const Lines&) const { return {{"type", "string"}}; }
  Json operator()(const Record& s) const {
    Json properties = Json::object();
    for (const RecordPart& part : s.parts) properties[part.name] = std::visit(*this, part.spec);
    return object_of(properties);
  }
};

std::string ids_hint(const std::vector<std::string>& ids) {
  return fmt::format("{}", fmt::join(ids, ", "));
}

struct Hint {
  std::string operator()(const YesNo& s) const {
    return fmt::format(
        R"(one word, {} or {}; or the JSON object {{"answer": "{}"}} or {{"answer": "{}"}})", s.yes,
        s.no, s.yes, s.no);
  }
  std::string operator()(const Keyed& s) const {
    return fmt::format("a JSON object with \"yes\" or \"no\" under each of these keys: {}",
                       ids_hint(s.ids));
  }
  std::string operator()(const Weights& s) const {
    return fmt::format(
        "a JSON object with a number of at least 0 under each of these keys, summing to 1: {}",
        ids_hint(s.ids));
  }
  std::string operator()(const Number& s) const {
    return fmt::format("a JSON object {{\"score\": n}}, n from {} to {} in steps of {}", s.lo, s.hi,
                       s.step);
  }
  std::string operator()(const Choice& s) const {
    return fmt::format("a JSON object {{\"choice\": c}}, c one of: {}", ids_hint(s.options));
  }
  std::string operator()(const Lists& s) const {
    return fmt::format("a JSON object with a list of strings under each of these keys: {}",
                       ids_hint(s.names));
  }
  std::string operator()(const Links& s) const {
    return fmt::format("a JSON object with a list of ids (or []) under each of these keys: {}",
                       ids_hint(s.from));
  }
  std::string operator()(const LogLik&) const { return "no reply"; }
  std::string operator()(const Text&) const { return "a text that is not empty"; }
  std::string operator()(const Rated& s) const {
    return fmt::format("a text whose last line is \"{}: n\", n from {} to {} in steps of {}",
                       s.label, s.lo, s.hi, s.step);
  }
  std::string operator()(const Lines& s) const {
    return fmt::format("one line \"ID: yes\" or \"ID: no\" for each of: {}", ids_hint(s.ids));
  }
  std::string operator()(const Record& s) const {
    std::string hint = "a JSON object with";
    for (const RecordPart& part : s.parts)
      hint += fmt::format(" \"{}\": {};", part.name, std::visit(*this, part.spec));
    return hint;
  }
};

struct Name {
  const char* operator()(const YesNo&) const { return "yes-no"; }
  const char* operator()(const Keyed&) const { return "keyed"; }
  const char* operator()(const Weights&) const { return "weights"; }
  const char* operator()(const Number&) const { return "number"; }
  const char* operator()(const Choice&) const { return "choice"; }
  const char* operator()(const Lists&) const { return "lists"; }
  const char* operator()(const Links&) const { return "links"; }
  const char* operator()(const LogLik&) const { return "log-likelihood"; }
  const char* operator()(const Text&) const { return "text"; }
  const char* operator()(const Rated&) const { return "rated"; }
  const char* operator()(const Lines&) const { return "lines"; }
  const char* operator()(const Record&) const { return "record"; }
};

}  // namespace

std::string answer_schema(const AnswerSpec& spec) {
  if (std::holds_alternative<YesNo>(spec) || std::holds_alternative<Text>(spec) ||
      std::holds_alternative<LogLik>(spec) || std::holds_alternative<Rated>(spec) ||
      std::holds_alternative<Lines>(spec)) {
    return {};
  }
  Json schema = std::visit(PartSchema{}, spec);
  if (std::holds_alternative<Number>(spec)) schema = object_of({{"score", schema}});
  if (std::holds_alternative<Choice>(spec)) schema = object_of({{"choice", schema}});
  return schema.dump();
}

std::string shape_name(const AnswerSpec& spec) { return std::visit(Name{}, spec); }

std::string shape_hint(const AnswerSpec& spec) { return std::visit(Hint{}, spec); }

}  // namespace assay
