// PairS as a table of transcripts. A scripted judge answers from a table of preferences; the
// ranking is checked against a plain recursive merge sort and a plain beam written here from the
// definition.

#include "methods/pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

#include "assay/error.h"
#include "rubric/library.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const RubricLibrary& library() {
  static const RubricLibrary loaded = RubricLibrary::load("");
  return loaded;
}

Pairs pairs(PairsOptions options = {}, const char* dimension = "coherence") {
  return Pairs(
      library().get("summarization", dimension),
      [](const std::string& id) -> const Prompt& { return library().prompt(id); }, options);
}

std::vector<Sample> group(std::size_t n) {
  std::vector<Sample> samples(n);
  for (std::size_t i = 0; i < n; ++i) {
    samples[i].id = "r" + std::to_string(i);
    samples[i].group = "g";
    samples[i].fields.source = "The source.";
    samples[i].fields.output = "Output " + std::to_string(i) + ".";
  }
  return samples;
}

using Prefers = std::function<double(std::size_t a, std::size_t b)>;  // P(a is better)

// --- plain re-computation ---

using Order = std::vector<std::size_t>;

// All ways of merging, worst first, pruned by the gap and the beam after every choice.
Order plain_merge(const Order& left, const Order& right, const Prefers& p_a, std::size_t beam,
                  double gap) {
  struct Way {
    Order taken;
    std::size_t i = 0, j = 0;
    std::vector<double> logs;
    double mean() const {
      return logs.empty() ? 0
                          : std::accumulate(logs.begin(), logs.end(), 0.0) /
                                static_cast<double>(logs.size());
    }
  };
  std::vector<Way> ways(1);
  for (std::size_t step = 0; step < left.size() + right.size(); ++step) {
    std::vector<Way> next;
    for (const Way& way : ways) {
      Way a = way;
      Way b = way;
      if (way.i < left.size()) a.taken.push_back(left[a.i++]);
      if (way.j < right.size()) b.taken.push_back(right[b.j++]);
      if (way.i == left.size()) {
        next.push_back(b);
      } else if (way.j == right.size()) {
        next.push_back(a);
      } else {
        const double p = p_a(left[way.i], right[way.j]);
        a.logs.push_back(std::log(std::max(1 - p, 1e-9)));
        b.logs.push_back(std::log(std::max(p, 1e-9)));
        if (p <= 0.5 + gap + 1e-12) next.push_back(a);
        if (p >= 0.5 - gap - 1e-12) next.push_back(b);
      }
    }
    std::stable_sort(next.begin(), next.end(),
                     [](const Way& x, const Way& y) { return x.mean() > y.mean(); });
    if (next.size() > beam) next.resize(beam);
    ways = next;
  }
  return ways.front().taken;
}

Order plain_sort(const Order& items, const Prefers& p_a, std::size_t beam, double gap) {
  if (items.size() < 2) return items;
  const auto middle = items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2);
  return plain_merge(plain_sort(Order(items.begin(), middle), p_a, beam, gap),
                     plain_sort(Order(middle, items.end()), p_a, beam, gap), p_a, beam, gap);
}

// The order before the sort: what comes out where every left item is the worse one.
Order shuffled_order(std::size_t n, PairSort::Options options) {
  PairSort sort(n, options);
  while (!sort.pending().empty()) sort.tell(std::vector<double>(sort.pending().size(), 0.0));
  return sort.order();
}

// --- a scripted judge ---

Verdict choice(double a, double b) {
  Verdict verdict;
  verdict.value = {std::string(a >= b ? "A" : "B")};
  verdict.probs = {{"A", a}, {"B", b}};
  verdict.raw = a >= b ? "A" : "B";
  return verdict;
}

Verdict said(const char* what) {
  Verdict verdict;
  verdict.value = {std::string(what)};
  verdict.raw = what;
  return verdict;
}

Verdict failed(Status status) {
  Verdict verdict;
  verdict.status = status;
  verdict.raw = "both are fine";
  verdict.problem = "told so";
  return verdict;
}

// Which two rows a question is about, by the texts it shows.
std::pair<std::size_t, std::size_t> rows_of(const Question& question) {
  const std::string text = messages_of(question).back().text;
  const auto number_after = [&](const char* mark) {
    const std::size_t fence = text.find(mark);
    return static_cast<std::size_t>(std::stoul(text.substr(text.find("Output ", fence) + 7)));
  };
  return {number_after("<<<Summary A "), number_after("<<<Summary B ")};
}

