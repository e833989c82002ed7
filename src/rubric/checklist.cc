// A checklist out of YAML. Beside the keys it checks what makes the list mean something: yes is
// good (polarity.h), no question is asked twice, and whatever was grown grew from a seed, never
// from another grown question (CheckEval, 3.2: diversification and elaboration are independent). A
// dropped question stays in the file with its reason and need not be well worded: its wording may
// be why it was dropped. Tested in tests/rubric/checklist_test.cc.
#include "rubric/checklist.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/hash.h"
#include "rubric/polarity.h"
#include "rubric/reader.h"

namespace assay {
namespace {

using Origin = CheckQuestion::Origin;

const std::vector<std::string> kOrigins = {"seed", "diversified", "elaborated"};
const std::vector<std::string> kYesIs = {"good", "bad"};
const std::vector<std::string> kFields = {"source", "output", "references", "context", "history"};

struct Context {
  bool english = true;
  Problems& problems;
  std::map<std::string, int> ids;                     // question id -> line
  std::map<std::string, const YamlNode*> texts = {};  // asked text -> where
};

void check_wording(MapReader& reader, const CheckQuestion& question, const Context& context) {
  if (question.text.find('\n') != std::string::npos) {
    reader.problem(
        "text", "a question must be one line: a line of its own would look like another question");
  }
  if (!question.dropped.empty() || question.text.empty()) return;
  if (!question.text.ends_with("?") && !question.text.ends_with("？")) {
    reader.problem("text", fmt::format("\"{}\" is no question: it must end in a question mark",
                                       question.text));
  }
  if (question.vouched || !context.english) return;
  if (const std::string words = bad_yes_words(question.text); !words.empty()) {
    reader.problem("text", fmt::format("a yes to this question looks bad (\"{}\"); yes must mean "
                                       "good: turn the question round "
                                       "(avoids, is free of), or add yes_is: good if it is right",
                                       words));
  }
}

void check_repeat(MapReader& reader, const CheckQuestion& question, const YamlNode& at,
                  Context& context) {
  if (!question.id.empty()) {
    const auto [earlier, fresh] = context.ids.emplace(question.id, question.line);
    if (!fresh) {
      reader.problem("id", fmt::format("the id \"{}\" is also on line {}; ids must differ",
                                       question.id, earlier->second));
    }
  }
  if (!question.dropped.empty() || question.text.empty()) return;
  const auto [same, fresh] = context.texts.emplace(same_text(question.text), &at);
  if (!fresh) {
    reader.problem("text", fmt::format("the same question is asked on line {}; take one away, or "
                                       "give it `dropped: redundancy`",
                                       same->second->line));
  }
}

CheckQuestion read_question(const YamlNode& node, std::size_t number, Context& context) {
  CheckQuestion question;
  MapReader reader(node, fmt::format("question {}", number), context.problems);
  question.line = node.line;
  question.id = reader.id("id", true);
  question.text = reader.text("text", true);
  const std::string origin = reader.choice("origin", "seed", kOrigins);
  question.origin =
      static_cast<Origin>(std::find(kOrigins.begin(), kOrigins.end(), origin) - kOrigins.begin());
  if (!node.find("origin"))
    reader.problem("origin", "\"origin\" is missing: seed, diversified or elaborated");
  question.parent = reader.id("parent", false);
  question.dropped = reader.text("dropped", false);
  const std::string yes_is = reader.choice("yes_is", "", kYesIs);
  if (yes_is == "bad") {
    reader.problem("yes_is",
                   "yes must mean good: turn the question round and take yes_is: bad away");
  }
  question.vouched = !yes_is.empty();
  if (question.origin == Origin::kSeed && !question.parent.empty()) {
    reader.problem("parent",
                   "a seed has no parent; take it away, or say that the question was diversified "
                   "or elaborated");
  }
  if (question.origin != Origin::kSeed && question.parent.empty()) {
    reader.problem("parent",
                   fmt::format("\"parent\" is missing: the id of the seed it was {} from", origin));
  }
  check_wording(reader, question, context);
  check_repeat(reader, question, node, context);
  reader.finish();
  return question;
}

// Parents must be seeds of the same list; a seed may come after its children.
void check_parents(const Checklist& list, const std::string& file, Problems& problems) {
  std::map<std::string, Origin> origins;
  for (const CheckSub& sub : list.subs) {
    for (const CheckQuestion& question : sub.questions)
      origins.emplace(question.id, question.origin);
  }
  for (const CheckSub& sub : list.subs) {
    for (const CheckQuestion& question : sub.questions) {
      if (question.parent.empty()) continue;
      const auto parent = origins.find(question.parent);
      if (parent == origins.end()) {
        problems.add(file, question.line,
                     fmt::format("its parent \"{}\" is no question of this list", question.parent));
      } else if (parent->second != Origin::kSeed) {
        problems.add(
            file, question.line,
            fmt::format("its parent \"{}\" is no seed: questions are grown from seeds only",
                        question.parent));
      }
    }
  }
}

CheckSub read_sub(const YamlNode& node, std::size_t number, Context& context) {
  CheckSub sub;
  const std::string where = fmt::format("sub-dimension {}", number);
  MapReader reader(node, where, context.problems);
  sub.id = reader.id("id", true);
  sub.name = reader.text("name", false);
  if (sub.name.empty()) sub.name = sub.id;
  if (const YamlNode* questions = reader.list("questions", true)) {
    for (const YamlNode& item : questions->items) {
      if (item.kind == YamlNode::Kind::kMap) {
        sub.questions.push_back(read_question(item, sub.questions.size() + 1, context));
      } else {
        context.problems.add(
            item.file, item.line,
            fmt::format("a question must be a map with id, text and origin, not {}",
                        kind_name(item)));
      }
    }
    if (questions->items.empty())
      reader.problem("questions", fmt::format("{} has no question", where));
  }
  reader.finish();
  return sub;
}

std::vector<Input> read_inputs(const YamlNode& map, Problems& problems) {
  std::vector<Input> inputs;
  bool output = false;
  for (const auto& [key, value] : map.entries) {
    if (std::find(kFields.begin(), kFields.end(), key.text) == kFields.end()) {
      problems.add(key.file, key.line,
                   fmt::format("\"{}\" is no field of a row{}", key.text,
                               did_you_mean_clause(key.text, kFields)));
    } else if (value.kind != YamlNode::Kind::kScalar || value.text.empty()) {
      problems.add(key.file, key.line,
                   fmt::format("\"{}\" of inputs must be the name a judge reads, not {}", key.text,
                               kind_name(value)));
    }
    output = output || key.text == "output";
    inputs.push_back({key.text, value.text, false});
  }
  if (!output)
    problems.add(map.file, map.line, "inputs must hold \"output\", the text that is judged");
  return inputs;
}

void read_subs(MapReader& reader, Checklist& list, Context& context) {
  const YamlNode* subs = reader.list("sub_dimensions", true);
  if (!subs) return;
  std::set<std::string> ids;
  for (const YamlNode& item : subs->items) {
    if (item.kind != YamlNode::Kind::kMap) {
      context.problems.add(
          item.file, item.line,
          fmt::format("a sub-dimension must be a map with id and questions, not {}",
                      kind_name(item)));
      continue;
    }
    list.subs.push_back(read_sub(item, list.subs.size() + 1, context));
    const std::string& id = list.subs.back().id;
    if (!id.empty() && !ids.insert(id).second) {
      context.problems.add(item.file, item.line,
                           fmt::format("the sub-dimension \"{}\" is given twice", id));
    }
  }
}

}  // namespace

std::string_view origin_name(Origin origin) { return kOrigins[static_cast<std::size_t>(origin)]; }

std::string same_text(std::string_view text) {
  std::string same;
  bool gap = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                        (byte >= 'A' && byte <= 'Z') || byte >= 0x80;
    if (letter && gap && !same.empty()) same += ' ';
    gap = !letter && (gap || c != '\'');
    if (letter) same += byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : c;
  }
  return same;
}

