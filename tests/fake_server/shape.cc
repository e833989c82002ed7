// The shape of the answer, from the schema or from the wording of our own prompts (prompts/seal).
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>

#include "script.h"

namespace fake {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;
using Kind = Shape::Kind;

std::vector<std::string> strings_of(const element& list) {
  std::vector<std::string> out;
  simdjson::dom::array items;
  if (list.get(items) != simdjson::SUCCESS) return out;
  for (const element item : items) {
    std::string_view text;
    if (item.get(text) == simdjson::SUCCESS) out.emplace_back(text);
  }
  return out;
}

std::string_view type_of(const element& schema) {
  std::string_view type;
  return schema["type"].get(type) == simdjson::SUCCESS ? type : std::string_view();
}

Shape part_of(const element& schema);

Shape words_shape(const element& schema) {
  Shape shape;
  element options;
  if (schema["enum"].get(options) != simdjson::SUCCESS) return shape;
  shape.ids = strings_of(options);
  shape.kind = shape.ids.size() == 2 ? Kind::kYesNo : Kind::kChoice;
  if (shape.ids.size() == 2) {
    shape.yes = shape.ids[0];
    shape.no = shape.ids[1];
  }
  shape.wrapped = false;
  return shape;
}

Shape number_shape(const element& schema) {
  Shape shape;
  shape.kind = Kind::kNumber;
  shape.wrapped = false;
  if (schema["minimum"].get(shape.lo) != simdjson::SUCCESS) shape.lo = 0;
  if (schema["maximum"].get(shape.hi) != simdjson::SUCCESS) shape.hi = shape.lo + 1;
  return shape;
}

// Objects whose values are all of one kind are Keyed, Weights, Lists or Links; others are records.
Shape object_shape(const element& schema) {
  Shape shape;
  object properties;
  if (schema["properties"].get(properties) != simdjson::SUCCESS || properties.size() == 0)
    return shape;
  const element first = (*properties.begin()).value;
  const std::string_view type = type_of(first);
  const bool maximum = first["maximum"].error() == simdjson::SUCCESS;
  element items;
  if (properties.size() == 1 && (*properties.begin()).key == "score") {
    shape = number_shape(first);
    shape.wrapped = true;
    return shape;
  }
  if (properties.size() == 1 && (*properties.begin()).key == "choice") {
    shape = words_shape(first);
    shape.kind = Kind::kChoice;
    shape.wrapped = true;
    return shape;
  }
  if (type == "array" && first["items"].get(items) == simdjson::SUCCESS) {
    element to;
    shape.kind = items["enum"].get(to) == simdjson::SUCCESS ? Kind::kLinks : Kind::kLists;
    if (shape.kind == Kind::kLinks) shape.to = strings_of(to);
  } else if (type == "number" && !maximum) {
    shape.kind = Kind::kWeights;
  } else if (type == "string" && words_shape(first).kind == Kind::kYesNo) {
    shape.kind = Kind::kKeyed;
  } else {
    shape.kind = Kind::kRecord;
  }
  for (const auto property : properties) {
    shape.ids.emplace_back(property.key);
    if (shape.kind == Kind::kRecord) {
      shape.parts.emplace_back(std::string(property.key), part_of(property.value));
    }
  }
  return shape;
}

Shape part_of(const element& schema) {
  const std::string_view type = type_of(schema);
  if (type == "object") return object_shape(schema);
  if (type == "number" || type == "integer") return number_shape(schema);
  if (type == "string") return words_shape(schema);
  return {};
}

// --- from words ---

std::vector<std::string> listed(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(", "), text.size());
    out.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(text.size(), comma + 2));
  }
  return out;
}

// What stands between two phrases, the first taken from the end of the prompt.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t begin = text.rfind(before);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + before.size());
  return text.substr(0, std::min(text.find(after), text.size()));
}

// "exactly these ids" points back at the list after the colon before it.
std::vector<std::string> ids_in(std::string_view prompt) {
  std::string_view ids = between(prompt, "keys are exactly ", " and whose values");
  if (ids.find(';') != std::string_view::npos) ids = ids.substr(0, ids.find(';'));
  if (ids.starts_with("the sentence ids ")) ids.remove_prefix(17);
  if (!ids.starts_with("these ids")) return listed(ids);
  for (const char* lead : {"each by itself: ", "that support it: ", "judgement by itself: "}) {
    ids = between(prompt, lead, "\n");
    if (!ids.empty()) return listed(ids);
  }
  return {};
}

