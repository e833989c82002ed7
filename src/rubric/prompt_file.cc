// A prompt out of YAML. Both layouts must hold the same blocks: they differ in order only, so that
// comparing them compares the order. The mark "|" parts the last user turn into what sibling
// questions share and the tail.
#include "rubric/prompt_file.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "assay/error.h"
#include "rubric/reader.h"
#include "text/template.h"

namespace assay {
namespace {

const std::vector<std::string> kShapes = {"yes-no", "keyed", "weights", "number",         "choice",
                                          "lists",  "links", "text",    "log-likelihood", "record",
                                          "rated",  "lines", "same"};
const std::vector<std::string> kRoles = {"system", "user", "assistant"};
const std::vector<std::string> kLayouts = {"shared", "paper"};

using Blocks = std::vector<std::string>;

std::multiset<std::string> without_mark(const Blocks& blocks) {
  std::multiset<std::string> names(blocks.begin(), blocks.end());
  names.erase(kTailMark);
  return names;
}

void check_layouts(const Prompt::Turn& turn, const YamlNode& at, Problems& problems) {
  const Blocks& shared = turn.blocks.at("shared");
  const Blocks& paper = turn.blocks.at("paper");
  if (without_mark(shared) != without_mark(paper)) {
    problems.add(at.file, at.line, "the layouts shared and paper must hold the same blocks");
  }
  for (const Blocks* blocks : {&shared, &paper}) {
    if (std::count(blocks->begin(), blocks->end(), kTailMark) > 1) {
      problems.add(at.file, at.line, "a layout has more than one \"|\"");
    }
  }
}

Prompt::Turn read_turn(const YamlNode& node, std::size_t number, Prompt& prompt,
                       Problems& problems) {
  Prompt::Turn turn;
  const std::string where = fmt::format("turn {}", number);
  MapReader reader(node, where, problems);
  const std::string role = reader.choice("role", "user", kRoles);
  turn.role = static_cast<Role>(std::find(kRoles.begin(), kRoles.end(), role) - kRoles.begin());
  if (!node.find("role")) reader.problem("role", fmt::format("\"role\" of {} is missing", where));
  if (reader.has("text")) {  // short for one block in every layout
    const std::string block = fmt::format("turn-{}", number);
    prompt.blocks[block] = reader.text("text", true);
    for (const std::string& layout : kLayouts) turn.blocks[layout] = {block};
    for (const std::string& layout : kLayouts) {
      if (reader.has(layout))
        reader.problem(layout, fmt::format("{} has both text and layouts", where));
    }
  } else {
    for (const std::string& layout : kLayouts) {
      if (!reader.list(layout)) {
        reader.problem(layout,
                       fmt::format("{} needs text, or the block lists shared and paper", where));
      }
      turn.blocks[layout] = reader.texts(layout);
    }
    check_layouts(turn, node, problems);
  }
  reader.finish();
  return turn;
}

// Blocks are joined by blank lines; their own last line breaks would add to them.
std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

void read_blocks(MapReader& top, Prompt& prompt, Problems& problems) {
  const YamlNode* node = top.map("blocks");
  if (!node) return;
  for (const auto& [key, value] : node->entries) {
    if (value.kind != YamlNode::Kind::kScalar || value.text.empty()) {
      problems.add(value.file, value.line,
                   fmt::format("block \"{}\" must be text, not {}", key.text, kind_name(value)));
    } else if (key.text == kTailMark ||
               !prompt.blocks.emplace(key.text, trimmed(value.text)).second) {
      problems.add(key.file, key.line,
                   fmt::format("block \"{}\" is given twice or has a name in use", key.text));
    }
  }
}

// Renders with every value given, empty and not, which shows what a render would throw.
void check_template(const std::string& name, const std::string& block, const YamlNode& at,
                    Problems& problems) {
  try {
    TemplateValues values;
    for (const std::string& value : template_names(block)) {
      const bool plain = !value.empty() && value.find_first_of(" {}#/^") == std::string::npos;
      if (!plain) throw ConfigError(fmt::format("has a placeholder named \"{}\"", value));
      values.emplace(value, std::string(1, 'x'));
    }
    render(block, values);
  } catch (const ConfigError& error) {
    problems.add(at.file, at.line, fmt::format("block \"{}\": {}", name, error.what()));
  }
}

void check_blocks(const Prompt& prompt, const YamlNode& root, Problems& problems) {
  std::vector<std::string> known;
  for (const auto& [name, block] : prompt.blocks) known.push_back(name);
  std::set<std::string> used;
  for (const Prompt::Turn& turn : prompt.turns) {
    for (const auto& [layout, blocks] : turn.blocks) {
      for (const std::string& name : blocks) {
        if (name == kTailMark || !used.insert(name).second || prompt.blocks.contains(name))
          continue;
        problems.add(root.file, root.line,
                     fmt::format("block \"{}\" is used but not given{}", name,
                                 did_you_mean_clause(name, known)));
      }
    }
  }
  const YamlNode* blocks = root.find("blocks");
  for (const auto& [name, block] : prompt.blocks) {
    const YamlNode* own = blocks ? blocks->find(name) : nullptr;
    const YamlNode& at = own ? *own : root;
    if (!used.contains(name))
      problems.add(at.file, at.line, fmt::format("block \"{}\" is never used", name));
    check_template(name, block, at, problems);
  }
}

void check_turns(const Prompt& prompt, const YamlNode& root, Problems& problems) {
  if (prompt.turns.empty() || prompt.turns.back().role != Role::kUser) {
    problems.add(root.file, root.line, "the last turn of a prompt must be the user's");
  }
  for (std::size_t i = 0; i + 1 < prompt.turns.size(); ++i) {
    for (const auto& [layout, blocks] : prompt.turns[i].blocks) {
      if (std::find(blocks.begin(), blocks.end(), kTailMark) == blocks.end()) continue;
      problems.add(root.file, root.line, "the mark \"|\" belongs into the last turn only");
      break;
    }
  }
}

}  // namespace

bool is_prompt(const YamlNode& root) {
  return root.find("turns") != nullptr || root.find("blocks") != nullptr;
}

Prompt read_prompt(const YamlNode& root, Problems& problems) {
  Prompt prompt;
  MapReader reader(root, "", problems);
  prompt.id = reader.text("id", true);
  if (!prompt.id.empty() && std::count(prompt.id.begin(), prompt.id.end(), '/') != 1) {
    reader.problem("id", fmt::format("\"id\" must be METHOD/QUESTION, not \"{}\"", prompt.id));
  }
  prompt.version = reader.integer("version", 1);
  if (prompt.version < 1) reader.problem("version", "\"version\" must be 1 or more");
  prompt.answer = reader.choice("answer", "", kShapes);
  if (!root.find("answer"))
    reader.problem("answer", "\"answer\" is missing: the shape of the reply");
  if (const YamlNode* turns = reader.list("turns", true)) {
    for (const YamlNode& turn : turns->items) {
      if (turn.kind == YamlNode::Kind::kMap) {
        prompt.turns.push_back(read_turn(turn, prompt.turns.size() + 1, prompt, problems));
      } else {
        problems.add(turn.file, turn.line,
                     fmt::format("a turn must be a map of keys, not {}", kind_name(turn)));
      }
    }
  }
  read_blocks(reader, prompt, problems);
  check_blocks(prompt, root, problems);
  check_turns(prompt, root, problems);
  reader.finish();
  return prompt;
}

std::vector<std::string> prompt_values(const Prompt& prompt) {
  std::set<std::string> names;
  for (const auto& [name, block] : prompt.blocks) {
    for (std::string& value : template_names(block)) names.insert(std::move(value));
  }
  return {names.begin(), names.end()};
}

}  // namespace assay
