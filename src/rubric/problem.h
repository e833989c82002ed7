#pragma once

#include <string>
#include <utility>
#include <vector>

namespace assay {

// Something wrong in a rubric or prompt file.
struct Problem {
  std::string file;
  int line = 0;  // from 1; 0 where no line is to blame (an unreadable file)
  std::string text;

  std::string str() const;  // FILE:LINE: what is wrong and what to do
};

// All that is wrong, in the order found. `rubric check` prints every one; a run throws the first.
class Problems {
 public:
  void add(const std::string& file, int line, std::string text) {
    all_.push_back({file, line, std::move(text)});
  }
  bool empty() const { return all_.empty(); }
  const std::vector<Problem>& all() const { return all_; }
  void throw_first() const;  // ConfigError, where there is a first

 private:
  std::vector<Problem> all_;
};

}  // namespace assay
