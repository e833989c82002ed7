#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "assay/result.h"
#include "report/summary.h"
#include "report/weakest.h"

namespace assay {

struct TerminalOptions {
  bool color = false;          // the caller knows about NO_COLOR and whether this is a terminal
  bool bars = false;           // on a terminal, with or without colour
  int width = 80;              // columns; 60 at least
  std::size_t max_rows = 10;   // rows shown, worst first
  std::size_t max_units = 2;   // weakest units quoted per score
  std::size_t max_faults = 3;  // what they lacked
  std::vector<std::string> caveats = {};  // said under the summary, one paragraph each
};

// For people: the worst rows with their weakest units quoted and why, then a summary per system and
// dimension. Results of one row should come one after another; they share a heading. Keeps only the
// rows it will show. Thread-compatible.
class TerminalReporter : public Reporter {
 public:
  TerminalReporter(std::ostream& out, TerminalOptions options);
  ~TerminalReporter() override;
  void add(const Sample& sample, const Result& result) override;
  // Prints everything.
  void finish() override;

 private:
  struct Entry {  // one score of a row
    std::string dimension;
    std::string method;
    std::string judge;
    std::optional<double> score;
    std::optional<double> deviation;
    std::optional<Scale> scale;
    std::string reason;
    std::string note;  // the root's, where no unit says more
    Weakness weakness;
  };
  struct Card {
    std::string id;
    std::string system;
    std::vector<Entry> entries;
    std::size_t order = 0;
  };
  static double badness(const Card& card);
  std::string name_of(const Entry& entry) const;
  void close_card();
  void measure();
  void print_card(const Card& card);
  void print_entry(const Entry& entry);
  void print_unit(const WeakUnit& unit);
  void print_hanging(std::string_view style, std::string_view mark, const std::string& text,
                     std::size_t most);
  void print_score(const Entry& entry);
  std::string paint(std::string_view style, std::string_view text) const;
  std::string bar(double share) const;

  std::ostream& out_;
  TerminalOptions options_;
  Summary summary_;
  Card current_;
  std::vector<Card> worst_;  // a heap: the best of the kept rows is in front
  std::size_t rows_ = 0;
  std::set<std::string> methods_;  // of all rows: an entry is named by what differs
  std::set<std::string> judges_;
  std::size_t name_width_ = 0;  // of the rows shown
  std::size_t score_width_ = 0;
};

}  // namespace assay
