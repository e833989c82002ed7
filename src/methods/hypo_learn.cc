// HypoEval's learning as a preparation: which rows are S_tr, the replay, and the bank that comes
// out. The algorithm is in hypo_state.cc, its arithmetic in hypo_bandit.cc, the record in
// hypo_record.cc. Tested in tests/methods/hypo_bandit_test.cc and, with a server that is killed
// half way, in tests/learn.

#include "methods/hypo_learn.h"

#include <fmt/core.h>

#include <algorithm>

#include "assay/error.h"
#include "methods/hypo_random.h"
#include "methods/hypo_record.h"
#include "rubric/bank.h"
#include "rubric/rubric_file.h"

namespace assay {
namespace {

constexpr Scale kScale{1, 5};

std::vector<const Row*> labelled_rows(const Preparation& preparation,
                                      const std::string& dimension) {
  std::vector<const Row*> rows;
  for (const Row& row : preparation.labelled) {
    if (find(row.human, dimension) != nullptr) rows.push_back(&row);
  }
  return rows;
}

bool all_equal(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
}

}  // namespace

HypoLearn::HypoLearn(Rubric rubric, const HypoQuestions::Prompts& prompts, HypoOptions options)
    : questions_(std::move(rubric), prompts, options.layout), options_(std::move(options)) {
  options_.validate();
}

std::string HypoLearn::settings() const {
  return fmt::format("hypoeval-learn {} {}", options_.describe(), questions_.settings());
}

Needs HypoLearn::needs() const {
  Needs needs;
  needs.generation = true;
  needs.grades = true;
  return needs;
}

// S_tr: a seeded choice of --labels rows, in the order drawn; the first of them are S_init. Labels
// go linearly to 1-5.
HypoMaterial HypoLearn::material(const Preparation& preparation) const {
  HypoMaterial material;
  material.texts = &preparation.texts;
  if (!needs_labels()) return material;
  material.rows = labelled_rows(preparation, dimension());
  SeededRandom(static_cast<std::uint64_t>(options_.seed)).shuffle(material.rows);
  material.rows.resize(std::min(material.rows.size(), static_cast<std::size_t>(options_.labels)));
  const Scale& from = questions_.rubric().scale;
  for (const Row* row : material.rows) {
    const double label = *find(row->human, dimension());
    material.labels.push_back(kScale.lo +
                              (label - from.lo) * (kScale.hi - kScale.lo) / (from.hi - from.lo));
  }
  return material;
}

void HypoLearn::check(const Preparation& preparation, const std::string& file) const {
  if (options_.from == HypoOptions::From::kLiterature && preparation.texts.empty()) {
    throw ConfigError("--from literature: give the literature with --literature FILE");
  }
  if (!needs_labels()) return;
  const std::vector<const Row*> rows = labelled_rows(preparation, dimension());
  const Scale& scale = questions_.rubric().scale;
  std::vector<double> labels;
  for (const Row* row : rows) {
    labels.push_back(*find(row->human, dimension()));
    if (labels.back() < scale.lo || labels.back() > scale.hi) {
      throw ConfigError(
          fmt::format("{}:{}: human.{} is {}, outside the rubric's scale {} to {}; correct it, or "
                      "set `scale` in a rubric of your own (--rubrics)",
                      file, row->line, dimension(), labels.back(), scale.lo, scale.hi));
    }
  }
  if (static_cast<int>(rows.size()) < options_.labels) {
    throw ConfigError(
        fmt::format("{}: {} of {} rows have a label (human.{}); {} are needed: label more rows, or "
                    "lower --labels",
                    file, rows.size(), preparation.labelled.size(), dimension(), options_.labels));
  }
  if (all_equal(labels)) {
    throw ConfigError(
        fmt::format("{}: all {} labels for {} are {}: nothing can be learned from equal labels",
                    file, labels.size(), dimension(), labels.front()));
  }
  const HypoMaterial chosen = material(preparation);
  if (all_equal(chosen.labels)) {
    throw ConfigError(
        fmt::format("{}: the {} rows that seed {} draws all have the same label; raise --labels or "
                    "use other --seeds",
                    file, chosen.labels.size(), options_.seed));
  }
}

HypoState HypoLearn::start(const Preparation& preparation) const {
  return HypoState(options_, material(preparation).labels,
                   static_cast<int>(preparation.texts.size()));
}

Ask HypoLearn::ask(const HypoState& state, const HypoMaterial& material) const {
  Ask ask;
  for (const HypoCall& call : state.pending())
    ask.questions.push_back(questions_.learner(call, state, material, options_.seed));
  return ask;
}

PrepareStep HypoLearn::next(const Preparation& preparation, const Transcript& transcript) const {
  if (transcript.empty()) check(preparation, "the labelled rows");
  HypoState state = start(preparation);
  for (const Round& round : transcript) state.fold(round);
  if (!state.done()) return ask(state, material(preparation));
  return artefact(preparation, state, transcript);
}

Artefact HypoLearn::artefact(const Preparation& preparation, const HypoState& state,
                             const Transcript& transcript) const {
  if (!state.failure().empty()) {
    return {state.unanswered() ? kUnansweredArtefact : kFailedArtefact, state.failure(), {}};
  }
  const HypoMaterial chosen = material(preparation);
  Bank bank;
  bank.task = questions_.rubric().task;
  bank.dimension = dimension();
  bank.rubric = rubric_hash(questions_.rubric());
  bank.scale = kScale;
  bank.labels = questions_.rubric().scale;
  bank.options = options_.described();
  LearnedBank learned;
  learned.seed = options_.seed;
  for (const Row* row : chosen.rows) learned.seen.push_back(row->sample.id);
  learned.notes = state.notes();
  const HypoBandit& bandit = state.bandit();
  const auto among = [](const std::vector<int>& all, int h) {
    return std::find(all.begin(), all.end(), h) != all.end();
  };
  for (int h = 0; h < static_cast<int>(bandit.hypotheses().size()); ++h) {
    const Hypothesis& hypothesis = bandit.hypotheses()[static_cast<std::size_t>(h)];
    learned.hypotheses.push_back({fmt::format("h{}", h + 1), hypothesis.origin, hypothesis.text,
                                  hypothesis.reward, bandit.scored(h), bandit.pearson(h),
                                  among(state.united(), h), among(state.selected(), h)});
  }
  const std::vector<std::string> seen = learned.seen;
  bank.seeds.push_back(std::move(learned));
  bank.records.push_back(hypo_record(*this, questions_, options_, preparation, transcript));
  return {kBankArtefact, write_bank(bank), seen};
}

}  // namespace assay
