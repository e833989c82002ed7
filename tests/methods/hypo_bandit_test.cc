// HypoEval's learning against a plain second writing of the paper's section 2: rewards, the wrong
// bank, refinement rounds, the union and the final five, step by step, at 30 and at 100 labels.

#include "methods/hypo_bandit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "assay/error.h"
#include "hypo_world.h"
#include "methods/hypo_plan.h"
#include "rubric/bank.h"

namespace assay::test {
namespace {

using Texts = std::vector<std::string>;

// --- the second writing: maps of texts, one loop per sentence of the paper ---

struct Step {
  Texts tried;
  bool wrong = false;
  Texts fresh;
  Texts bank;
  std::map<std::string, double> rewards;  // of those tried, right after the update
};

struct Plain {
  std::vector<std::string> outputs;  // S_tr in order
  std::vector<double> labels;
  bool literature = true;
  int renewed = 0;

  std::map<std::string, std::map<std::size_t, double>> seen;  // S_h with M(h)
  std::map<std::string, double> reward;
  std::vector<std::string> made;  // in order of birth

  void score(const std::string& h, std::size_t row) {
    seen[h][row] = scripted_score(h, outputs[row], labels[row]);
  }

  void rewarded(const std::string& h, double t) {
    double total = 0;
    for (const auto& [row, m] : seen[h]) total += 1.0 - (1.0 / 16.0) * std::pow(labels[row] - m, 2);
    const double size = static_cast<double>(seen[h].size());
    reward[h] = total / size + 0.5 * std::sqrt(std::log(t + 5.0) / size);
  }

  std::size_t birth(const std::string& h) const {
    return static_cast<std::size_t>(std::find(made.begin(), made.end(), h) - made.begin());
  }

  Texts ranked(Texts pool, std::size_t n) const {
    std::sort(pool.begin(), pool.end(), [&](const std::string& a, const std::string& b) {
      if (reward.at(a) != reward.at(b)) return reward.at(a) > reward.at(b);
      return birth(a) < birth(b);
    });
    if (pool.size() > n) pool.resize(n);
    return pool;
  }

  std::vector<Step> learn(Texts& bank) {
    bank = {"gen0 0", "gen0 1", "gen0 2", "gen0 3", "gen0 4"};
    made = bank;
    if (literature) {
      for (int i = 0; i < 10; ++i) made.push_back(fmt::format("lit {}", i));
    }
    for (const std::string& h : bank) {
      for (std::size_t row = 0; row < 5; ++row) score(h, row);
      rewarded(h, 0);
    }
    std::vector<Step> steps;
    std::vector<std::size_t> wrong_bank;
    for (std::size_t t = 1; 5 + t - 1 < labels.size(); ++t) {
      const std::size_t i = 5 + t - 1;
      Step step;
      step.tried = ranked(bank, 10);
      int wrong = 0;
      for (const std::string& h : step.tried) {
        score(h, i);
        rewarded(h, static_cast<double>(t));
        step.rewards[h] = reward[h];
        if (std::abs(seen[h][i] - labels[i]) > 0.5) ++wrong;
      }
      step.wrong = wrong >= 0.8 * 10 * static_cast<double>(i) / static_cast<double>(labels.size());
      if (step.wrong) wrong_bank.push_back(i);
      if (wrong_bank.size() >= 10) {
        ++renewed;
        for (int j = 0; j < 5; ++j)
          step.fresh.push_back(fmt::format("gen{} {}{}", renewed, j,
                                           literature ? " +d +l +d +l +d +l" : " +d +d +d"));
        made.insert(made.end(), step.fresh.begin(), step.fresh.end());
        for (const std::string& h : step.fresh) {
          for (const std::size_t row : wrong_bank) score(h, row);
          rewarded(h, static_cast<double>(t));
        }
        Texts pool = step.tried;
        pool.insert(pool.end(), step.fresh.begin(), step.fresh.end());
        bank = ranked(pool, 20);
        wrong_bank.clear();
      }
      step.bank = bank;
      steps.push_back(std::move(step));
    }
    return steps;
  }

  static Texts without_repeats(const Texts& all) {
    Texts kept;
    for (const std::string& h : all) {
      if (std::all_of(kept.begin(), kept.end(),
                      [&](const std::string& k) { return scripted_distinct(k, h); }))
        kept.push_back(h);
    }
    return kept;
  }

