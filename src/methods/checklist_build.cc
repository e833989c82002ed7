// How a checklist grows, CheckEval section 3.2 (docs/methods/checkeval.md):
//
//   round 1   for every sub-dimension, in one round and independently: diversify (other sides of
//   what each seed asks) and
//             elaborate (3 to 10 narrower questions for each seed). Neither sees what the other
//             gives.
//   round 2   one question over the whole pool, seeds too: which questions should go, and why
//
// Nothing is thrown away: a dropped question stays in the file with its reason. Questions that no
// judge is needed to refuse (no question mark, a yes that looks bad, the same words twice) are
// dropped by us before the filter and also without it, because the file would not pass `assay
// checklist check`. Tested in tests/methods/checklist_build_test.cc.

#include "methods/checklist_build.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "assay/error.h"
#include "methods/compose.h"
#include "methods/failure.h"
#include "methods/rounds.h"
#include "rubric/polarity.h"
#include "rubric/prompt_file.h"
#include "rubric/rubric_file.h"

namespace assay {
namespace {

using Origin = CheckQuestion::Origin;
using Reasons = Named<std::vector<std::string>>;

const std::vector<std::string> kCriteria = {"alignment", "dimension", "style"};

// A pool of some sixty questions and its ids.
constexpr int kMaxTokens = 8192;

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool space = static_cast<unsigned char>(c) <= ' ';
    if (!space) line += c;
    if (space && !line.empty() && line.back() != ' ') line += ' ';
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

// Only seeds, none of them dropped; sub-dimensions without a seed have nothing to grow from.
Checklist seeds_of(Checklist list) {
  for (CheckSub& sub : list.subs) {
    std::erase_if(sub.questions, [](const CheckQuestion& q) {
      return q.origin != Origin::kSeed || !q.dropped.empty();
    });
  }
  std::erase_if(list.subs, [](const CheckSub& sub) { return sub.questions.empty(); });
  if (list.subs.empty())
    throw ConfigError(fmt::format("{}: the list has no seed question to grow from", list.origin));
  list.notes.clear();
  return list;
}

std::vector<std::string> ids_of(const std::vector<CheckQuestion>& questions) {
  std::vector<std::string> ids;
  for (const CheckQuestion& question : questions) ids.push_back(question.id);
  return ids;
}

std::string numbered(const std::vector<CheckQuestion>& questions) {
  std::string list;
  for (const CheckQuestion& question : questions) {
    if (question.dropped.empty())
      list += fmt::format("{}{}: {}", list.empty() ? "" : "\n", question.id, question.text);
  }
  return list;
}

Artefact failed(const std::string& label, const Verdict& verdict) {
  return {ChecklistBuild::kFailure, failure_of(label, verdict), {}};
}

const Reasons* lists_of(const Verdict& verdict) {
  return verdict.status == Status::kOk ? verdict.value.as<Reasons>() : nullptr;
}

struct Growth {
  Origin origin;
  char letter;
  std::size_t least, most;
};

// Adds what was grown from one seed, at most as many as were asked for.
void add_grown(Checklist& pool, CheckSub& sub, const CheckQuestion& seed,
               const std::vector<std::string>* texts, const Growth& how) {
  const std::size_t given = texts == nullptr ? 0 : texts->size();
  if (given < how.least || given > how.most) {
    pool.notes.push_back(fmt::format("{}: {} {} questions came where {} to {} were asked for{}",
                                     seed.id, given, origin_name(how.origin), how.least, how.most,
                                     given > how.most ? "; the first were taken" : ""));
  }
  for (std::size_t i = 0; i < std::min(given, how.most); ++i) {
    sub.questions.push_back({fmt::format("{}-{}{}", seed.id, how.letter, i + 1),
                             one_line((*texts)[i]), how.origin, seed.id, "", false, 0});
  }
}

}  // namespace

PrepareStep ChecklistBuild::next(const Preparation&, const Transcript& transcript) const {
  Rounds rounds(transcript);
  Checklist pool = seeds_;
  if (options_.augment) {
    if (rounds.done()) return ask_growth();
    const Round& round = rounds.take();
    const Ask asked = ask_growth();
    for (std::size_t i = 0; i < round.size(); ++i) {
      if (lists_of(round[i]) == nullptr) return failed(asked.questions[i].label, round[i]);
    }
    pool = grown(round);
    drop_malformed(pool);
  }
  if (options_.filter) {
    if (rounds.done()) return ask_filter(pool);
    const Verdict& verdict = rounds.take().front();
    const Reasons* reasons = lists_of(verdict);
    if (reasons == nullptr) return failed("filter", verdict);
    drop_filtered(pool, *reasons);
  }
  if (count_questions(pool).asked == 0)
    return Artefact{kFailure, "filter: every question was dropped", {}};
  return Artefact{"checklist", checklist_yaml(pool), {}};
}

Ask ChecklistBuild::ask_growth() const {
  Ask ask;
  for (const CheckSub& sub : seeds_.subs) {
    Values filled = values();
    filled["sub"] = sub.name;
    filled["seeds"] = numbered(sub.questions);
    filled["ids"] = joined(ids_of(sub.questions));
    const auto add = [&](const Prompt& prompt, const char* stage, int least, int most) {
      filled["least"] = std::to_string(least);
      filled["most"] = std::to_string(most);
      Question question = compose(prompt, "shared", filled, Lists{ids_of(sub.questions)});
      question.label = fmt::format("{}/{}", stage, sub.id);
      question.stage = stage;
      question.role = "generator";
      question.sampling.max_tokens = kMaxTokens;
      ask.questions.push_back(std::move(question));
    };
    add(diversify_, "diversify", options_.diversify_least, options_.diversify_most);
    add(elaborate_, "elaborate", options_.elaborate_least, options_.elaborate_most);
  }
  return ask;
}

Checklist ChecklistBuild::grown(const Round& round) const {
  Checklist pool = seeds_;
  const auto count = [](int n) { return static_cast<std::size_t>(n); };
  const Growth diversified{Origin::kDiversified, 'd', count(options_.diversify_least),
                           count(options_.diversify_most)};
  const Growth elaborated{Origin::kElaborated, 'e', count(options_.elaborate_least),
                          count(options_.elaborate_most)};
  for (std::size_t i = 0; i < pool.subs.size(); ++i) {
    CheckSub& sub = pool.subs[i];
    const std::vector<CheckQuestion> seeds = std::exchange(sub.questions, {});
    const Reasons& sides = *lists_of(round[2 * i]);
    const Reasons& finer = *lists_of(round[2 * i + 1]);
    for (const CheckQuestion& seed : seeds) {
      sub.questions.push_back(seed);
      add_grown(pool, sub, seed, find(sides, seed.id), diversified);
      add_grown(pool, sub, seed, find(finer, seed.id), elaborated);
    }
  }
  return pool;
}

Ask ChecklistBuild::ask_filter(const Checklist& pool) const {
  Values filled = values();
  std::vector<std::string> ids;
  std::string questions;
  for (const CheckSub& sub : pool.subs) {
    questions +=
        fmt::format("{}{}\n{}", questions.empty() ? "" : "\n\n", sub.name, numbered(sub.questions));
    for (const CheckQuestion& question : sub.questions) {
      if (question.dropped.empty()) ids.push_back(question.id);
    }
  }
  filled["questions"] = questions;
  filled["ids"] = joined(ids);
  std::vector<std::string> to = kCriteria;
  to.insert(to.end(), ids.begin(), ids.end());
  Question question = compose(filter_, "shared", filled, Links{ids, to});
  question.label = question.stage = "filter";
  question.role = "generator";
  question.sampling.max_tokens = kMaxTokens;
  return {{std::move(question)}};
}

ChecklistBuild::Values ChecklistBuild::values() const {
  std::vector<std::string> shown;
  for (const Input& input : seeds_.inputs.empty() ? rubric_.inputs : seeds_.inputs) {
    if (input.field != "references" || !seeds_.inputs.empty()) shown.push_back(input.shown);
  }
  return {{"introduction", rubric_.introduction},
          {"definition", rubric_.definition},
          {"inputs", joined(shown)},
          {"others", others_.empty() ? "length or taste" : joined(others_)}};
}

ChecklistBuild::ChecklistBuild(Rubric rubric, Checklist seeds, std::vector<std::string> others,
                               const Prompts& prompts, ChecklistBuildOptions options)
    : rubric_(std::move(rubric)),
      seeds_(seeds_of(std::move(seeds))),
      others_(std::move(others)),
      options_(options),
      diversify_(prompts("checkeval/diversify")),
      elaborate_(prompts("checkeval/elaborate")),
      filter_(prompts("checkeval/filter")) {
  settings_ = fmt::format("{} {} rubric {} seeds {} {} {} {}", name(), options_.describe(),
                          rubric_hash(rubric_), checklist_hash(seeds_), prompt_hash(diversify_),
                          prompt_hash(elaborate_), prompt_hash(filter_));
}

Needs ChecklistBuild::needs() const {
  Needs needs;
  needs.generation = true;
  return needs;
}

std::string ChecklistBuildOptions::describe() const {
  return fmt::format("augment={} filter={} diversify={}-{} elaborate={}-{}", augment, filter,
                     diversify_least, diversify_most, elaborate_least, elaborate_most);
}

void drop_malformed(Checklist& pool) {
  std::map<std::string, std::string> ids_by_text;
  // Seeds first: of two equal texts the seed is kept, wherever it stands.
  for (const bool seeds : {true, false}) {
    for (CheckSub& sub : pool.subs) {
      for (CheckQuestion& question : sub.questions) {
        if ((question.origin == Origin::kSeed) != seeds || !question.dropped.empty()) continue;
        const auto [same, fresh] = ids_by_text.emplace(same_text(question.text), question.id);
        if (!fresh) {
          question.dropped = fmt::format("redundancy: the same words as {}", same->second);
        } else if (seeds) {
          continue;  // the user's own, already checked
        } else if (!question.text.ends_with("?") && !question.text.ends_with("？")) {
          question.dropped = "style: not a question";
        } else if (const std::string words = bad_yes_words(question.text);
                   pool.language == "en" && !words.empty()) {
          question.dropped = fmt::format("alignment: a yes looks bad (\"{}\")", words);
        }
      }
    }
  }
}

void drop_filtered(Checklist& pool, const Named<std::vector<std::string>>& reasons) {
  std::vector<CheckQuestion*> all;
  std::set<std::string> kept;
  for (CheckSub& sub : pool.subs) {
    for (CheckQuestion& question : sub.questions) {
      if (!question.dropped.empty()) continue;
      all.push_back(&question);
      const std::vector<std::string>* said = find(reasons, question.id);
      std::vector<std::string> fails;
      for (const std::string& criterion : kCriteria) {
        if (said != nullptr && std::find(said->begin(), said->end(), criterion) != said->end())
          fails.push_back(criterion);
      }
      if (fails.empty())
        kept.insert(question.id);
      else
        question.dropped = fmt::format("{}", fmt::join(fails, ", "));
    }
  }
  // From the end, so that of two that name each other the earlier one stays; and only where the one
  // named is still there.
  for (auto it = all.rbegin(); it != all.rend(); ++it) {
    CheckQuestion& question = **it;
    const std::vector<std::string>* said = find(reasons, question.id);
    if (!question.dropped.empty() || said == nullptr) continue;
    for (const std::string& other : *said) {
      if (other == question.id || !kept.contains(other)) continue;
      question.dropped = fmt::format("redundancy: asks the same as {}", other);
      kept.erase(question.id);
      break;
    }
  }
}

}  // namespace assay