CheckCounts count_questions(const Checklist& checklist) {
  CheckCounts counts;
  for (const CheckSub& sub : checklist.subs) {
    for (const CheckQuestion& question : sub.questions) {
      if (!question.dropped.empty()) {
        ++counts.dropped;
        continue;
      }
      ++counts.asked;
      ++(question.origin == Origin::kSeed          ? counts.seeds
         : question.origin == Origin::kDiversified ? counts.diversified
                                                   : counts.elaborated);
    }
  }
  return counts;
}

Checklist read_checklist(const YamlNode& root, Problems& problems) {
  Checklist list;
  if (root.kind != YamlNode::Kind::kMap) {
    problems.add(root.file, root.line,
                 fmt::format("a checklist must be a map of keys, not {}", kind_name(root)));
    return list;
  }
  const std::size_t before = problems.all().size();
  MapReader reader(root, "", problems);
  list.origin = root.file;
  list.task = reader.id("task", true);
  list.dimension = reader.id("dimension", true);
  list.version = reader.integer("version", 1);
  if (list.version < 1) reader.problem("version", "\"version\" must be 1 or more");
  if (reader.has("language")) list.language = reader.id("language", true);
  list.made = reader.text("made", false);
  list.notes = reader.texts("notes");
  if (const YamlNode* inputs = reader.map("inputs")) list.inputs = read_inputs(*inputs, problems);
  Context context{list.language == "en", problems, {}};
  read_subs(reader, list, context);
  check_parents(list, root.file, problems);
  reader.finish();
  if (problems.all().size() == before && count_questions(list).asked == 0) {
    reader.problem("sub_dimensions", "no question is left to ask: every one is dropped");
  }
  return list;
}

Checklist parse_checklist(std::string_view text, const std::string& file) {
  Problems problems;
  Checklist list;
  if (const auto root = parse_yaml(text, file, problems)) list = read_checklist(*root, problems);
  problems.throw_first();
  return list;
}

std::string checklist_hash(const Checklist& checklist) {
  Hasher hasher;
  hasher.add("checklist 1")
      .add(checklist.task)
      .add(checklist.dimension)
      .add(std::int64_t{checklist.version});
  hasher.add(static_cast<std::int64_t>(checklist.inputs.size()));
  for (const Input& input : checklist.inputs) hasher.add(input.field).add(input.shown);
  for (const CheckSub& sub : checklist.subs) {
    hasher.add("sub").add(sub.id);
    for (const CheckQuestion& question : sub.questions) {
      hasher.add("question")
          .add(question.text)
          .add(origin_name(question.origin))
          .add(question.dropped);
    }
  }
  return hasher.hex();
}

}  // namespace assay
