#include "methods/compose.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "assay/error.h"

namespace assay {
namespace {

constexpr const char* kBetweenBlocks = "\n\n";

const std::vector<std::string>& blocks_of(const Prompt& prompt, const Prompt::Turn& turn,
                                          const std::string& layout) {
  const auto found = turn.blocks.find(layout);
  if (found == turn.blocks.end()) {
    throw ConfigError(fmt::format("prompt {}: it has no layout \"{}\"", prompt.id, layout));
  }
  return found->second;
}

struct TurnText {
  std::string shared;
  std::string tail;
};

TurnText turn_text(const Prompt& prompt, const Prompt::Turn& turn, const std::string& layout,
                   const TemplateValues& values) {
  TurnText text;
  bool in_tail = false;
  for (const std::string& name : blocks_of(prompt, turn, layout)) {
    if (name == "|") {
      in_tail = true;
      continue;
    }
    const auto block = prompt.blocks.find(name);
    if (block == prompt.blocks.end()) {
      throw ConfigError(fmt::format("prompt {}: the block \"{}\" does not exist", prompt.id, name));
    }
    const std::string filled = render(block->second, values);
    if (filled.empty()) continue;
    std::string& to = in_tail ? text.tail : text.shared;
    if (!text.shared.empty() || !text.tail.empty()) to += kBetweenBlocks;
    to += filled;
  }
  return text;
}

}  // namespace

Question compose(const Prompt& prompt, const std::string& layout, const TemplateValues& values,
                 AnswerSpec answer) {
  Question question;
  for (const Prompt::Turn& turn : prompt.turns) {
    TurnText text = turn_text(prompt, turn, layout, values);
    question.shared.push_back({turn.role, std::move(text.shared)});
    question.tail = std::move(text.tail);
  }
  question.answer = std::move(answer);
  return question;
}

std::string joined(const std::vector<std::string>& ids) {
  return fmt::format("{}", fmt::join(ids, ", "));
}

}  // namespace assay
