// SEAL, lines 8-10: from verdicts and weights to the score. The tree built here is all there is to
// it: the score is its recomputed value.

#include <fmt/core.h>

#include <algorithm>

#include "methods/failure.h"
#include "methods/seal.h"

namespace assay {
namespace {

using Cell = SealCell;

std::optional<double> prob_of(const Verdict& verdict, const std::string& option) {
  for (const OptionProb& prob : verdict.probs) {
    if (prob.option == option) return prob.p;
  }
  return std::nullopt;
}

std::string note_of(const Verdict& verdict, const std::string& id) {
  const std::string* note = find(verdict.notes, id);
  return note == nullptr ? "" : *note;
}

// The cells of a batched answer, by the ids asked for.
std::vector<Cell> cells_of(const Verdict& verdict, const Value& value) {
  std::vector<Cell> cells;
  if (const auto* answers = value.as<Named<bool>>()) {
    for (const auto& [id, yes] : *answers)
      cells.push_back({yes, prob_of(verdict, id), note_of(verdict, id), {}});
  } else if (const auto* links = value.as<Named<std::vector<std::string>>>()) {
    for (const auto& [id, supports] : *links) {
      cells.push_back({!supports.empty(), prob_of(verdict, id), note_of(verdict, id), supports});
    }
  }
  return cells;
}

// P(yes) among yes and no, where the judge gave both; a lexical judge gives "yes" alone.
Cell yes_no_cell(const Verdict& verdict, const std::string& yes, const std::string& no) {
  Cell cell{*verdict.value.as<bool>(), std::nullopt, note_of(verdict, yes), {}};
  const auto p_yes = prob_of(verdict, yes);
  const auto p_no = prob_of(verdict, no);
  if (p_yes && p_no && *p_yes + *p_no > 0) {
    cell.p = *p_yes / (*p_yes + *p_no);
  } else {
    cell.p = p_yes;
  }
  return cell;
}

Named<double> even_weights(const std::vector<SubDimension>& subs) {
  Named<double> weights;
  for (const SubDimension& sub : subs)
    weights.emplace_back(sub.id, 1.0 / static_cast<double>(subs.size()));
  return weights;
}

// The rubric's weights. Under a lexical judge a sub-dimension counts once for every evidence that
// answers it, so that the score is the mean of the evidence it was measured by
// (docs/builtin-judge.md).
Named<double> rubric_weights(const std::vector<SubDimension>& subs, bool lexical) {
  const auto weight = [&](const SubDimension& sub) {
    return sub.weight * (lexical ? static_cast<double>(sub.evidence.size()) : 1);
  };
  double sum = 0;
  for (const SubDimension& sub : subs) sum += weight(sub);
  Named<double> weights;
  for (const SubDimension& sub : subs) weights.emplace_back(sub.id, weight(sub) / sum);
  return weights;
}

Evidence unit_node(const SealPiece& unit, std::vector<Evidence> children) {
  Evidence evidence = node(unit.id, Op::kWeighted, std::move(children));
  evidence.span = unit.span;
  if (unit.inferred)
    evidence.note = fmt::format("{} (place in the text inferred)", unit.text);
  else if (!unit.span.field.empty() && unit.id != "output")
    evidence.note = unit.text;
  return evidence;
}

Score scored(const std::string& dimension, std::vector<Evidence> units, std::string note) {
  Score score;
  score.evidence = node(dimension, Op::kMean, std::move(units));
  score.evidence.note = std::move(note);
  score.score = score.evidence.value;
  return score;
}

void add_note(std::string& note, const std::string& more) {
  if (more.empty()) return;
  if (!note.empty()) note += "; ";
  note += more;
}

// A judge of wording cannot tell a poor text from a paraphrase: where most verdicts are no, the
// result says so.
bool mostly_no(const std::vector<std::vector<Cell>>& cells) {
  std::size_t no = 0;
  std::size_t all = 0;
  for (const std::vector<Cell>& unit : cells) {
    for (const Cell& cell : unit) {
      if (!cell.p) continue;
      ++all;
      no += cell.yes ? 0 : 1;
    }
  }
  return 2 * no > all;
}

// Reads one round in the order ask_verdicts_and_weights asked it.
struct Reader {
  const Round& round;
  std::vector<std::vector<Cell>> cells;  // [unit][sub]
  Named<double> weights;
  std::string note;
  std::optional<std::size_t> failed;  // index of a verdict that cannot be used

  void read_aspects(bool with_weights) {
    const Verdict& verdict = round[0];
    const Value* verdicts = &verdict.value;
    const Value* weighing = nullptr;
    if (with_weights) {
      const auto* record = verdict.value.as<Named<Value>>();
      verdicts = record == nullptr ? nullptr : find(*record, "verdicts");
      weighing = record == nullptr ? nullptr : find(*record, "weights");
    }
    // Weights that stay unreadable do not cost the row: they become even, and the note says so.
    if (verdicts == nullptr || (verdict.status != Status::kOk && !with_weights) ||
        verdict.status == Status::kTransport) {
      failed = 0;
      return;
    }
    cells = {cells_of(verdict, *verdicts)};
    if (!with_weights) return;
    if (weighing != nullptr) weights = *weighing->as<Named<double>>();
    add_note(note, weighing == nullptr ? fmt::format("even weights: {}", verdict.problem)
                                       : verdict.problem);
  }

