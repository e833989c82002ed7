// SEAL, lines 2-7: which questions are asked about the units, and with what beside them.
//   batched  one call for all units of a sub-dimension, or for all sub-dimensions of the only unit
//   and their
//            weights, as in the paper's prompts
//   atomic   one yes/no question for each unit and sub-dimension, sharing everything but the last
//   lines

#include <fmt/core.h>

#include <algorithm>

#include "methods/compose.h"
#include "methods/seal.h"
#include "methods/seal_pieces.h"
#include "text/fence.h"

namespace assay {
namespace {

std::string fenced_list(const char* name, const std::vector<SealPiece>& pieces) {
  return pieces.empty() ? "" : fence(name, numbered(pieces));
}

// One unit as an atomic question shows it: the two sentences of a pair stand on lines of their own.
std::string unit_text(const SealPiece& unit, const SealParts& parts) {
  for (std::size_t i = 0; i + 1 < parts.output.size(); ++i) {
    const std::vector<SealPiece> two(parts.output.begin() + static_cast<std::ptrdiff_t>(i),
                                     parts.output.begin() + static_cast<std::ptrdiff_t>(i) + 2);
    if (unit.id == two[0].id + "-" + two[1].id) return numbered(two);
  }
  return unit.text;
}

std::string scale_text(const Rubric& rubric) {
  const std::string text = fmt::format("{} to {}", rubric.scale.lo, rubric.scale.hi);
  return rubric.step == 1 ? text : text + fmt::format(" in steps of {}", rubric.step);
}

Subject::Unit subject_unit(const SealPiece& piece) { return {piece.id, piece.text, piece.span}; }

std::shared_ptr<const Subject> subject_of(const Sample& sample, const std::string& dimension,
                                          const SealUnits& units,
                                          const std::vector<SubDimension>& subs,
                                          const SealParts& parts) {
  auto subject = std::make_shared<Subject>();
  subject->sample = sample;
  subject->dimension = dimension;
  for (const SealPiece& unit : units) subject->units.push_back(subject_unit(unit));
  for (const SubDimension& sub : subs)
    subject->aspects.push_back({sub.id, sub.evidence, sub.yes_at});
  for (const SealPiece& source : parts.source) subject->sources.push_back(subject_unit(source));
  return subject;
}

}  // namespace

bool Seal::asks_weights() const {
  return options_.weights == SealOptions::Weighing::kJudge && !options_.lexical && subs_.size() > 1;
}

bool Seal::aspects_in_one_call(const Units& units) const {
  return options_.ask == SealOptions::Asking::kBatched && units.size() == 1 && subs_.size() > 1;
}

bool Seal::links_wanted() const {
  if (!rubric_.seal->supported_by_source || !options_.decompose) return false;
  return options_.ask == SealOptions::Asking::kBatched || options_.links;
}

Question Seal::question(const char* prompt, const Values& values, AnswerSpec answer,
                        std::string label) const {
  Question asked = compose(prompts_.at(prompt), options_.layout, values, std::move(answer));
  asked.stage = label.substr(0, label.find('/'));
  if (asked.stage == "parts") asked.role = "generator";
  asked.label = std::move(label);
  return asked;
}

// The inputs of the dimension, fenced, in the rubric's order. Texts that stand there as lists of
// units or facts are not shown twice.
std::string Seal::texts_of(const Sample& sample, bool whole) const {
  std::string texts;
  for (const Input& input : rubric_.inputs) {
    const auto& compare = rubric_.seal->compare;
    const bool listed = input.field == "output" ||
                        std::find(compare.begin(), compare.end(), input.field) != compare.end();
    if (listed && !whole) continue;
    std::string text = field_text(sample, input.field);
    if (input.field == "references" && !options_.all_references &&
        !sample.fields.references.empty())
      text = sample.fields.references[0];
    if (text.empty()) continue;
    if (!texts.empty()) texts += "\n\n";
    texts += fence(input.shown, text);
  }
  return texts;
}

Seal::Values Seal::values_of(const Sample& sample, const Parts& parts, const Units& units) const {
  const bool whole = !options_.decompose || rubric_.seal->units == UnitKind::kWhole;
  std::string questions;
  for (const SubDimension& sub : subs_)
    questions += fmt::format("{}{}: {}", questions.empty() ? "" : "\n", sub.id, sub.question);
  std::string anchors;
  for (const Anchor& anchor : rubric_.anchors)
    anchors += fmt::format("{}{}: {}", anchors.empty() ? "" : "\n", anchor.at, anchor.text);
  return {{"texts", texts_of(sample, whole)},
          {"units", whole ? "" : fenced_list("Units", parts.output)},
          {"source_facts", fenced_list("Source-facts", parts.source)},
          {"reference_facts", fenced_list("Reference-facts", parts.reference)},
          {"ids", joined(ids_of(units))},
          {"sub_ids", joined(ids_of(subs_))},
          {"questions", questions},
          {"introduction", rubric_.introduction},
          {"definition", rubric_.definition},
          {"scale", scale_text(rubric_)},
          {"anchors", anchors},
          {"yes", rubric_.yes},
          {"no", rubric_.no},
          {"unit", ""},
          {"question", subs_.size() == 1 ? subs_[0].question : ""}};
}

Ask Seal::ask_whole(const Sample& sample) const {
  Values values = values_of(sample, {}, {});
  values["texts"] = texts_of(sample, true);
  return {{question("holistic", values, Number{rubric_.scale.lo, rubric_.scale.hi, rubric_.step},
                    "whole")}};
}

Ask Seal::ask_grades(const Sample& sample, const Parts& parts, const Units& units) const {
  Record grades;
  for (const Part& unit : units)
    grades.parts.push_back({unit.id, Number{rubric_.scale.lo, rubric_.scale.hi, rubric_.step}});
  return {{question("graded", values_of(sample, parts, units), grades, "grades")}};
}

Ask Seal::ask_verdicts_and_weights(const Sample& sample, const Parts& parts,
                                   const Units& units) const {
  Ask ask;
  Values values = values_of(sample, parts, units);
  const auto add = [&](const char* prompt, AnswerSpec answer, std::string label, const Units& about,
                       const std::vector<SubDimension>& subs) {
    Question asked = question(prompt, values, std::move(answer), std::move(label));
    asked.stage = asked.stage == "units" ? "verdicts" : asked.stage;
    if (options_.lexical) asked.subject = subject_of(sample, rubric_.id, about, subs, parts);
    asked.sampling.probabilities =
        options_.probabilities && std::holds_alternative<YesNo>(asked.answer);
    ask.questions.push_back(std::move(asked));
  };
  if (aspects_in_one_call(units)) {
    const Keyed verdicts{ids_of(subs_)};
    if (asks_weights()) {
      add("aspects-weights", Record{{{"verdicts", verdicts}, {"weights", Weights{ids_of(subs_)}}}},
          "units", units, subs_);
    } else {
      add("aspects", verdicts, "units", units, subs_);
    }
    return ask;
  }
  const bool atomic = options_.ask == SealOptions::Asking::kAtomic;
  const bool support = rubric_.seal->supported_by_source && options_.decompose;
  for (const SubDimension& sub : subs_) {
    values["question"] = sub.question;
    if (!atomic && support) {
      add("support", Links{ids_of(units), ids_of(parts.source)}, "units/" + sub.id, units, {sub});
    } else if (!atomic) {
      add("verdicts", Keyed{ids_of(units)}, "units/" + sub.id, units, {sub});
    } else {
      for (const Part& unit : units) {
        values["unit"] = fence("Unit", unit_text(unit, parts));
        values["ids"] = unit.id;
        add(support ? "support-atomic" : "verdict", YesNo{rubric_.yes, rubric_.no},
            fmt::format("units/{}/{}", unit.id, sub.id), {unit}, {sub});
      }
      values["unit"] = "";
      values["ids"] = joined(ids_of(units));
    }
  }
  if (atomic && support && options_.links)
    add("support", Links{ids_of(units), ids_of(parts.source)}, "links", units, subs_);
  if (asks_weights()) add("weights", Weights{ids_of(subs_)}, "weights", units, subs_);
  return ask;
}

}  // namespace assay
