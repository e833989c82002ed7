#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fake {

// What is asked for, read from the JSON schema or, where the server rejects it, from the prompt's
// last lines.
struct Shape {
  enum class Kind {
    kText,
    kYesNo,
    kKeyed,
    kWeights,
    kNumber,
    kChoice,
    kLists,
    kLinks,
    kRecord,
    kRated,  // a line "label: n"; the label is ids[0]
    kLines,  // "Q1: yes", a line each
  };
  Kind kind = Kind::kText;
  std::vector<std::string> ids;  // keys of the object; options of a choice
  std::vector<std::string> to;   // of links
  std::string yes = "yes";
  std::string no = "no";
  double lo = 0;
  double hi = 1;
  bool wrapped = true;  // a number or choice alone in its object; not inside a record
  std::vector<std::pair<std::string, Shape>> parts;
};

// The shape a JSON schema text describes; kText where it is empty or of another kind.
Shape shape_of_schema(std::string_view schema);
// The shape the words of a prompt ask for.
Shape shape_of_prompt(std::string_view prompt);

struct Fence {
  std::string name;
  std::string text;
};
// <<<Name tag ... Name tag>>>; written anew here so that the product's own reader is not its own
// judge.
std::vector<Fence> fences_of(std::string_view prompt);

// The scripted answer: a pure function of the question's texts and ids.
//   verdicts  "no" where the unit's text holds the token BAD (or BAD-<sub-dimension id>), else
//   "yes" weights   equal, or w of a token "W:<id>=<w>" in a fenced text, normalised numbers   the
//   upper end of the scale, the lower where the text holds BAD choices   the first option, the last
//   where the text holds BAD lists     the text cut after ". " (sentences, facts) links     every
//   `to` line whose last word is that of the `from` line, none where that holds BAD
std::string scripted_answer(const Shape& shape, std::string_view prompt);

// JSON string with quotes.
std::string json_string(std::string_view text);

}  // namespace fake
