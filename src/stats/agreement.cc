// Agreement between raters.
//
// Krippendorff's alpha = 1 - D_o / D_e, from "Computing Krippendorff's Alpha-Reliability" (2011):
// with n_u values on unit u, n in all, and a squared difference d(c, k),
//     D_o = 1/n sum_u 1/(n_u - 1) sum of d over ordered pairs on u
//     D_e = 1/(n (n - 1)) sum_c sum_k n_c n_k d(c, k).
// For interval data D_e has a closed form; ordinal data is interval data on the middle ranks of the
// values, since the paper's (sum of n_g from c to k) - (n_c + n_k)/2 is the distance of two middle
// ranks. Missing values are left out of their unit; a unit with one value cannot be paired and does
// not count.
//
// Fleiss (1971) and Cohen (1960) as usual. Worked examples are in tests/stats/agreement_test.cc,
// with an alpha from the coincidence matrix as the second implementation.
#include "stats/agreement.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "stats/correlation.h"

namespace assay {
namespace {

constexpr const char* kMetrics[] = {"nominal", "ordinal", "interval", "ratio"};

// Values of one unit, those that are there.
using Values = std::vector<double>;

std::vector<Values> present(std::span<const Unit> units, std::size_t at_least) {
  std::vector<Values> result;
  for (const Unit& unit : units) {
    Values values;
    for (const std::optional<double>& value : unit) {
      if (value) values.push_back(*value);
    }
    if (values.size() >= at_least) result.push_back(values);
  }
  return result;
}

std::vector<double> flat(const std::vector<Values>& units) {
  std::vector<double> all;
  for (const Values& values : units) all.insert(all.end(), values.begin(), values.end());
  return all;
}

// Every value replaced by the number of its tie class, unit by unit.
std::vector<Values> classes_of(const std::vector<Values>& units) {
  const std::vector<int> classes = tie_classes(flat(units));
  std::vector<Values> result = units;
  std::size_t next = 0;
  for (Values& values : result) {
    for (double& value : values) value = classes[next++];
  }
  return result;
}

double difference(double a, double b, Metric metric) {
  if (metric == Metric::kNominal) return a == b ? 0 : 1;
  if (metric == Metric::kRatio) return a + b == 0 ? 0 : (a - b) * (a - b) / ((a + b) * (a + b));
  return (a - b) * (a - b);
}

// The values in the form in which `difference` is the metric: classes, middle ranks, or as they
// are.
std::vector<Values> prepared(const std::vector<Values>& units, Metric metric) {
  if (metric == Metric::kNominal) return classes_of(units);
  if (metric != Metric::kOrdinal) return units;
  const std::vector<double> ranks = average_ranks(flat(units));
  std::vector<Values> result = units;
  std::size_t next = 0;
  for (Values& values : result) {
    for (double& value : values) value = ranks[next++];
  }
  return result;
}

double observed(const std::vector<Values>& units, Metric metric) {
  double sum = 0;
  for (const Values& values : units) {
    double pairs = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = i + 1; j < values.size(); ++j)
        pairs += 2 * difference(values[i], values[j], metric);
    }
    sum += pairs / static_cast<double>(values.size() - 1);
  }
  return sum;
}

// Sum of n_c n_k d(c, k) over ordered pairs of values.
double expected(const std::vector<double>& all, Metric metric) {
  const auto n = static_cast<long double>(all.size());
  if (metric == Metric::kOrdinal || metric == Metric::kInterval) {
    const long double mean = mean_of(all);
    long double squares = 0;
    for (double value : all) squares += (value - mean) * (value - mean);
    return static_cast<double>(2 * n * squares);
  }
  std::map<double, double> count;
  for (double value : all) ++count[value];
  double sum = 0;
  for (const auto& [a, na] : count) {
    for (const auto& [b, nb] : count) sum += na * nb * difference(a, b, metric);
  }
  return sum;
}