void read_scale(std::string_view prompt, Shape& shape) {
  const std::string scale(between(prompt, "the scale ", "\n"));
  const std::size_t to = scale.find(" to ");
  if (to == std::string::npos) return;
  shape.lo = std::strtod(scale.c_str(), nullptr);
  shape.hi = std::strtod(scale.c_str() + to + 4, nullptr);
}

// A line "label: n", or the number alone (prompts/rating and those beside it).
void rating_shape(std::string_view prompt, Shape& shape) {
  read_scale(prompt, shape);
  const std::size_t line = prompt.rfind(": n\"");
  const std::size_t quote = line == std::string_view::npos ? line : prompt.rfind('"', line);
  if (quote != std::string_view::npos) {
    shape.kind = Kind::kRated;
    shape.ids = {std::string(prompt.substr(quote + 1, line - quote - 1))};
  } else if (prompt.find("the score alone") != std::string_view::npos) {
    shape.kind = Kind::kNumber;
    shape.wrapped = false;
  }
}

std::vector<std::string> line_ids(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t colon = line.find(": ");
    if (colon != std::string_view::npos) out.emplace_back(line.substr(0, colon));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return out;
}

Shape verdicts_and_weights(std::string_view tail) {
  Shape shape;
  shape.kind = Kind::kRecord;
  Shape part;
  part.kind = Kind::kKeyed;
  part.ids = listed(between(tail, "\"no\" under each of ", "; and"));
  shape.parts.emplace_back("verdicts", part);
  part.kind = Kind::kWeights;
  shape.parts.emplace_back("weights", part);
  return shape;
}

}  // namespace

Shape shape_of_schema(std::string_view schema) {
  simdjson::dom::parser parser;
  element root;
  if (schema.empty() || parser.parse(schema.data(), schema.size()).get(root) != simdjson::SUCCESS) {
    return {};
  }
  return part_of(root);
}

Shape shape_of_prompt(std::string_view prompt) {
  Shape shape;
  const std::size_t start = prompt.rfind("Reply with a JSON object");
  const std::size_t word = prompt.rfind("Answer with one word: ");
  if (start == std::string_view::npos || (word != std::string_view::npos && word > start)) {
    if (const std::size_t list = prompt.rfind("\nQuestions:\n");
        word == std::string_view::npos && list != std::string_view::npos &&
        prompt.find("Q<number>: yes") != std::string_view::npos) {
      shape.kind = Kind::kLines;
      shape.ids = line_ids(prompt.substr(list + 1));
      return shape;
    }
    if (word == std::string_view::npos) {
      rating_shape(prompt, shape);
      return shape;
    }
    shape.kind = Kind::kYesNo;
    const std::string_view words = between(prompt, "Answer with one word: ", ".");
    const std::size_t or_at = words.find(" or ");
    if (or_at != std::string_view::npos) {
      shape.yes = words.substr(0, or_at);
      shape.no = words.substr(or_at + 4);
    }
    return shape;
  }
  const std::string_view tail = prompt.substr(start);
  const auto says = [&](std::string_view phrase) {
    return tail.find(phrase) != std::string_view::npos;
  };
  if (says("holding the number")) {
    shape.kind = Kind::kNumber;
    read_scale(prompt, shape);
    return shape;
  }
  if (says("of two keys: \"verdicts\"")) return verdicts_and_weights(tail);
  if (says("{\"sentences\":")) {
    shape.kind = Kind::kLists;
    shape.ids = {"sentences"};
    return shape;
  }
  shape.ids = ids_in(prompt);
  if (says("list of source fact ids")) {
    shape.kind = Kind::kLinks;
    for (const Fence& fence : fences_of(prompt)) {
      if (fence.name == "Source-facts") shape.to = line_ids(fence.text);
    }
  } else if (says("the list of that")) {
    shape.kind = Kind::kLists;
  } else if (says("are the numbers")) {
    Shape part;
    part.kind = Kind::kNumber;
    part.wrapped = false;
    read_scale(prompt, part);
    shape.kind = Kind::kRecord;
    for (const std::string& id : shape.ids) shape.parts.emplace_back(id, part);
  } else if (says("are these numbers")) {
    shape.kind = Kind::kWeights;
  } else {
    shape.kind = Kind::kKeyed;
  }
  return shape;
}

}  // namespace fake
