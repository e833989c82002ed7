// The equations of HypoEval, section 2 (docs/methods/hypoeval.md):
//   L(h, j) = 1 - (s_j - M(h, j))^2 / 16           in [0, 1] for scores on 1 to 5
//   r_h     = mean of L over S_h + alpha * sqrt(ln(t + |S_init|) / |S_h|)
//   wrong   = |M(h, i) - s_i| > theta for at least w_hyp = 0.8 * k * i / |S_tr| of the hypotheses
//   tried
// where t counts updates from 1, i = |S_init| + t - 1 is the row's place in S_tr counted from 0,
// and S_h are the rows h has scored. Example: one row, s = 4, M = 2, t = 0, |S_init| = 1: r = 1 -
// 4/16 + 0.5 * sqrt(ln 1 / 1) = 0.75. Tested against a plain recomputation in
// tests/methods/hypo_bandit_test.cc.

#include "methods/hypo_bandit.h"

#include <algorithm>
#include <cmath>

namespace assay {

HypoBandit::HypoBandit(const HypoOptions& options, std::vector<double> labels)
    : options_(options), labels_(std::move(labels)) {}

int HypoBandit::add(const std::string& text, const std::string& origin) {
  for (std::size_t h = 0; h < hypotheses_.size(); ++h) {
    if (hypotheses_[h].text == text) return static_cast<int>(h);
  }
  hypotheses_.push_back(
      {text, origin, std::vector<std::optional<double>>(labels_.size()), std::nullopt});
  return static_cast<int>(hypotheses_.size()) - 1;
}

void HypoBandit::score(int hypothesis, int row, std::optional<double> score) {
  hypotheses_[static_cast<std::size_t>(hypothesis)].scores[static_cast<std::size_t>(row)] = score;
}

int HypoBandit::scored(int hypothesis) const {
  const auto& scores = at(hypothesis).scores;
  return static_cast<int>(
      std::count_if(scores.begin(), scores.end(), [](const auto& s) { return s.has_value(); }));
}

void HypoBandit::reward(int hypothesis, int t) {
  Hypothesis& h = hypotheses_[static_cast<std::size_t>(hypothesis)];
  const int seen = scored(hypothesis);
  // Nothing readable: below every hypothesis that has a reward, which is never negative.
  if (seen == 0) {
    h.reward = 0;
    return;
  }
  double sum = 0;
  for (std::size_t row = 0; row < labels_.size(); ++row) {
    if (!h.scores[row]) continue;
    const double off = labels_[row] - *h.scores[row];
    sum += 1 - off * off / 16;
  }
  h.reward = sum / seen + options_.explore * std::sqrt(std::log(t + options_.initial) / seen);
}

std::vector<int> HypoBandit::best(std::vector<int> among, int n) const {
  std::stable_sort(among.begin(), among.end(), [&](int a, int b) {
    const double ra = at(a).reward.value_or(0);
    const double rb = at(b).reward.value_or(0);
    return ra != rb ? ra > rb : a < b;
  });
  among.resize(std::min(among.size(), static_cast<std::size_t>(n)));
  return among;
}

bool HypoBandit::is_wrong(std::span<const int> tried, int row) const {
  const auto place = static_cast<std::size_t>(row);
  const auto off = [&](int h) {
    return at(h).scores[place] &&
           std::abs(*at(h).scores[place] - labels_[place]) > options_.wrong_at;
  };
  const auto wrong = static_cast<double>(std::count_if(tried.begin(), tried.end(), off));
  const double needed =
      options_.wrong_share * options_.top * row / static_cast<double>(labels_.size());
  return wrong > 0 &&
         wrong >= needed;  // a row nobody got wrong teaches nothing, whatever the options say
}

std::optional<double> HypoBandit::pearson(int hypothesis) const {
  const auto& scores = at(hypothesis).scores;
  double n = 0;
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t row = 0; row < labels_.size(); ++row) {
    if (!scores[row]) continue;
    n += 1;
    mean_x += *scores[row];
    mean_y += labels_[row];
  }
  mean_x /= n;
  mean_y /= n;
  double xx = 0;
  double yy = 0;
  double xy = 0;
  for (std::size_t row = 0; row < labels_.size(); ++row) {
    if (!scores[row]) continue;
    const double dx = *scores[row] - mean_x;
    const double dy = labels_[row] - mean_y;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  // Means of equal numbers may miss them by a rounding; such a rest is no variance.
  const double nothing = 1e-18 * n;
  if (!(xx > nothing) || !(yy > nothing)) return std::nullopt;
  return std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0);
}

std::vector<int> HypoBandit::select(std::vector<int> among) const {
  std::stable_sort(among.begin(), among.end(),
                   [&](int a, int b) { return pearson(a).value_or(-2) > pearson(b).value_or(-2); });
  among.resize(std::min(among.size(), static_cast<std::size_t>(options_.selected)));
  return among;
}

}  // namespace assay