struct Ran {
  std::vector<Score> scores;
  std::size_t questions = 0;
  std::size_t rounds = 0;
};

using Judge = std::function<Verdict(const Question&)>;

Ran run(const Pairs& method, const std::vector<Sample>& samples, const Judge& judge) {
  Ran ran;
  Transcript transcript;
  for (;;) {
    GroupStep step = method.next(samples, transcript);
    if (auto* scores = std::get_if<std::vector<Score>>(&step)) {
      ran.scores = std::move(*scores);
      return ran;
    }
    Round round;
    for (const Question& question : std::get<Ask>(step).questions) round.push_back(judge(question));
    ran.questions += round.size();
    ++ran.rounds;
    transcript.push_back(std::move(round));
  }
}

Judge by(const Prefers& prefers) {
  return [prefers](const Question& question) {
    const auto [a, b] = rows_of(question);
    const double p = prefers(a, b);
    return choice(p * 0.8, (1 - p) * 0.8);  // some goes to other words
  };
}

Order order_of(const std::vector<Score>& scores) {
  Order order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return *scores[x].score < *scores[y].score;
  });
  return order;
}

TEST(PairSort, ThreeItemsByHand) {
  // A is better with 0.9 every time: of {x} and {y, z} the right heads go first.
  PairSort sort(3, {1, 0.1, 7});
  const Order start = shuffled_order(3, {1, 0.1, 7});
  ASSERT_THAT(sort.pending(), ElementsAre(PairSort::Pair{start[1], start[2]}));
  sort.tell({0.9});
  ASSERT_THAT(sort.pending(), ElementsAre(PairSort::Pair{start[0], start[2]}));
  sort.tell({0.9});
  ASSERT_THAT(sort.pending(), ElementsAre(PairSort::Pair{start[0], start[1]}));
  sort.tell({0.9});
  EXPECT_TRUE(sort.pending().empty());
  EXPECT_THAT(sort.order(), ElementsAre(start[2], start[1], start[0]));
  EXPECT_NEAR(sort.path_score(), std::log(0.9), 1e-12);
}

TEST(PairSort, ATieTakesTheLeftOne) {
  PairSort sort(2, {1, 0.1, 7});
  const PairSort::Pair pair = sort.pending()[0];
  sort.tell({0.5});
  EXPECT_THAT(sort.order(), ElementsAre(pair.a, pair.b));
}

// A first choice that is nearly even is taken back when what follows speaks against it: only a beam
// sees that.
TEST(PairSort, ABeamTakesBackAnEarlyChoice) {
  // left {a}, right {b, c}, b before c: P(a over b) = 0.45, P(a over c) = 0.99. Greedy takes a at
  // once: log 0.55. The other way takes b (log 0.45), then c (log 0.99): its mean, -0.404, is above
  // log 0.55 = -0.598.
  for (const auto& [beam, gap, expected] : {std::tuple{std::size_t{1}, 0.1, 0},
                                            {std::size_t{2}, 0.1, 2},
                                            {std::size_t{2}, 0.04, 0},
                                            {std::size_t{2}, 0.05, 2}}) {
    PairSort sort(3, {beam, gap, 7});
    const Order start = shuffled_order(3, {1, 0.1, 7});
    sort.tell({0.0});  // of the right two the first is the worse
    const Prefers p = [&](std::size_t, std::size_t b) { return b == start[1] ? 0.45 : 0.99; };
    while (!sort.pending().empty()) {
      std::vector<double> told;
      for (const auto& pair : sort.pending()) told.push_back(p(pair.a, pair.b));
      sort.tell(told);
    }
    EXPECT_EQ(sort.order()[static_cast<std::size_t>(expected)], start[0]) << beam << " " << gap;
  }
}

// The gap holds on both sides, its end included: here the less likely first choice is to take the
// left head (0.45), and what follows speaks for it: (log 0.45 + 2 log 0.99) / 3 against (log 0.55 +
// log 0.5 + log 0.99) / 3.
TEST(PairSort, TheGapHoldsOnBothSides) {
  const Order start = shuffled_order(4, {1, 0.1, 7});
  for (const auto& [gap, first] : {std::pair{0.04, start[2]}, {0.05, start[0]}}) {
    PairSort sort(4, {10, gap, 7});
    sort.tell({0.0, 0.0});
    while (!sort.pending().empty()) {
      std::vector<double> told;
      for (const auto& pair : sort.pending())
        told.push_back(pair.a == start[1] ? 0.99 : pair.b == start[2] ? 0.55 : 0.5);
      sort.tell(told);
    }
    EXPECT_EQ(sort.order()[0], first) << gap;
  }
}

