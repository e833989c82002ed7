#pragma once

#include <string>
#include <vector>

namespace assay {

// y = intercept + sum of weights * x, by least squares.
struct LinearFit {
  double intercept = 0;
  std::vector<double> weights;
  std::vector<std::size_t> left_out;  // columns that say nothing of their own: weight 0
};

// Ordinary least squares without a penalty. `rows` all have the same length, and there is one y for
// each; at least one row. A column that is constant over the rows, or a linear combination of
// earlier chosen columns (always so for some where there are fewer rows than columns), gets weight
// 0 and is named in left_out. Pure.
LinearFit fit_linear(const std::vector<std::vector<double>>& rows, const std::vector<double>& y);

// The mean of several fits: linear, so scores by it are the mean of scores by each.
LinearFit mean_fit(const std::vector<LinearFit>& fits);

}  // namespace assay
