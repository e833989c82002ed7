#include "judges/base_urls.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double kFirstRest = 0.5;  // seconds
constexpr double kLongestRest = 30;

}  // namespace

std::size_t BaseUrls::take(double now) {
  const auto before = [&](const Url& a, const Url& b) {
    const double a_rest = std::max(a.rests_until, now);
    const double b_rest = std::max(b.rests_until, now);
    return a_rest != b_rest ? a_rest < b_rest : a.out < b.out;
  };
  std::size_t best = turn_++ % urls_.size();  // equals take turns
  for (std::size_t i = 0; i < urls_.size(); ++i) {
    if (before(urls_[i], urls_[best])) best = i;
  }
  ++urls_[best].out;
  return best;
}

void BaseUrls::returned(std::size_t url, bool answered) {
  --urls_[url].out;
  if (answered) urls_[url].failures = 0;
}

bool BaseUrls::unreachable(std::size_t url, double now) {
  const double rest = kFirstRest * std::pow(2, std::min(urls_[url].failures++, 16));
  urls_[url].rests_until = now + std::min(kLongestRest, rest);
  return std::any_of(urls_.begin(), urls_.end(),
                     [&](const Url& other) { return other.rests_until <= now; });
}

}  // namespace assay
