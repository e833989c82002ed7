// Question weights by linear regression (CheckEval, appendix C.2). The normal equations of the
// centred columns, solved by Cholesky with pivoting: the column with the largest remaining sum of
// squares comes next (ties: the first), and where what remains is nothing but rounding, the column
// is left out with weight 0. So 30 questions fitted on 20 rows have an answer too, and the same one
// everywhere. A few dozen columns: the squared condition number of normal equations does not matter
// for answers that are 0 and 1. Tested in tests/methods/checkeval_fit_test.cc.

#include "methods/checkeval_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace assay {
namespace {

using Matrix = std::vector<std::vector<double>>;

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

struct Centred {
  std::vector<double> means;
  Matrix gram;              // X'X
  std::vector<double> xty;  // X'y
};

Centred centre(const Matrix& rows, const std::vector<double>& y, double y_mean) {
  const std::size_t n = rows.front().size();
  Centred centred{std::vector<double>(n), Matrix(n, std::vector<double>(n)),
                  std::vector<double>(n)};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < n; ++i)
      centred.means[i] += row[i] / static_cast<double>(rows.size());
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < n; ++i) {
      const double x = rows[r][i] - centred.means[i];
      centred.xty[i] += x * (y[r] - y_mean);
      for (std::size_t j = 0; j <= i; ++j)
        centred.gram[i][j] += x * (rows[r][j] - centred.means[j]);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) centred.gram[i][j] = centred.gram[j][i];
  }
  return centred;
}

// Lower triangle L with G = L L' over the chosen columns, in the order chosen.
struct Factor {
  std::vector<std::size_t> chosen;
  Matrix lower;  // lower[k][i]: entry of column i (any) at step k
};

Factor factorise(const Matrix& gram) {
  const std::size_t n = gram.size();
  std::vector<double> remaining(n);
  for (std::size_t i = 0; i < n; ++i) remaining[i] = gram[i][i];
  const double largest = n == 0 ? 0 : *std::max_element(remaining.begin(), remaining.end());
  const double nothing = largest * 1e-10;
  std::vector<bool> used(n, false);
  Factor factor;
  while (factor.chosen.size() < n) {
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (!used[i] && remaining[i] > nothing && (best == n || remaining[i] > remaining[best]))
        best = i;
    }
    if (best == n) break;
    used[best] = true;
    std::vector<double> step(n);
    const double pivot = std::sqrt(remaining[best]);
    for (std::size_t i = 0; i < n; ++i) {
      double sum = gram[i][best];
      for (const auto& earlier : factor.lower) sum -= earlier[i] * earlier[best];
      step[i] = sum / pivot;
      remaining[i] -= step[i] * step[i];
    }
    factor.chosen.push_back(best);
    factor.lower.push_back(std::move(step));
  }
  return factor;
}

std::vector<double> solve(const Factor& factor, const std::vector<double>& xty) {
  const std::size_t rank = factor.chosen.size();
  std::vector<double> z(rank);
  for (std::size_t k = 0; k < rank; ++k) {
    double sum = xty[factor.chosen[k]];
    for (std::size_t j = 0; j < k; ++j) sum -= factor.lower[j][factor.chosen[k]] * z[j];
    z[k] = sum / factor.lower[k][factor.chosen[k]];
  }
  std::vector<double> weights(xty.size());
  for (std::size_t k = rank; k-- > 0;) {
    double sum = z[k];
    for (std::size_t j = k + 1; j < rank; ++j)
      sum -= factor.lower[k][factor.chosen[j]] * weights[factor.chosen[j]];
    weights[factor.chosen[k]] = sum / factor.lower[k][factor.chosen[k]];
  }
  return weights;
}

}  // namespace

LinearFit fit_linear(const std::vector<std::vector<double>>& rows, const std::vector<double>& y) {
  LinearFit fit;
  fit.intercept = mean(y);
  const Centred centred = centre(rows, y, fit.intercept);
  const Factor factor = factorise(centred.gram);
  fit.weights = solve(factor, centred.xty);
  for (std::size_t i = 0; i < fit.weights.size(); ++i) {
    fit.intercept -= fit.weights[i] * centred.means[i];
    if (std::find(factor.chosen.begin(), factor.chosen.end(), i) == factor.chosen.end())
      fit.left_out.push_back(i);
  }
  return fit;
}

LinearFit mean_fit(const std::vector<LinearFit>& fits) {
  LinearFit all;
  if (fits.empty()) return all;
  all.weights.assign(fits.front().weights.size(), 0);
  const double n = static_cast<double>(fits.size());
  for (const LinearFit& fit : fits) {
    all.intercept += fit.intercept / n;
    for (std::size_t i = 0; i < all.weights.size(); ++i) all.weights[i] += fit.weights[i] / n;
  }
  for (std::size_t i = 0; i < all.weights.size(); ++i) {
    const bool never = std::all_of(fits.begin(), fits.end(), [&](const LinearFit& fit) {
      return std::find(fit.left_out.begin(), fit.left_out.end(), i) != fit.left_out.end();
    });
    if (never) all.left_out.push_back(i);
  }
  return all;
}

}  // namespace assay
