#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "assay/result.h"
#include "report/sink.h"

// What `assay metric` passes from the threads that score to the one that writes. Thread-compatible.

namespace assay::cli {

struct Block {
  std::vector<Sample> samples;
  std::vector<std::size_t> systems;  // number of each sample's system
};

struct Scored {
  Block block;
  std::vector<Result> results;  // of every sample: metrics, then dimensions
  std::string lines;            // the same as JSON Lines, where they are wanted
};

// Systems by number, in the order in which they first appear.
class Systems {
 public:
  std::size_t number(const std::string& name) {
    const auto [it, added] = numbers_.emplace(name, names_.size());
    if (added) names_.push_back(name);
    return it->second;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<std::string> names_;
};

// Mean score of every system and metric, for the table.
class Means {
 public:
  explicit Means(std::size_t metrics) : metrics_(metrics) {}

  void add(std::size_t system, std::size_t metric, const std::optional<double>& score) {
    if (cells_.size() < (system + 1) * metrics_) cells_.resize((system + 1) * metrics_);
    Cell& cell = cells_[system * metrics_ + metric];
    if (!score) {
      ++unscored_;
      return;
    }
    cell.sum += *score;
    ++cell.count;
  }
  std::optional<double> mean(std::size_t system, std::size_t metric) const {
    const Cell& cell = cells_[system * metrics_ + metric];
    if (cell.count == 0) return std::nullopt;
    return cell.sum / static_cast<double>(cell.count);
  }
  std::size_t count(std::size_t system, std::size_t metric) const {
    return cells_[system * metrics_ + metric].count;
  }
  std::size_t unscored() const { return unscored_; }

 private:
  struct Cell {
    double sum = 0;
    std::size_t count = 0;
  };
  std::size_t metrics_;
  std::vector<Cell> cells_;
  std::size_t unscored_ = 0;
};

// Where results go: JSON Lines are made by the threads, other formats from the results one by one.
class Outputs {
 public:
  // ConfigError on a path that cannot be written or has no known extension.
  explicit Outputs(const std::vector<std::string>& paths);
  bool wants_lines() const { return !sinks_.empty(); }
  bool takes_stdout() const { return takes_stdout_; }
  void write(const Scored& scored);
  void finish();

 private:
  std::vector<std::unique_ptr<report::Sink>> sinks_;
  std::vector<std::unique_ptr<Reporter>> reporters_;
  bool takes_stdout_ = false;
};

}  // namespace assay::cli