TEST(PairSort, SeedsShuffle) {
  std::set<Order> orders;
  for (std::uint64_t seed = 0; seed < 20; ++seed) orders.insert(shuffled_order(8, {1, 0.1, seed}));
  EXPECT_GT(orders.size(), 15U);
  EXPECT_EQ(shuffled_order(8, {1, 0.1, 3}), shuffled_order(8, {1, 0.1, 3}));
}

TEST(Pairs, RanksAsThePlainRecomputation) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t n = 2 + random() % 9;
    std::vector<std::vector<double>> table(n, std::vector<double>(n));
    for (auto& row : table) {
      for (double& p : row) p = static_cast<double>(random() % 21) / 20;
    }
    const Prefers prefers = [&](std::size_t a, std::size_t b) { return table[a][b]; };
    PairsOptions options;
    options.sort.beam = trial % 3 == 0 ? 1 : 1 + random() % 100;
    options.sort.gap = trial % 3 == 0 ? 0.1 : static_cast<double>(random() % 6) / 10;
    options.sort.seed = random();
    const Ran ran = run(pairs(options), group(n), by(prefers));
    const Order expected =
        plain_sort(shuffled_order(n, options.sort), prefers, options.sort.beam, options.sort.gap);
    EXPECT_EQ(order_of(ran.scores), expected)
        << "n " << n << " beam " << options.sort.beam << " gap " << options.sort.gap;
    const PairSort::Count count = PairSort::comparisons(n, options.sort.beam);
    EXPECT_GE(ran.questions, count.least);
    EXPECT_LE(ran.questions, count.most);
    for (const Score& score : ran.scores)
      EXPECT_DOUBLE_EQ(*recompute(score.evidence), *score.score);
  }
}

TEST(Pairs, AConsistentJudgeGivesItsOrderBackInFewRounds) {
  const std::size_t n = 16;
  const Prefers prefers = [](std::size_t a, std::size_t b) {
    return (a * 7) % 16 > (b * 7) % 16 ? 0.9 : 0.1;
  };
  const Ran ran = run(pairs(), group(n), by(prefers));
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_DOUBLE_EQ(*ran.scores[i].score, static_cast<double>((i * 7) % 16) / 15);
  EXPECT_LE(ran.questions, PairSort::comparisons(n, 1).most);
  EXPECT_EQ(PairSort::comparisons(n, 1).most, 49U);  // n log2 n - n + 1
  EXPECT_LE(ran.rounds, 15U + 7 + 3 + 1);
}

TEST(Pairs, ScoresAndEvidenceByHand) {
  const Ran ran =
      run(pairs(), group(2),
          by([](std::size_t a, std::size_t b) { return a < b ? 0.8 : 0.2; }));  // row 0 is better
  EXPECT_EQ(*ran.scores[0].score, 1);
  EXPECT_EQ(*ran.scores[1].score, 0);
  EXPECT_EQ(ran.scores[0].scale, Scale{});
  const Evidence& evidence = ran.scores[0].evidence;
  ASSERT_EQ(evidence.children.size(), 2U);
  EXPECT_EQ(evidence.children[0].label, "against r1");
  EXPECT_NEAR(*evidence.children[0].value, 0.8, 1e-12);
  EXPECT_NEAR(*ran.scores[1].evidence.children[0].value, 0.2, 1e-12);
  EXPECT_EQ(evidence.children[1].note, "rank 1 of 2");
}

TEST(Pairs, BothOrdersAreAskedAndAveraged) {
  PairsOptions options;
  options.both_orders = true;
  // A judge that likes what stands first, a little more so when that is row 1.
  const Ran ran = run(pairs(options), group(2),
                      by([](std::size_t a, std::size_t) { return a == 1 ? 0.9 : 0.7; }));
  EXPECT_EQ(ran.questions, 2U);
  EXPECT_EQ(*ran.scores[1].score, 1);
  EXPECT_NEAR(*ran.scores[1].evidence.children[0].value, (0.9 + 0.3) / 2, 1e-12);
}

