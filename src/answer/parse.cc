#include "answer/parse.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "answer/last_match.h"
#include "text/fence.h"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

Parsed problem(std::string what) { return {false, {}, std::move(what)}; }
Parsed good(Value value, std::string mended = {}) {
  return {true, std::move(value), std::move(mended)};
}

std::string_view trim(std::string_view text) {
  const auto space = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  return text;
}

// ```json ... ``` around the whole reply.
std::string_view without_code_fence(std::string_view text) {
  if (!text.starts_with("```") || !text.ends_with("```") || text.size() < 7) return text;
  text.remove_suffix(3);
  const std::size_t line = text.find('\n');
  return line == std::string_view::npos ? text : trim(text.substr(line + 1));
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

// A JSON object whose keys are unique; nlohmann keeps the last of two equal keys, which would let a
// planted answer win, so duplicates are refused while parsing.
struct Object {
  Json json;
  std::string problem;
};

Object parse_object(std::string_view text) {
  std::vector<std::set<std::string>> open;
  std::string duplicate;
  const auto watch = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end && !open.empty()) open.pop_back();
    if (event == Json::parse_event_t::key && !open.empty() &&
        !open.back().insert(parsed.get<std::string>()).second) {
      duplicate = parsed.get<std::string>();
    }
    return true;
  };
  Json json = Json::parse(text.begin(), text.end(), watch, false);
  if (json.is_discarded() || !json.is_object()) return {{}, "the reply is not a JSON object"};
  if (!duplicate.empty()) return {{}, fmt::format("the key \"{}\" stands there twice", duplicate)};
  return {std::move(json), {}};
}

// Every name present and nothing else; empty when so.
std::string key_problem(const Json& json, const std::vector<std::string>& names) {
  if (!json.is_object()) return "a JSON object was expected";
  for (const std::string& name : names) {
    if (!json.contains(name))
      return fmt::format("\"{}\" is missing ({} of {} keys are there)", name, json.size(),
                         names.size());
  }
  for (const auto& item : json.items()) {
    if (std::find(names.begin(), names.end(), item.key()) == names.end()) {
      return fmt::format("\"{}\" was not asked for", item.key());
    }
  }
  return {};
}

std::optional<bool> yes_no(std::string_view word, const YesNo& words) {
  std::string said = lower(trim(word));
  while (!said.empty() && (said.back() == '.' || said.back() == '!')) said.pop_back();
  if (said == lower(words.yes)) return true;
  if (said == lower(words.no)) return false;
  return std::nullopt;
}

Parsed parse_part(const AnswerSpec& spec, const Json& json);

Parsed parse_rated(const Rated& spec, std::string_view text) {
  const std::optional<double> n = last_number_after(text, spec.label);
  if (!n) return problem(fmt::format("there is no \"{}: n\" in it", spec.label));
  return parse_part(Number{spec.lo, spec.hi, spec.step}, Json(*n));
}

Parsed parse_lines(const Lines& spec, std::string_view text) {
  Named<bool> answers = last_yes_no_lines(text, spec.ids);
  if (answers.empty()) return problem("no line of it is \"ID: yes\" or \"ID: no\"");
  return good({std::move(answers)});
}

struct ParsePart {
  const Json& json;

  Parsed operator()(const YesNo& spec) const {
    if (json.is_string()) {
      if (const auto said = yes_no(json.get_ref<const std::string&>(), spec)) return good({*said});
    }
    return problem(fmt::format("\"{}\" or \"{}\" was expected", spec.yes, spec.no));
  }

  Parsed operator()(const Keyed& spec) const {
    if (std::string wrong = key_problem(json, spec.ids); !wrong.empty())
      return problem(std::move(wrong));
    Named<bool> answers;
    for (const std::string& id : spec.ids) {
      const Json& said = json[id];
      const auto verdict =
          said.is_string() ? yes_no(said.get_ref<const std::string&>(), {}) : std::nullopt;
      if (!verdict) return problem(fmt::format("\"{}\" must be \"yes\" or \"no\"", id));
      answers.emplace_back(id, *verdict);
    }
    return good({std::move(answers)});
  }

  Parsed operator()(const Weights& spec) const {
    if (std::string wrong = key_problem(json, spec.ids); !wrong.empty())
      return problem(std::move(wrong));
    Named<double> weights;
    double sum = 0;
    for (const std::string& id : spec.ids) {
      if (!json[id].is_number())
        return problem(fmt::format("the weight of \"{}\" must be a number", id));
      const double weight = json[id].get<double>();
      if (!(weight >= 0) || !std::isfinite(weight))
        return problem(fmt::format("the weight of \"{}\" must not be negative", id));
      weights.emplace_back(id, weight);
      sum += weight;
    }
    if (!(sum > 0) || !std::isfinite(sum)) return problem("the weights must sum to 1, not to 0");
    for (auto& [id, weight] : weights) weight /= sum;
    const bool off = std::abs(sum - 1) > 1e-6;
    return good({std::move(weights)},
                off ? fmt::format("weights summed to {:.4g}; renormalised", sum) : "");
  }

  Parsed operator()(const Number& spec) const {
    if (!json.is_number()) return problem("a number was expected");
    const double n = json.get<double>();
    if (!(n >= spec.lo && n <= spec.hi))
      return problem(fmt::format("{} is not between {} and {}", n, spec.lo, spec.hi));
    const double steps = (n - spec.lo) / spec.step;
    if (spec.step > 0 && std::abs(steps - std::round(steps)) > 1e-9) {
      return problem(fmt::format("{} is not on the scale {} to {} in steps of {}", n, spec.lo,
                                 spec.hi, spec.step));
    }
    return good({n});
  }