std::optional<double> cohen_pair(std::span<const Unit> units, std::size_t a, std::size_t b) {
  std::vector<Values> both;
  for (const Unit& unit : units) {
    if (unit[a] && unit[b]) both.push_back({*unit[a], *unit[b]});
  }
  if (both.empty()) return std::nullopt;
  std::map<double, double> first;
  std::map<double, double> second;
  double same = 0;
  for (const Values& pair : classes_of(both)) {
    ++first[pair[0]];
    ++second[pair[1]];
    same += pair[0] == pair[1];
  }
  const auto n = static_cast<double>(both.size());
  double chance = 0;
  for (const auto& [value, count] : first) {
    const auto other = second.find(value);
    if (other != second.end()) chance += count * other->second;
  }
  chance /= n * n;
  if (chance >= 1) return std::nullopt;
  return (same / n - chance) / (1 - chance);
}

}  // namespace

std::optional<Metric> metric_of(std::string_view name) {
  for (int i = 0; i < 4; ++i) {
    if (name == kMetrics[i]) return static_cast<Metric>(i);
  }
  return std::nullopt;
}

const char* metric_name(Metric metric) { return kMetrics[static_cast<int>(metric)]; }

std::optional<double> krippendorff_alpha(std::span<const Unit> units, Metric metric) {
  const std::vector<Values> pairable = present(units, 2);
  const std::vector<int> classes = tie_classes(flat(pairable));
  if (classes.empty() || *std::max_element(classes.begin(), classes.end()) == 0)
    return std::nullopt;
  const std::vector<Values> values = prepared(pairable, metric);
  const std::vector<double> all = flat(values);
  const double chance = expected(all, metric);
  if (chance <= 0) return std::nullopt;
  return 1 - static_cast<double>(all.size() - 1) * observed(values, metric) / chance;
}

std::optional<double> fleiss_kappa(std::span<const Unit> units) {
  const std::vector<Values> rated = classes_of(present(units, 1));
  if (rated.empty() || rated[0].size() < 2) return std::nullopt;
  const auto raters = static_cast<double>(rated[0].size());
  std::map<double, double> total;
  double agreement_sum = 0;
  for (const Values& values : rated) {
    if (values.size() != rated[0].size()) return std::nullopt;
    std::map<double, double> count;
    for (double value : values) ++count[value], ++total[value];
    double squares = 0;
    for (const auto& [value, times] : count) squares += times * times;
    agreement_sum += (squares - raters) / (raters * (raters - 1));
  }
  const auto n = static_cast<double>(rated.size());
  double chance = 0;
  for (const auto& [value, times] : total) chance += times / (n * raters) * (times / (n * raters));
  if (total.size() < 2) return std::nullopt;
  return (agreement_sum / n - chance) / (1 - chance);
}

std::optional<double> cohen_kappa(std::span<const Unit> units) {
  if (units.empty()) return std::nullopt;
  std::vector<double> kappas;
  for (std::size_t a = 0; a < units[0].size(); ++a) {
    for (std::size_t b = a + 1; b < units[0].size(); ++b) {
      const std::optional<double> kappa = cohen_pair(units, a, b);
      if (!kappa) return std::nullopt;
      kappas.push_back(*kappa);
    }
  }
  if (kappas.empty()) return std::nullopt;
  return mean_of(kappas);
}

std::optional<double> percent_agreement(std::span<const Unit> units) {
  double same = 0;
  double pairs = 0;
  for (const Values& values : classes_of(present(units, 2))) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = i + 1; j < values.size(); ++j) {
        same += values[i] == values[j];
        ++pairs;
      }
    }
  }
  if (pairs == 0) return std::nullopt;
  return same / pairs;
}

Agreement agreement(std::span<const Unit> units, Metric metric) {
  Agreement result;
  for (const Values& values : present(units, 2)) {
    ++result.units;
    result.values += static_cast<int>(values.size());
  }
  result.alpha = krippendorff_alpha(units, metric);
  std::vector<Unit> complete;
  for (const Unit& unit : units) {
    const bool all =
        std::all_of(unit.begin(), unit.end(), [](const auto& value) { return value.has_value(); });
    if (all) complete.push_back(unit);
  }
  result.complete = static_cast<int>(complete.size());
  result.fleiss = fleiss_kappa(complete);
  result.cohen = cohen_kappa(units);
  result.percent = percent_agreement(units);
  return result;
}

}  // namespace assay
