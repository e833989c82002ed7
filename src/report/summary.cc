#include "report/summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kDraws = 1000;
constexpr std::size_t kManyClusters = 20000;
constexpr std::uint64_t kSeed = 20;

// A number below n from the high bits: the same on every platform, unlike
// std::uniform_int_distribution. n < 2^32.
std::size_t below(std::mt19937_64& random, std::size_t n) {
  return static_cast<std::size_t>(((random() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
}

// Linear between order statistics (the definition of most statistics packages).
double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto lower = static_cast<std::size_t>(at);
  const double part = at - static_cast<double>(lower);
  if (lower + 1 == sorted.size()) return sorted[lower];
  return sorted[lower] + part * (sorted[lower + 1] - sorted[lower]);
}

MeanInterval normal_interval(const std::vector<double>& sums, const std::vector<double>& counts) {
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) sum += sums[i], count += counts[i];
  const double mean = sum / count;
  double squares = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) squares += std::pow(sums[i] - mean * counts[i], 2);
  const auto n = static_cast<double>(sums.size());
  const double half = 1.959963984540054 * std::sqrt(squares * n / (n - 1)) / count;
  return {mean - half, mean + half};
}

void note_name(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string cell_key(std::string_view system, std::string_view dimension, bool all) {
  return fmt::format("{}\x1f{}\x1f{}", all ? "all" : "one", system, dimension);
}

}  // namespace

std::optional<MeanInterval> bootstrap_mean(const std::vector<double>& sums,
                                           const std::vector<double>& counts) {
  if (sums.size() < 2) return std::nullopt;
  if (sums.size() > kManyClusters) return normal_interval(sums, counts);
  std::mt19937_64 random(kSeed);
  std::vector<double> means;
  means.reserve(kDraws);
  for (std::size_t draw = 0; draw < kDraws; ++draw) {
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::size_t pick = below(random, sums.size());
      sum += sums[pick];
      count += counts[pick];
    }
    means.push_back(sum / count);
  }
  std::sort(means.begin(), means.end());
  return MeanInterval{quantile(means, 0.025), quantile(means, 0.975)};
}

Summary::Section& Summary::section(const Result& result) {
  const std::string name =
      fmt::format("{}\x1f{}\x1f{}", result.method, result.judge, result.layout);
  for (Section& section : sections_) {
    if (section.name == name) return section;
  }
  sections_.emplace_back().name = name;
  return sections_.back();
}

void Summary::add_to(Cell& cell, const Result& result, bool all_systems) {
  SummaryLine& line = cell.line;
  if (line.n + line.unscored == 0) {
    line.method = result.method;
    line.judge = result.judge;
    line.judge_kind = result.judge_kind;
    line.layout = result.layout;
    line.system = all_systems ? "" : result.system;
    line.dimension = result.dimension;
    line.all_systems = all_systems;
    line.scale = result.scale;
  }
  if (!result.score || !std::isfinite(*result.score)) {
    ++line.unscored;
    return;
  }
  ++line.n;
  const auto [it, added] = cell.index.try_emplace(result.group, cell.clusters.size());
  if (added) cell.clusters.emplace_back();
  Cluster& cluster = cell.clusters[it->second];
  cluster.sum += *result.score;
  cluster.count += 1;
}

void Summary::add(const Result& result) {
  Section& here = section(result);
  note_name(here.systems, result.system);
  note_name(here.dimensions, result.dimension);
  add_to(here.cells[cell_key(result.system, result.dimension, false)], result, false);
  add_to(here.cells[cell_key("", result.dimension, true)], result, true);
}

SummaryLine Summary::finished(const Cell& cell) {
  SummaryLine line = cell.line;
  std::vector<double> sums;
  std::vector<double> counts;
  double total = 0;
  for (const Cluster& cluster : cell.clusters) {
    sums.push_back(cluster.sum);
    counts.push_back(cluster.count);
    total += cluster.sum;
  }
  if (line.n == 0) return line;
  line.mean = total / static_cast<double>(line.n);
  if (const auto interval = bootstrap_mean(sums, counts)) {
    line.low = interval->low;
    line.high = interval->high;
  }
  return line;
}

std::vector<SummaryLine> Summary::lines() const {
  std::vector<SummaryLine> lines;
  for (const Section& section : sections_) {
    const auto put = [&](const std::string& key) {
      const auto it = section.cells.find(key);
      if (it != section.cells.end()) lines.push_back(finished(it->second));
    };
    for (const std::string& system : section.systems) {
      for (const std::string& dimension : section.dimensions)
        put(cell_key(system, dimension, false));
    }
    if (section.systems.size() < 2) continue;
    for (const std::string& dimension : section.dimensions) put(cell_key("", dimension, true));
  }
  return lines;
}

}  // namespace assay