  Parsed operator()(const Choice& spec) const {
    if (json.is_string()) {
      const auto said = trim(json.get_ref<const std::string&>());
      for (const std::string& option : spec.options) {
        if (said == option) return good({option});
      }
    }
    return problem("none of the options on offer was chosen");
  }

  Parsed operator()(const Lists& spec) const { return lists(spec.names, nullptr); }
  Parsed operator()(const Links& spec) const { return lists(spec.from, &spec.to); }

  Parsed operator()(const LogLik&) const {
    return problem("a log-likelihood is not read from a reply");
  }

  Parsed operator()(const Text&) const {
    if (!json.is_string() || trim(json.get_ref<const std::string&>()).empty())
      return problem("a text was expected");
    return good({json.get<std::string>()});
  }

  Parsed operator()(const Rated& spec) const {
    return json.is_string() ? parse_rated(spec, json.get_ref<const std::string&>())
                            : problem("a text was expected");
  }
  Parsed operator()(const Lines& spec) const {
    return json.is_string() ? parse_lines(spec, json.get_ref<const std::string&>())
                            : problem("a text was expected");
  }

  Parsed operator()(const Record& spec) const {
    std::vector<std::string> names;
    for (const RecordPart& part : spec.parts) names.push_back(part.name);
    Parsed all = good({Named<Value>{}});
    if (std::string wrong = key_problem(json, names); !wrong.empty())
      all = problem(std::move(wrong));
    if (!json.is_object()) return all;
    Named<Value> values;
    for (const RecordPart& part : spec.parts) {
      if (!json.contains(part.name)) continue;
      Parsed parsed = parse_part(part.spec, json[part.name]);
      if (!parsed.problem.empty() && (all.ok || !parsed.ok))
        all.problem = fmt::format("{}: {}", part.name, parsed.problem);
      if (parsed.ok) values.emplace_back(part.name, std::move(parsed.value));
      all.ok = all.ok && parsed.ok;
    }
    all.value.data = std::move(values);
    return all;
  }

 private:
  Parsed lists(const std::vector<std::string>& names,
               const std::vector<std::string>* allowed) const {
    if (std::string wrong = key_problem(json, names); !wrong.empty())
      return problem(std::move(wrong));
    Named<std::vector<std::string>> all;
    for (const std::string& name : names) {
      if (!json[name].is_array()) return problem(fmt::format("\"{}\" must be a list", name));
      std::vector<std::string> items;
      for (const Json& item : json[name]) {
        if (!item.is_string())
          return problem(fmt::format("\"{}\" must be a list of strings", name));
        std::string text(trim(item.get_ref<const std::string&>()));
        if (allowed != nullptr &&
            std::find(allowed->begin(), allowed->end(), text) == allowed->end()) {
          return problem(fmt::format("\"{}\" names \"{}\", which does not exist", name, text));
        }
        if (!text.empty() &&
            (allowed == nullptr || std::find(items.begin(), items.end(), text) == items.end())) {
          items.push_back(std::move(text));
        }
      }
      all.emplace_back(name, std::move(items));
    }
    return good({std::move(all)});
  }
};

Parsed parse_part(const AnswerSpec& spec, const Json& json) {
  return std::visit(ParsePart{json}, spec);
}

// A shape that may come bare ("4") or wrapped ({"score": 4}).
Parsed parse_wrapped(const AnswerSpec& spec, const char* key, std::string_view text) {
  Object object = parse_object(text);
  if (!object.problem.empty()) return problem(std::move(object.problem));
  if (std::string wrong = key_problem(object.json, {key}); !wrong.empty())
    return problem(std::move(wrong));
  return parse_part(spec, object.json[key]);
}

Parsed parse_number(const Number& spec, std::string_view text) {
  double n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error == std::errc() && end == text.data() + text.size()) return parse_part(spec, Json(n));
  return parse_wrapped(spec, "score", text);
}

}  // namespace

Parsed parse_answer(const AnswerSpec& spec, std::string_view reply) {
  std::string_view text = trim(reply);
  if (text.empty()) return problem("the reply is empty");
  if (std::holds_alternative<Text>(spec)) return good({std::string(text)});
  if (const auto* rated = std::get_if<Rated>(&spec)) return parse_rated(*rated, text);
  if (const auto* lines = std::get_if<Lines>(&spec)) return parse_lines(*lines, text);
  text = without_code_fence(text);
  if (const auto* words = std::get_if<YesNo>(&spec)) {
    if (const auto said = yes_no(text, *words)) return good({*said});
    if (!text.starts_with('{'))
      return problem(fmt::format("the reply is not just \"{}\" or \"{}\"", words->yes, words->no));
    return parse_wrapped(spec, "answer", text);
  }
  if (const auto* number = std::get_if<Number>(&spec)) return parse_number(*number, text);
  if (const auto* choice = std::get_if<Choice>(&spec)) {
    if (std::find(choice->options.begin(), choice->options.end(), text) != choice->options.end()) {
      return good({std::string(text)});
    }
    return parse_wrapped(spec, "choice", text);
  }
  Object object = parse_object(text);
  if (!object.problem.empty()) return problem(std::move(object.problem));
  return parse_part(spec, object.json);
}

bool repeats_judged_text(std::string_view reply, const std::vector<Message>& messages) {
  const std::string_view said = without_code_fence(trim(reply));
  if (said.empty()) return false;
  for (const Message& message : messages) {
    if (message.role == Role::kAssistant) continue;  // a repair quotes the earlier reply there
    if (message.text.find(said) == std::string::npos) continue;  // the cheap question first
    for (const std::string& text : fenced_texts(message.text)) {
      if (trim(text) == said) return true;
      if (said.front() == '{' && text.find(said) != std::string::npos) return true;
    }
  }
  return false;
}

}  // namespace assay
