#include "methods/hypo_questions.h"

#include <fmt/core.h>

#include "methods/compose.h"
#include "rubric/prompt_file.h"
#include "rubric/rubric_file.h"
#include "text/fence.h"

namespace assay {
namespace {

constexpr int kLongReply = 4096;  // tokens of several rubrics at once

std::string numbered_texts(const std::vector<std::string>& texts) {
  std::string list;
  for (std::size_t i = 0; i < texts.size(); ++i)
    list += fmt::format("{}{}. {}", i == 0 ? "" : "\n\n", i + 1, texts[i]);
  return list;
}

std::string joined_summaries(const std::vector<std::string>& summaries) {
  std::string all;
  for (const std::string& summary : summaries) {
    if (!summary.empty()) all += (all.empty() ? "" : "\n\n") + summary;
  }
  return all;
}

const char* stage_name(HypoCall::Kind kind) {
  switch (kind) {
    case HypoCall::Kind::kSummary:
      return "literature";
    case HypoCall::Kind::kGenerate:
      return "hypotheses";
    case HypoCall::Kind::kRefine:
      return "refinement";
    case HypoCall::Kind::kDistinct:
      return "repeats";
    case HypoCall::Kind::kScore:
      break;
  }
  return "scores";
}

const char* role_of(HypoCall::Kind kind) {
  switch (kind) {
    case HypoCall::Kind::kSummary:
    case HypoCall::Kind::kGenerate:
      return "generator";
    case HypoCall::Kind::kRefine:
      return "refiner";
    default:
      return "judge";
  }
}

}  // namespace

HypoQuestions::HypoQuestions(Rubric rubric, const Prompts& prompts, std::string layout)
    : rubric_(std::move(rubric)), layout_(std::move(layout)) {
  for (const char* id : {"summary", "generate", "refine", "distinct", "score", "score-joined"}) {
    prompts_.emplace(id, prompts(fmt::format("hypoeval/{}", id)));
  }
}

std::string HypoQuestions::settings() const {
  std::string all = fmt::format("rubric {}", rubric_hash(rubric_));
  for (const auto& [id, prompt] : prompts_) all += fmt::format(" {}", prompt_hash(prompt));
  return all;
}

const char* HypoQuestions::prompt_of(HypoCall::Kind kind) {
  switch (kind) {
    case HypoCall::Kind::kSummary:
      return "summary";
    case HypoCall::Kind::kGenerate:
      return "generate";
    case HypoCall::Kind::kRefine:
      return "refine";
    case HypoCall::Kind::kDistinct:
      return "distinct";
    case HypoCall::Kind::kScore:
      break;
  }
  return "score";
}

// Everything a prompt may name; what does not apply is empty.
TemplateValues HypoQuestions::values() const {
  return {{"introduction", rubric_.introduction},
          {"definition", rubric_.definition},
          {"dimension", rubric_.id},
          {"paper", ""},
          {"literature", ""},
          {"rows", ""},
          {"count", ""},
          {"hypotheses", ""},
          {"hypothesis", ""},
          {"first", ""},
          {"second", ""},
          {"texts", ""}};
}

Question HypoQuestions::question(const char* prompt, const TemplateValues& values,
                                 AnswerSpec answer) const {
  return compose(prompts_.at(prompt), layout_, values, std::move(answer));
}

std::string HypoQuestions::texts_of(const Sample& sample) const {
  std::string texts;
  for (const Input& input : rubric_.inputs) {
    const std::string text = field_text(sample, input.field);
    if (text.empty()) continue;
    texts += (texts.empty() ? "" : "\n\n") + fence(input.shown, text);
  }
  return texts;
}

std::string HypoQuestions::rated_rows(const std::vector<int>& rows,
                                      const HypoMaterial& material) const {
  std::string all;
  for (const int row : rows) {
    const auto at = static_cast<std::size_t>(row);
    all += fmt::format("{}{}\nRating: {:.4g}", all.empty() ? "" : "\n\n",
                       texts_of(material.rows[at]->sample), material.labels[at]);
  }
  return all;
}

Question HypoQuestions::learner(const HypoCall& call, const HypoState& state,
                                const HypoMaterial& material, long seed) const {
  const auto text_of = [&](std::size_t i) -> const std::string& {
    return state.bandit().hypotheses()[static_cast<std::size_t>(call.hypotheses[i])].text;
  };
  if (call.kind == HypoCall::Kind::kScore) {
    const auto row = static_cast<std::size_t>(call.rows[0]);
    return score(
        material.rows[row]->sample, text_of(0),
        fmt::format("scores/{}/h{}", material.rows[row]->sample.id, call.hypotheses[0] + 1));
  }
  TemplateValues all = values();
  AnswerSpec answer = Lists{{"hypotheses"}};
  if (call.kind == HypoCall::Kind::kSummary) {
    all["paper"] = fence("Text", (*material.texts)[static_cast<std::size_t>(call.text)]);
    answer = Text{};
  } else if (call.kind == HypoCall::Kind::kDistinct) {
    all["first"] = fence("First-hypothesis", text_of(0));
    all["second"] = fence("Second-hypothesis", text_of(1));
    answer = YesNo{};
  } else {
    all["rows"] = rated_rows(call.rows, material);
    if (call.literature) all["literature"] = fence("Research", joined_summaries(state.summaries()));
    if (!call.drafts.empty()) all["hypotheses"] = fence("Hypotheses", numbered_texts(call.drafts));
    all["count"] = fmt::format("{}", call.wanted);
  }
  Question asked = question(prompt_of(call.kind), all, std::move(answer));
  asked.role = role_of(call.kind);
  asked.stage = stage_name(call.kind);
  asked.label = asked.stage;
  if (call.wanted > 0) {
    asked.sampling.max_tokens = kLongReply;
    asked.sampling.seed = seed;
  }
  return asked;
}

Question HypoQuestions::score(const Sample& sample, const std::string& hypothesis,
                              std::string label) const {
  TemplateValues all = values();
  all["texts"] = texts_of(sample);
  all["hypothesis"] = fence("Rubric", hypothesis);
  Question asked = question("score", all, Rated{"Final score", 1, 5, 1});
  asked.stage = "scores";
  asked.label = std::move(label);
  return asked;
}

Question HypoQuestions::score_joined(const Sample& sample,
                                     const std::vector<std::string>& hypotheses,
                                     std::string label) const {
  TemplateValues all = values();
  all["texts"] = texts_of(sample);
  all["hypotheses"] = fence("Criterion", numbered_texts(hypotheses));
  Question asked = question("score-joined", all, Rated{"Final score", 1, 5, 1});
  asked.stage = "scores";
  asked.label = std::move(label);
  return asked;
}

}  // namespace assay