  void read_weights(std::size_t index) {
    const Verdict& verdict = round[index];
    if (verdict.status == Status::kTransport) {
      failed = index;
    } else if (verdict.status == Status::kOk) {
      weights = *verdict.value.as<Named<double>>();
      add_note(note, verdict.problem);
    } else {
      add_note(note, fmt::format("even weights: {}", failure_of("weights", verdict)));
    }
  }
};

}  // namespace

Score Seal::aggregate(const Parts& parts, const Units& units, const Round& round) const {
  Reader reader{round, std::vector<std::vector<Cell>>(units.size()), {}, parts.note, {}};
  std::size_t at = 0;
  if (aspects_in_one_call(units)) {
    reader.read_aspects(asks_weights());
  } else {
    const bool atomic = options_.ask == SealOptions::Asking::kAtomic;
    for (std::size_t s = 0; s < subs_.size() && !reader.failed; ++s) {
      const std::size_t calls = atomic ? units.size() : 1;
      for (std::size_t c = 0; c < calls; ++c, ++at) {
        if (round[at].status != Status::kOk) {
          reader.failed = at;
          break;
        }
        if (atomic) {
          reader.cells[c].push_back(yes_no_cell(round[at], rubric_.yes, rubric_.no));
        } else {
          std::vector<Cell> column = cells_of(round[at], round[at].value);
          for (std::size_t u = 0; u < units.size(); ++u)
            reader.cells[u].push_back(std::move(column[u]));
        }
      }
    }
    if (!reader.failed && atomic && links_wanted()) {
      if (const auto* links = round[at].value.as<Named<std::vector<std::string>>>();
          links != nullptr && round[at].status == Status::kOk) {
        for (std::size_t u = 0; u < units.size(); ++u)
          reader.cells[u][0].links = (*links)[u].second;
      }
      ++at;
    }
    if (!reader.failed && asks_weights()) reader.read_weights(at);
  }
  if (reader.failed) return unscored(rubric_.id, "verdicts", round[*reader.failed]);

  const bool fixed = options_.weights == SealOptions::Weighing::kFixed ||
                     (options_.lexical && options_.weights == SealOptions::Weighing::kJudge);
  if (reader.weights.empty())
    reader.weights = fixed ? rubric_weights(subs_, options_.lexical) : even_weights(subs_);
  if (options_.lexical && mostly_no(reader.cells)) {
    add_note(reader.note,
             "low confidence: most verdicts are no, as they would be for a good paraphrase");
  }
  std::vector<Evidence> unit_nodes;
  for (std::size_t u = 0; u < units.size(); ++u)
    unit_nodes.push_back(unit_of(units[u], std::move(reader.cells[u]), reader.weights));
  return scored(rubric_.id, std::move(unit_nodes), std::move(reader.note));  // line 10
}

// Line 8. A lexical judge that found no evidence in a row gives no P(yes): such a verdict is shown
// without a value and the other weights are renormalised, as for the sub-dimensions it never has
// evidence for.
Evidence Seal::unit_of(const Part& unit, std::vector<Cell> cells,
                       const Named<double>& weights) const {
  const auto known = [&](std::size_t s) { return !options_.lexical || cells[s].p.has_value(); };
  double sum = 0;
  for (std::size_t s = 0; s < subs_.size(); ++s) sum += known(s) ? weights[s].second : 0;
  std::vector<Evidence> children;
  for (std::size_t s = 0; s < subs_.size(); ++s) {
    Cell& cell = cells[s];
    const double weight = known(s) ? (sum == 1 ? weights[s].second : weights[s].second / sum) : 0;
    const double value = options_.soft && cell.p ? *cell.p : cell.yes ? 1 : 0;
    Evidence verdict = leaf(subs_[s].id, value, weight, std::move(cell.note));  // w(s) * v(u, s)
    if (!known(s)) verdict.value.reset();
    verdict.p = cell.p;
    verdict.links = std::move(cell.links);
    children.push_back(std::move(verdict));
  }
  for (const SubDimension& sub : unknown_) {
    Evidence missing = leaf(sub.id, 0, 0, "unknown to the built-in judge; left out");
    missing.value.reset();
    children.push_back(std::move(missing));
  }
  return unit_node(unit, std::move(children));
}

Score Seal::grade_whole(const Sample& sample, const Parts& parts, const Round& round) const {
  if (round[0].status != Status::kOk) return unscored(rubric_.id, "whole", round[0]);
  const double grade = *round[0].value.as<double>();
  const double span = rubric_.scale.hi - rubric_.scale.lo;
  Evidence graded = leaf("graded", (grade - rubric_.scale.lo) / span, 1,
                         fmt::format("{} on {} to {}", grade, rubric_.scale.lo, rubric_.scale.hi));
  Part whole{"output", sample.fields.output, {"output", 0, sample.fields.output.size()}, false};
  std::string note = parts.note;
  add_note(note, fmt::format("judged whole: split into {}, fewer than {}", parts.output.size(),
                             std::max(threshold_, 2)));
  return scored(rubric_.id, {unit_node(whole, {std::move(graded)})}, std::move(note));
}

Score Seal::aggregate_grades(const Parts& parts, const Units& units, const Round& round) const {
  if (round[0].status != Status::kOk) return unscored(rubric_.id, "grades", round[0]);
  const auto& grades = *round[0].value.as<Named<Value>>();
  std::vector<Evidence> unit_nodes;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const double grade = *grades[u].second.as<double>();
    const double value = (grade - rubric_.scale.lo) / (rubric_.scale.hi - rubric_.scale.lo);
    unit_nodes.push_back(unit_node(
        units[u],
        {leaf("graded", value, 1,
              fmt::format("{} on {} to {}", grade, rubric_.scale.lo, rubric_.scale.hi))}));
  }
  return scored(rubric_.id, std::move(unit_nodes), parts.note);
}

}  // namespace assay