TEST(Pairs, SourcesThatDifferStandWithTheirOutputs) {
  std::vector<Sample> samples = group(2);
  const auto prompt = [&] {
    return messages_of(std::get<Ask>(pairs().next(samples, {})).questions[0]).back().text;
  };
  EXPECT_THAT(prompt(), HasSubstr("<<<Article "));
  EXPECT_THAT(prompt(), Not(HasSubstr("<<<Article A ")));
  samples[1].fields.source = "Another source.";
  EXPECT_THAT(prompt(), HasSubstr("<<<Article A "));
  EXPECT_THAT(prompt(), HasSubstr("<<<Article B "));
}

TEST(Pairs, ComparisonsOfAGroupShareTheirSource) {
  const GroupStep step = pairs().next(group(8), {});
  const auto& questions = std::get<Ask>(step).questions;
  ASSERT_EQ(questions.size(), 4U);
  for (const Question& question : questions) EXPECT_EQ(question.shared, questions[0].shared);
  EXPECT_THAT(questions[0].shared.back().text, HasSubstr("The source."));
}

TEST(Pairs, NoReadablePreferenceLeavesTheGroupUnscored) {
  for (const Status status : {Status::kUnparsable, Status::kRefused, Status::kTransport}) {
    std::size_t asked = 0;
    const Ran ran = run(pairs(), group(4), [&](const Question&) {
      return ++asked == 2 ? failed(status) : choice(0.9, 0.1);
    });
    for (const Score& score : ran.scores) {
      EXPECT_FALSE(score.score);
      EXPECT_FALSE(recompute(score.evidence));
      EXPECT_THAT(score.reason, HasSubstr("told so"));
      EXPECT_THAT(score.reason, HasSubstr("both are fine"));
    }
  }
  const Ran neither = run(pairs(), group(2), [](const Question&) { return choice(0, 0); });
  EXPECT_THAT(neither.scores[0].reason, HasSubstr("neither \"A\" nor \"B\""));
}

TEST(Pairs, UndecidedHalfCountsAndIsRecorded) {
  PairsOptions options;
  options.undecided_half = true;
  const Ran ran =
      run(pairs(options), group(2), [](const Question&) { return failed(Status::kUnparsable); });
  ASSERT_TRUE(ran.scores[0].score);
  EXPECT_EQ(*ran.scores[0].evidence.children[0].value, 0.5);
  EXPECT_THAT(ran.scores[0].evidence.children[0].note, HasSubstr("taken as 0.5"));
  // A call that was never answered, or an answer without probabilities, is no preference of one
  // half.
  EXPECT_FALSE(
      run(pairs(options), group(2), [](const Question&) { return failed(Status::kTransport); })
          .scores[0]
          .score);
  EXPECT_FALSE(
      run(pairs(options), group(2), [](const Question&) { return said("A"); }).scores[0].score);
}

TEST(Pairs, WithoutLogProbabilitiesOnlyWhenAsked) {
  EXPECT_TRUE(pairs().needs().probabilities);
  const Ran refused = run(pairs(), group(2), [](const Question&) { return said("A"); });
  EXPECT_THAT(refused.scores[0].reason, HasSubstr("no probabilities"));

  PairsOptions single;
  single.probs = ProbSource::parse("none");
  EXPECT_FALSE(pairs(single).needs().probabilities);
  const Ran one = run(pairs(single), group(2),
                      [](const Question& q) { return said(rows_of(q).first == 1 ? "A" : "B"); });
  EXPECT_EQ(*one.scores[1].score, 1);
  EXPECT_EQ(*one.scores[1].evidence.children[0].value, 1);

  PairsOptions sampled;
  sampled.probs = ProbSource::parse("sample:5");
  const Ran five = run(pairs(sampled), group(2), [](const Question& q) {
    return said((q.draw < 4) == (rows_of(q).first == 0) ? "A" : "B");
  });
  EXPECT_EQ(five.questions, 5U);
  EXPECT_NEAR(*five.scores[0].evidence.children[0].value, 0.8, 1e-12);
}

TEST(Pairs, ALoneRowHasNothingToBeComparedWith) {
  const GroupStep step = pairs().next(group(1), {});
  EXPECT_THAT(std::get<std::vector<Score>>(step)[0].reason, HasSubstr("only row"));
  EXPECT_TRUE(std::get<std::vector<Score>>(pairs().next({}, {})).empty());
}

TEST(Pairs, WrongOptionsAreRefused) {
  PairsOptions options;
  options.sort.gap = 0.6;
  EXPECT_THROW(pairs(options), ConfigError);
  options = {};
  options.sort.beam = 0;
  EXPECT_THROW(pairs(options), ConfigError);
}

}  // namespace
}  // namespace assay
