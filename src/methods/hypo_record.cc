#include "methods/hypo_record.h"

#include <fmt/core.h>

#include "core/hash.h"
#include "methods/hypo_learn.h"
#include "rubric/bank.h"
#include "rubric/prompt_file.h"
#include "text/json_text.h"

namespace assay {
namespace {

constexpr const char* kRoles[] = {"system", "user", "assistant"};
constexpr const char* kStatuses[] = {"ok", "unparsable", "refused", "transport"};

std::string messages_hash(const Question& question) {
  Hasher hasher;
  for (const Message& message : messages_of(question))
    hasher.add(kRoles[static_cast<int>(message.role)]).add(message.text);
  return hasher.hex().substr(0, 16);
}

// The blocks in the layout's order, placeholders and all.
std::string prompt_entry(const Prompt& prompt, const std::string& layout) {
  std::string out = fmt::format("  - id: {}\n    version: {}\n    turns:\n", json_text(prompt.id),
                                prompt.version);
  for (const Prompt::Turn& turn : prompt.turns) {
    std::string text;
    for (const std::string& block : turn.blocks.at(layout)) {
      if (block != kTailMark) text += (text.empty() ? "" : "\n\n") + prompt.blocks.at(block);
    }
    out += fmt::format("      - role: {}\n", kRoles[static_cast<int>(turn.role)]) +
           yaml_entry(8, "text", text);
  }
  return out;
}

std::string row_entry(const Row& row, double label, const Rubric& rubric) {
  std::string out = fmt::format("  - id: {}\n    label: {}\n    mapped: {}\n",
                                json_text(row.sample.id), *find(row.human, rubric.id), label);
  for (const Input& input : rubric.inputs) {
    const std::string text = field_text(row.sample, input.field);
    if (!text.empty()) out += yaml_entry(4, input.field, text);
  }
  return out;
}

std::string id_list(const char* key, const std::vector<std::string>& ids) {
  if (ids.empty()) return {};
  std::string out = fmt::format("    {}: [", key);
  for (std::size_t i = 0; i < ids.size(); ++i) out += (i == 0 ? "" : ", ") + json_text(ids[i]);
  return out + "]\n";
}

std::string call_entry(const HypoCall& call, const Question& question, const Verdict& verdict,
                       const HypoMaterial& material, std::size_t round) {
  std::string out = fmt::format("  - round: {}\n    prompt: hypoeval/{}\n    role: {}\n", round,
                                HypoQuestions::prompt_of(call.kind), question.role);
  std::vector<std::string> ids;
  for (const int h : call.hypotheses) ids.push_back(fmt::format("h{}", h + 1));
  out += id_list("hypotheses", ids);
  ids.clear();
  for (const int row : call.rows)
    ids.push_back(material.rows[static_cast<std::size_t>(row)]->sample.id);
  out += id_list("rows", ids);
  if (call.text >= 0) out += fmt::format("    text: {}\n", call.text + 1);
  if (call.literature) out += "    literature: true\n";
  if (call.wanted > 0) out += fmt::format("    wanted: {}\n", call.wanted);
  out += fmt::format("    messages: {}\n", json_text(messages_hash(question)));
  out += fmt::format("    status: {}\n", kStatuses[static_cast<int>(verdict.status)]);
  return out + yaml_entry(4, "reply", verdict.raw);
}

}  // namespace

std::string hypo_record(const HypoLearn& learn, const HypoQuestions& questions,
                        const HypoOptions& options, const Preparation& preparation,
                        const Transcript& transcript) {
  const HypoMaterial material = learn.material(preparation);
  std::string out = fmt::format("record: 1\nseed: {}\nprompts:\n", options.seed);
  for (const auto& [id, prompt] : questions.prompts()) {
    if (id != "score-joined") out += prompt_entry(prompt, options.layout);
  }
  if (!material.rows.empty()) out += "rows:\n";
  for (std::size_t i = 0; i < material.rows.size(); ++i)
    out += row_entry(*material.rows[i], material.labels[i], questions.rubric());
  if (!preparation.texts.empty()) out += "literature:\n";
  for (const std::string& text : preparation.texts)
    out += fmt::format("  - sha256: {}\n", json_text(sha256_hex(text)));
  out += "calls:\n";
  HypoState state = learn.start(preparation);
  for (std::size_t round = 0; round < transcript.size(); ++round) {
    const Ask ask = learn.ask(state, material);
    for (std::size_t i = 0; i < ask.questions.size(); ++i) {
      out += call_entry(state.pending()[i], ask.questions[i], transcript[round][i], material,
                        round + 1);
    }
    state.fold(transcript[round]);
  }
  return out;
}

}  // namespace assay
