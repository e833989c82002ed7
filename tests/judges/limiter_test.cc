// The limiter on a clock that the test turns.
#include "judges/limiter.h"

#include <gtest/gtest.h>

#include <queue>
#include <random>

namespace assay {
namespace {

constexpr double kNever = Limiter::kAfterReply;

TEST(Durations, AreReadInEverySpelling) {
  const std::vector<std::pair<const char*, double>> good = {
      {"1s", 1},  {"20ms", 0.02}, {"6m0s", 360}, {"1h2m3.5s", 3723.5},
      {"12", 12}, {"0.5", 0.5},   {" 2s ", 2},   {"1d", 86400}};
  for (const auto& [text, seconds] : good) {
    ASSERT_TRUE(parse_duration(text)) << text;
    EXPECT_DOUBLE_EQ(*parse_duration(text), seconds) << text;
  }
  for (const char* text : {"", "s", "1x", "-1s", "soon", "1s2", "ms", "nan", "inf", "1..2s"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

TEST(Hints, ReadRetryAfterAsSecondsMillisecondsAndDate) {
  EXPECT_EQ(read_hints({{"retry-after", "7"}}, 0).retry_after, 7);
  EXPECT_EQ(read_hints({{"retry-after-ms", "250"}, {"retry-after", "1"}}, 0).retry_after, 0.25);
  EXPECT_EQ(read_hints({{"retry-after", "1"}, {"retry-after-ms", "250"}}, 0).retry_after, 0.25);
  // 784111777 is the date of RFC 9110's own example.
  const Named<std::string> date = {{"retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"}};
  EXPECT_EQ(read_hints(date, 784111777 - 30).retry_after, 30);
  EXPECT_EQ(read_hints(date, 784111777 + 30).retry_after, 0) << "a past date is now";
  for (const char* bad : {"soon", "-3", "Sun, 06 Xxx 1994 08:49:37 GMT", "1e999", ""}) {
    EXPECT_FALSE(read_hints({{"retry-after", bad}}, 0).retry_after) << bad;
  }
}

TEST(Hints, ReadTheRateLimitHeaders) {
  const LimitHints hints = read_hints({{"x-ratelimit-remaining-requests", "3"},
                                       {"x-ratelimit-reset-requests", "1m"},
                                       {"x-ratelimit-remaining-tokens", "0"},
                                       {"x-ratelimit-reset-tokens", "20ms"},
                                       {"x-ratelimit-limit-requests", "60"}},
                                      0);
  EXPECT_EQ(hints.remaining_requests, 3);
  EXPECT_EQ(hints.reset_requests, 60);
  EXPECT_EQ(hints.remaining_tokens, 0);
  EXPECT_EQ(hints.reset_tokens, 0.02);
}

TEST(Hints, AnythingMayStandInAHeader) {
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string value;
    for (int n = static_cast<int>(random() % 32); n > 0; --n) value += static_cast<char>(random());
    const LimitHints hints = read_hints(
        {{"retry-after", value}, {"x-ratelimit-reset-requests", value}, {"retry-after-ms", value}},
        0);
    EXPECT_GE(hints.retry_after.value_or(0), 0);
    EXPECT_GE(hints.reset_requests.value_or(0), 0);
  }
}

TEST(Limiter, StartsAtFullLevel) {
  Limiter limiter({.max_in_flight = 3});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(limiter.wait(0), 0);
    limiter.started(0, 0);
  }
  EXPECT_EQ(limiter.wait(0), kNever);
}

// A server that works on `capacity` at once, turns the rest away, and takes one unit of time for
// each.
struct Simulation {
  Limiter limiter;
  int capacity;
  std::mt19937 random{3};
  double random_failures = 0;
  int answered = 0;
  int throttled = 0;

  void run(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      std::vector<Limiter::Ticket> out;
      while (limiter.wait(round) == 0) out.push_back(limiter.started(round, 0));
      int working = 0;
      for (const Limiter::Ticket& ticket : out) {
        const bool fails = static_cast<double>(random() % 1000) < random_failures * 1000;
        const bool good = working < capacity && !fails;
        working += good ? 1 : 0;
        (good ? answered : throttled) += 1;
        limiter.finished(round + 0.5, ticket, good ? Outcome::kAnswered : Outcome::kThrottled, {});
      }
    }
  }
};

TEST(Limiter, SettlesJustAboveWhatTheServerCanDo) {
  Simulation sim{Limiter({.max_in_flight = 256}), 32};
  sim.run(30);
  sim.answered = sim.throttled = 0;
  sim.run(200);
  EXPECT_NEAR(sim.limiter.level(), 34, 3);
  EXPECT_GT(sim.answered, 200 * 30) << "the server is kept busy";
  EXPECT_LT(sim.throttled, sim.answered / 10) << "and hardly bothered";
}

TEST(Limiter, GrowsBackFastWhenTheLimitIsGone) {
  Simulation sim{Limiter({.max_in_flight = 256}), 0};
  sim.run(4);  // an outage of a few round trips
  EXPECT_LT(sim.limiter.level(), 32);
  sim.capacity = 1000;
  sim.run(12);
  EXPECT_GT(sim.limiter.level(), 128) << "doubling, not one by one";
  sim.run(120);
  EXPECT_EQ(sim.limiter.level(), 256);
}

TEST(Limiter, FailuresNowAndThenDoNotSlowItDown) {
  Simulation sim{Limiter({.max_in_flight = 256}), 1000};
  sim.random_failures = 0.04;
  sim.run(300);
  EXPECT_GT(sim.limiter.level(), 200);
}

TEST(Limiter, NeverFallsBelowOne) {
  Simulation sim{Limiter({.max_in_flight = 8}), 0};
  sim.run(100);
  EXPECT_EQ(sim.limiter.level(), 1);
  EXPECT_EQ(sim.limiter.wait(1000), 0);
}

TEST(Limiter, PausesEverybodyOnlyWhereNobodyIsLetThrough) {
  Limiter limiter({.max_in_flight = 8});
  const auto a = limiter.started(0, 0);
  const auto b = limiter.started(0, 0);
  LimitHints hints;
  hints.retry_after = 10;
  limiter.finished(1, a, Outcome::kThrottled, hints);
  EXPECT_DOUBLE_EQ(limiter.wait(1), 10);
  limiter.finished(2, b, Outcome::kAnswered, {});
  EXPECT_EQ(limiter.wait(2), 0) << "an answer says that the server works";
  const auto c = limiter.started(3, 0);
  const auto d = limiter.started(3, 0);
  limiter.finished(4, c, Outcome::kAnswered, {});
  limiter.finished(4, d, Outcome::kThrottled, hints);
  EXPECT_EQ(limiter.wait(4), 0) << "others were answered meanwhile";
  EXPECT_TRUE(limiter.progress_since(d));
}

TEST(Limiter, HoldsToTheServersRemainingRequests) {
  Limiter limiter({.max_in_flight = 64});
  const auto ticket = limiter.started(0, 0);
  LimitHints hints;
  hints.remaining_requests = 2;
  hints.reset_requests = 30;
  limiter.finished(1, ticket, Outcome::kAnswered, hints);
  EXPECT_EQ(limiter.wait(1), 0);
  limiter.started(1, 0);
  limiter.started(1, 0);
  EXPECT_NEAR(limiter.wait(1), 30, 1e-9);
  EXPECT_EQ(limiter.wait(31.1), 0) << "the window is over";
}

TEST(Limiter, AHugeRetryAfterIsCut) {
  Limiter limiter({.max_in_flight = 8});
  LimitHints hints;
  hints.retry_after = 1e12;
  limiter.finished(0, limiter.started(0, 0), Outcome::kThrottled, hints);
  EXPECT_LE(limiter.wait(0), 300);
}

TEST(Limiter, KeepsAFixedNumberOfRequestsAMinute) {
  Limiter limiter({.max_in_flight = 1000, .rpm = 120});
  int started = 0;
  for (double time = 0; time < 60; time += 0.01) {
    while (limiter.wait(time) == 0) {
      limiter.finished(time, limiter.started(time, 0), Outcome::kAnswered, {});
      ++started;
    }
  }
  EXPECT_NEAR(started, 120, 3);
}

TEST(Limiter, KeepsAFixedNumberOfTokensAMinuteByWhatCallsReallyTook) {
  Limiter limiter({.max_in_flight = 1000, .tpm = 60000});
  double spent = 0;
  for (double time = 0; time < 60; time += 0.01) {
    while (limiter.wait(time) == 0) {
      limiter.finished(time, limiter.started(time, 100), Outcome::kAnswered, {}, 500);
      spent += 500;
    }
  }
  EXPECT_NEAR(spent, 60000, 6000);
}

}  // namespace
}  // namespace assay
