#include "judges/base_urls.h"

#include <gtest/gtest.h>

#include <vector>

namespace assay {
namespace {

TEST(BaseUrls, TheOneWithTheFewestRequestsOutIsNext) {
  BaseUrls urls(3);
  std::vector<int> taken(3, 0);
  for (int i = 0; i < 30; ++i) ++taken[urls.take(0)];
  EXPECT_EQ(taken, std::vector<int>({10, 10, 10}));
  for (int i = 0; i < 5; ++i) urls.returned(1, true);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(urls.take(0), 1U);
}

TEST(BaseUrls, OneThatCannotBeReachedRestsLongerEachTimeAndIsThenTriedAgain) {
  BaseUrls urls(2);
  double now = 100;
  for (const double rest : {0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0}) {
    EXPECT_TRUE(urls.unreachable(0, now));
    EXPECT_EQ(urls.take(now), 1U);
    EXPECT_EQ(urls.take(now + rest - 0.01), 1U);
    EXPECT_EQ(urls.take(now + rest), 0U) << rest;
    for (const std::size_t url : {0U, 1U, 1U}) urls.returned(url, false);
    now += rest;
  }
  EXPECT_EQ(urls.take(now), 0U);
  urls.returned(0, true);
  urls.unreachable(0, now);
  EXPECT_EQ(urls.take(now + 0.4), 1U);  // and stays out
  EXPECT_EQ(urls.take(now + 0.5), 0U) << "an answer makes the rest short again";
}

TEST(BaseUrls, WhereAllRestTheOneThatRestsLeastIsTried) {
  BaseUrls urls(2);
  EXPECT_TRUE(urls.unreachable(0, 10));
  EXPECT_FALSE(urls.unreachable(1, 10.2)) << "nowhere else to go";
  EXPECT_EQ(urls.take(10.3), 0U);
}

TEST(BaseUrls, OneAloneIsAlwaysTaken) {
  BaseUrls url(1);
  EXPECT_FALSE(url.unreachable(0, 0));
  EXPECT_EQ(url.take(0), 0U);
}

}  // namespace
}  // namespace assay