  double pearson(const std::string& h) const {
    const double n = static_cast<double>(labels.size());
    double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
    for (std::size_t row = 0; row < labels.size(); ++row) {
      const double x = scripted_score(h, outputs[row], labels[row]);
      sx += x, sy += labels[row], sxx += x * x, syy += labels[row] * labels[row],
          sxy += x * labels[row];
    }
    return (n * sxy - sx * sy) / std::sqrt((n * sxx - sx * sx) * (n * syy - sy * sy));
  }
};

Texts texts_of(const HypoBandit& bandit, const std::vector<int>& numbers) {
  Texts texts;
  for (const int h : numbers)
    texts.push_back(bandit.hypotheses()[static_cast<std::size_t>(h)].text);
  return texts;
}

struct Case {
  int labels;
  int texts;
  long seed;
};

class Learning : public testing::TestWithParam<Case> {
 protected:
  Learning() {
    options_.labels = GetParam().labels;
    options_.seed = GetParam().seed;
    options_.best_union = true;
    plain_.literature = GetParam().texts > 0;
  }
  HypoOptions options_;
  Plain plain_;
};

TEST_P(Learning, FollowsTheEquationsStepByStep) {
  const Preparation given = preparation(GetParam().labels + 20, GetParam().texts);
  const HypoLearn learn = learner(options_);
  const HypoMaterial material = learn.material(given);
  for (const Row* row : material.rows) plain_.outputs.push_back(row->sample.fields.output);
  plain_.labels = material.labels;
  Texts bank;
  const std::vector<Step> expected = plain_.learn(bank);
  ASSERT_GE(plain_.renewed, 1) << "the script must fill the wrong bank at least once";

  HypoState state = learn.start(given);
  ScriptedWorld world;
  std::size_t checked = 0;
  while (!state.done()) {
    state.fold(world.answer(learn.ask(state, material)));
    if (state.updates().size() == checked) continue;
    ASSERT_EQ(state.updates().size(), checked + 1);
    const HypoState::Update& update = state.updates().back();
    const Step& step = expected.at(checked++);
    EXPECT_EQ(texts_of(state.bandit(), update.tried), step.tried) << "update " << checked;
    EXPECT_EQ(update.wrong, step.wrong) << "update " << checked;
    for (const int h : update.tried) {
      const Hypothesis& hypothesis = state.bandit().hypotheses()[static_cast<std::size_t>(h)];
      EXPECT_NEAR(*hypothesis.reward, step.rewards.at(hypothesis.text), 1e-12)
          << "update " << checked << ": " << hypothesis.text;
    }
  }
  ASSERT_EQ(checked, expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {  // complete only after the renewal
    EXPECT_EQ(texts_of(state.bandit(), state.updates()[i].fresh), expected[i].fresh)
        << "update " << i + 1;
    EXPECT_EQ(texts_of(state.bandit(), state.updates()[i].bank), expected[i].bank)
        << "update " << i + 1;
  }
  for (const Hypothesis& h : state.bandit().hypotheses()) {
    EXPECT_EQ(h.reward.has_value(), plain_.reward.contains(h.text)) << h.text;
    if (h.reward) {
      EXPECT_NEAR(*h.reward, plain_.reward[h.text], 1e-12) << h.text;
    }
  }

  Texts united = Plain::without_repeats(plain_.ranked(bank, bank.size()));
  if (plain_.literature) {
    united.resize(std::min<std::size_t>(united.size(), 10));
    Texts read;
    for (int i = 0; i < 10; ++i) read.push_back(fmt::format("lit {}", i));
    read = Plain::without_repeats(read);
    united.insert(united.end(), read.begin(), read.end());
  }
  EXPECT_THAT(texts_of(state.bandit(), state.united()), testing::UnorderedElementsAreArray(united));
  std::multimap<double, std::string, std::greater<>> by_pearson;
  for (const std::string& h : united) by_pearson.emplace(plain_.pearson(h), h);
  Texts five;
  for (auto it = by_pearson.begin(); five.size() < 5; ++it) five.push_back(it->second);
  EXPECT_THAT(texts_of(state.bandit(), state.selected()), testing::UnorderedElementsAreArray(five));
  for (const int h : state.selected()) {
    EXPECT_NEAR(*state.bandit().pearson(h),
                plain_.pearson(state.bandit().hypotheses()[static_cast<std::size_t>(h)].text),
                1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Labels, Learning,
                         testing::Values(Case{30, 3, 42}, Case{30, 0, 42}, Case{30, 2, 2},
                                         Case{60, 1, 114514}, Case{100, 3, 42}, Case{100, 0, 2}));

// --- the arithmetic by hand ---

TEST(HypoBandit, RewardIsTheHandWorkedOne) {
  HypoOptions options;
  options.initial = 2;
  HypoBandit bandit(options, {4, 1, 5});
  const int h = bandit.add("h", "initial");
  bandit.score(h, 0, 2);  // 1 - 4/16
  bandit.score(h, 1, 1);  // 1
  bandit.reward(h, 0);
  EXPECT_DOUBLE_EQ(*bandit.hypotheses()[0].reward, 0.875 + 0.5 * std::sqrt(std::log(2.0) / 2));
  bandit.score(h, 2, 1);  // 1 - 16/16
  bandit.reward(h, 1);
  EXPECT_DOUBLE_EQ(*bandit.hypotheses()[0].reward, 1.75 / 3 + 0.5 * std::sqrt(std::log(3.0) / 3));
  EXPECT_EQ(bandit.add("h", "literature"), h);
}

TEST(HypoBandit, HalfAPointOffIsNotWrong) {
  HypoOptions options;
  options.top = 2;
  HypoBandit bandit(options, {3, 2.5, 2.5, 2.5});
  const std::vector<int> tried = {bandit.add("a", "initial"), bandit.add("b", "initial")};
  bandit.score(0, 3, 3);
  bandit.score(1, 3, 2);
  EXPECT_FALSE(bandit.is_wrong(tried, 3));
  bandit.score(1, 3, 4);  // one of two is off; 0.8 * 2 * 3 / 4 = 1.2 are needed
  EXPECT_FALSE(bandit.is_wrong(tried, 3));
  bandit.score(0, 3, 1);
  EXPECT_TRUE(bandit.is_wrong(tried, 3));
  bandit.score(0, 3, std::nullopt);  // unreadable is not wrong
  EXPECT_FALSE(bandit.is_wrong(tried, 3));
}

TEST(HypoBandit, PearsonNeedsScoresThatVary) {
  HypoBandit bandit({}, {1, 2, 3, 4});
  bandit.add("flat", "initial");
  bandit.add("good", "initial");
  for (int row = 0; row < 4; ++row) {
    bandit.score(0, row, 3);
    bandit.score(1, row, row < 2 ? 1 : 5);
  }
  EXPECT_FALSE(bandit.pearson(0).has_value());
  EXPECT_NEAR(*bandit.pearson(1), 8 / std::sqrt(16 * 5.0), 1e-12);
  EXPECT_EQ(bandit.select({0, 1}), (std::vector<int>{1, 0}));
}

// --- the fold, the union by lot, the plan, failures ---

Artefact run(const HypoLearn& learn, const Preparation& given, ScriptedWorld& world) {
  const HypoMaterial material = learn.material(given);
  Transcript transcript;
  HypoState state = learn.start(given);
  while (!state.done()) {
    transcript.push_back(world.answer(learn.ask(state, material)));
    state.fold(transcript.back());
  }
  return learn.artefact(given, state, transcript);
}

TEST(HypoLearn, FoldingRoundsAsTheyComeGivesTheSameBytesAsReplaying) {
  for (const int labels : {30, 100}) {
    HypoOptions options;
    options.labels = labels;
    const Preparation given = preparation(labels, 2);
    const HypoLearn learn = learner(options);
    const HypoMaterial material = learn.material(given);
    ScriptedWorld world;
    Transcript transcript;
    HypoState state = learn.start(given);
    for (; !state.done(); state.fold(transcript.back())) {
      const PrepareStep replayed = learn.next(given, transcript);
      const auto& asked = std::get<Ask>(replayed).questions;
      const Ask folded = learn.ask(state, material);
      ASSERT_EQ(folded.questions.size(), asked.size());
      for (std::size_t q = 0; q < asked.size(); ++q) {
        ASSERT_EQ(messages_of(folded.questions[q]), messages_of(asked[q]));
      }
      transcript.push_back(world.answer(folded));
    }
    const Artefact replayed = std::get<Artefact>(learn.next(given, transcript));
    EXPECT_EQ(learn.artefact(given, state, transcript).body, replayed.body);
    EXPECT_EQ(replayed.kind, kBankArtefact);
    const Bank bank = parse_bank(replayed.body, "bank.yaml");
    EXPECT_EQ(write_bank(bank), replayed.body);
    EXPECT_EQ(bank.seeds.at(0).seen, replayed.seen);
    EXPECT_EQ(replayed.seen.size(), static_cast<std::size_t>(labels));
  }
}

TEST(HypoLearn, TheUnionByLotTakesAtMostHalfOfEachAndDependsOnTheSeedOnly) {
  std::set<std::vector<int>> unions;
  for (const long seed : {42L, 2L, 114514L, 7L}) {
    HypoOptions options;
    options.labels = 40;
    options.seed = seed;
    options.bank = 8;
    const Preparation given = preparation(60, 2);
    const HypoLearn learn = learner(options);
    const HypoMaterial material = learn.material(given);
    for (int repeat = 0; repeat < 2; ++repeat) {
      HypoState state = learn.start(given);
      ScriptedWorld world;
      while (!state.done()) state.fold(world.answer(learn.ask(state, material)));
      const Texts texts = texts_of(state.bandit(), state.united());
      const auto read = std::count_if(texts.begin(), texts.end(),
                                      [](const std::string& t) { return t.starts_with("lit"); });
      EXPECT_LE(read, 4);
      EXPECT_LE(static_cast<long>(texts.size()) - read, 4);
      unions.insert(state.united());
    }
  }
  EXPECT_GE(unions.size(), 2U);
  EXPECT_LE(unions.size(), 4U) << "the same seed gave two unions";
}

TEST(HypoLearn, CallsStayWithinThePlan) {
  using From = HypoOptions::From;
  for (const From from : {From::kBoth, From::kData, From::kLiterature, From::kZeroShot}) {
    for (const int labels : {30, 100}) {
      HypoOptions options;
      options.from = from;
      options.labels = labels;
      ScriptedWorld world;
      const Artefact artefact = run(learner(options), preparation(labels, 3), world);
      ASSERT_EQ(artefact.kind, kBankArtefact) << artefact.body;
      int planned = 0;
      for (const HypoPlanLine& line : hypo_plan(options, 3)) {
        const int* made = find(world.stages(), line.stage);
        EXPECT_GE(made == nullptr ? 0 : *made, line.least) << line.stage << " at " << labels;
        EXPECT_LE(made == nullptr ? 0 : *made, line.most) << line.stage << " at " << labels;
        planned += made == nullptr ? 0 : *made;
      }
      EXPECT_EQ(planned, world.calls());
    }
  }
}

TEST(HypoLearn, AblationsUseWhatTheyNameOnly) {
  using From = HypoOptions::From;
  for (const From from : {From::kData, From::kLiterature, From::kZeroShot}) {
    HypoOptions options;
    options.from = from;
    ScriptedWorld world;
    const Artefact artefact = run(learner(options), preparation(30, 3), world);
    const Bank bank = parse_bank(artefact.body, "bank.yaml");
    for (const BankHypothesis& h : bank.seeds.at(0).hypotheses) {
      const std::string expected = from == From::kLiterature    ? "literature"
                                   : from == From::kZeroShot    ? "zero-shot"
                                   : h.text.starts_with("gen0") ? "initial"
                                                                : "wrong-rows";
      EXPECT_EQ(h.origin, expected);
    }
    EXPECT_EQ(bank.seeds.at(0).seen.size(), from == From::kZeroShot ? 0U : 30U);
    const auto count = [&](auto has) {
      return std::count_if(bank.seeds[0].hypotheses.begin(), bank.seeds[0].hypotheses.end(), has);
    };
    EXPECT_EQ(count([](const BankHypothesis& h) { return h.selected; }),
              std::min<long>(5, count([](const BankHypothesis& h) { return h.united; })));
    EXPECT_EQ(find(world.stages(), "literature") != nullptr, from == From::kLiterature);
  }
}

TEST(HypoLearn, WhatCannotBeReadIsLeftOutAndWhatDidNotComeEndsIt) {
  HypoOptions options;
  const Preparation given = preparation(30, 2);
  const HypoLearn learn = learner(options);
  struct Failure {
    const char* stage;
    Status status;
    const char* kind;
    const char* says;
  };
  const Failure cases[] = {
      {"literature", Status::kUnparsable, kBankArtefact, "text 1 of the literature is left out"},
      {"hypotheses", Status::kUnparsable, kFailedArtefact, "hypotheses: no readable answer"},
      {"hypotheses", Status::kRefused, kFailedArtefact, "the judge refused"},
      {"refinement", Status::kUnparsable, kBankArtefact,
       "refinement 1: hypotheses: no readable answer"},
      {"repeats", Status::kRefused, kBankArtefact, "both are kept"},
      {"scores", Status::kUnparsable, kBankArtefact, "scores could not be read and were left out"},
      {"scores", Status::kTransport, kUnansweredArtefact, "a score: no answer came"},
      {"refinement", Status::kTransport, kUnansweredArtefact, "refined hypotheses: no answer came"},
  };
  for (const Failure& c : cases) {
    ScriptedWorld world;
    Transcript transcript;
    Artefact artefact;
    int n = 0;
    for (;;) {
      PrepareStep step = learn.next(given, transcript);
      if (auto* done = std::get_if<Artefact>(&step)) {
        artefact = *done;
        break;
      }
      Round round = world.answer(std::get<Ask>(step));
      for (std::size_t i = 0; i < round.size(); ++i) {
        if (std::get<Ask>(step).questions[i].stage != c.stage || n++ % 7 != 0) continue;
        round[i] = Verdict{};
        round[i].status = c.status;
        round[i].problem = "told so";
      }
      transcript.push_back(std::move(round));
    }
    EXPECT_EQ(artefact.kind, c.kind) << c.stage << ": " << artefact.body.substr(0, 300);
    const std::string head = artefact.body.substr(0, artefact.body.find("hypotheses:\n"));
    EXPECT_NE(head.find(c.says), std::string::npos) << c.stage << ": " << head;
  }
}

TEST(HypoLearn, LabelsThatCannotTeachAreRefusedInOneLine) {
  struct Bad {
    const char* says;
    std::function<void(Preparation&, HypoOptions&)> change;
  };
  const Bad cases[] = {
      {"rows.jsonl: 3 of 3 rows have a label (human.coherence); 30 are needed",
       [](Preparation& p, HypoOptions&) { p.labelled.resize(3); }},
      {"rows.jsonl: all 40 labels for coherence are 2",
       [](Preparation& p, HypoOptions&) {
         for (Row& r : p.labelled) r.human[0].second = 2;
       }},
      {"rows.jsonl:8: human.coherence is 7, outside the rubric's scale 1 to 5",
       [](Preparation& p, HypoOptions&) { p.labelled[7].human[0].second = 7; }},
      {"0 of 40 rows have a label",
       [](Preparation& p, HypoOptions&) {
         for (Row& r : p.labelled) r.human[0].first = "fluency";
       }},
      {"--from literature: give the literature",
       [](Preparation& p, HypoOptions& o) {
         o.from = HypoOptions::From::kLiterature;
         p.texts.clear();
       }},
      {"--labels 5: must be more than --initial 5",
       [](Preparation&, HypoOptions& o) { o.labels = 5; }},
      {"--top 0: must be at least 1", [](Preparation&, HypoOptions& o) { o.top = 0; }},
      {"--select 21: a bank of --bank-size 20",
       [](Preparation&, HypoOptions& o) { o.selected = 21; }},
  };
  for (const Bad& bad : cases) {
    Preparation given = preparation(40, 1);
    HypoOptions options;
    bad.change(given, options);
    try {
      learner(options).check(given, "rows.jsonl");
      ADD_FAILURE() << "not refused: " << bad.says;
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find(bad.says), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

TEST(HypoLearn, LabelsGoLinearlyToOneToFive) {
  Rubric rubric = library().get("summarization", "coherence");
  rubric.scale = {0, 2};
  HypoOptions options;
  options.labels = 6;
  Preparation given = preparation(6, 0);
  for (int i = 0; i < 6; ++i) given.labelled[static_cast<std::size_t>(i)].human[0].second = i % 3;
  const HypoMaterial material = HypoLearn(rubric, shipped_prompt, options).material(given);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_DOUBLE_EQ(material.labels[i], 1 + 2 * material.rows[i]->human[0].second);
}

}  // namespace
}  // namespace assay::test
