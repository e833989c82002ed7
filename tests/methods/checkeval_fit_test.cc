// Regression weights: worked by hand, and held against the definition of least squares on random
// answers.

#include "methods/checkeval_fit.h"

#include <gtest/gtest.h>

#include <random>

namespace assay {
namespace {

using Rows = std::vector<std::vector<double>>;

double predicted(const LinearFit& fit, const std::vector<double>& row) {
  double sum = fit.intercept;
  for (std::size_t i = 0; i < row.size(); ++i) sum += fit.weights[i] * row[i];
  return sum;
}

TEST(CheckevalFit, WorkedByHand) {
  // y = 1 + 2 a + 3 b, exactly.
  const LinearFit fit = fit_linear({{0, 0}, {1, 0}, {0, 1}, {1, 1}}, {1, 3, 4, 6});
  EXPECT_NEAR(fit.intercept, 1, 1e-12);
  EXPECT_NEAR(fit.weights[0], 2, 1e-12);
  EXPECT_NEAR(fit.weights[1], 3, 1e-12);
  EXPECT_TRUE(fit.left_out.empty());
  // One question, not exact: the mean of those answered with no is 2, with yes 4.
  const LinearFit one = fit_linear({{0}, {0}, {1}, {1}}, {1, 3, 3, 5});
  EXPECT_NEAR(one.intercept, 2, 1e-12);
  EXPECT_NEAR(one.weights[0], 2, 1e-12);
}

TEST(CheckevalFit, WhatSaysNothingOfItsOwnCountsNothing) {
  // Always yes; a copy of the first; the opposite of the first.
  const LinearFit fit = fit_linear({{0, 1, 0, 1}, {1, 1, 1, 0}, {1, 1, 1, 0}}, {1, 2, 3});
  EXPECT_EQ(fit.left_out, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_NEAR(fit.weights[0], 1.5, 1e-12);
  EXPECT_EQ(fit.weights[1], 0);
  EXPECT_NEAR(fit.intercept, 1, 1e-12);
  const LinearFit constant = fit_linear({{1, 1}, {1, 1}}, {2, 4});
  EXPECT_NEAR(constant.intercept, 3, 1e-12);
  EXPECT_EQ(constant.left_out.size(), 2U);
}

// The residual of a least-squares fit is orthogonal to every column and to the constant, also where
// there are more questions than rows.
TEST(CheckevalFit, ResidualsAreOrthogonal) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 2 + random() % 60;
    const std::size_t columns = 1 + random() % 35;
    Rows rows(n, std::vector<double>(columns));
    std::vector<double> y(n);
    for (std::size_t r = 0; r < n; ++r) {
      for (double& x : rows[r]) x = static_cast<double>(random() % 4 != 0);
      y[r] = 1 + static_cast<double>(random() % 13) / 3;
    }
    const LinearFit fit = fit_linear(rows, y);
    std::vector<double> dot(columns + 1);
    for (std::size_t r = 0; r < n; ++r) {
      const double residual = y[r] - predicted(fit, rows[r]);
      for (std::size_t i = 0; i < columns; ++i) dot[i] += residual * rows[r][i];
      dot[columns] += residual;
    }
    for (const double d : dot) EXPECT_NEAR(d, 0, 1e-8) << n << " rows, " << columns << " columns";
  }
}

TEST(CheckevalFit, TheMeanOfFitsScoresAsTheMeanOfTheirScores) {
  const LinearFit a = fit_linear({{0, 0}, {1, 0}, {0, 1}}, {1, 2, 4});
  const LinearFit b = fit_linear({{0, 1}, {1, 1}, {1, 1}}, {1, 2, 4});
  const LinearFit both = mean_fit({a, b});
  for (const std::vector<double>& row : Rows{{0, 0}, {1, 0}, {0, 1}, {1, 1}}) {
    EXPECT_NEAR(predicted(both, row), (predicted(a, row) + predicted(b, row)) / 2, 1e-12);
  }
  EXPECT_TRUE(both.left_out.empty());
}

}  // namespace
}  // namespace assay
