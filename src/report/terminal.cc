// Layout, at the width of the terminal:
//
//   news-07 · lead-3
//     coherence    0.50  ██████████··········  1 of 2 units weak
//         “The bridge opened on Monday. Bananas are rich in potassium.”
//         ✗ logical continuity — the sentences share no name and no word
//     fluency      1.00  ████████████████████
//
// Judged text is printed only through report::one_line: it may hold escape sequences. Tested as
// whole pages in tests/report/terminal_test.cc.

#include "report/terminal.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <utility>

#include "report/display.h"
#include "report/style.h"
#include "report/summary_table.h"

namespace assay {
namespace {

using report::colour_of;
using report::fit;
using report::kBold;
using report::kDim;
using report::kRed;
using report::kYellow;
using report::one_line;
using report::pad;
using report::share_of;

constexpr std::size_t kUnitIndent = 8;

std::string number(double value) { return fmt::format("{:.2f}", value == 0 ? 0.0 : value); }

bool worse(double a, std::size_t a_order, double b, std::size_t b_order) {
  return a != b ? a > b : a_order < b_order;
}

// What stands behind the number: the spread over repeats, and a scale that is not 0 to 1.
std::string behind(const std::optional<double>& deviation, const std::optional<Scale>& scale) {
  std::string text;
  if (deviation) text += fmt::format(" ± {}", number(*deviation));
  if (scale && *scale != Scale{}) text += fmt::format(" of {}–{}", scale->lo, scale->hi);
  return text;
}

}  // namespace

TerminalReporter::TerminalReporter(std::ostream& out, TerminalOptions options)
    : out_(out), options_(std::move(options)) {
  options_.width = std::max(options_.width, 60);
}
TerminalReporter::~TerminalReporter() = default;

std::string TerminalReporter::paint(std::string_view style, std::string_view text) const {
  return report::paint(options_.color, style, text);
}

// An unscored entry is the worst there can be: somebody should look at it.
double TerminalReporter::badness(const Card& card) {
  double lost = 0;
  for (const Entry& entry : card.entries) {
    if (!entry.score) {
      lost += 1;
    } else {
      lost += 1 - share_of(entry.score, entry.scale).value_or(1);
    }
  }
  return lost / static_cast<double>(card.entries.size());
}

void TerminalReporter::close_card() {
  if (current_.entries.empty()) return;
  current_.order = rows_++;
  const auto better = [](const Card& a, const Card& b) {
    return worse(badness(a), a.order, badness(b), b.order);
  };
  worst_.push_back(std::move(current_));
  std::push_heap(worst_.begin(), worst_.end(), better);
  if (worst_.size() > options_.max_rows) {
    std::pop_heap(worst_.begin(), worst_.end(), better);
    worst_.pop_back();
  }
  current_ = Card{};
}

void TerminalReporter::add(const Sample& sample, const Result& result) {
  summary_.add(result);
  if (current_.id != result.id || current_.system != result.system) close_card();
  current_.id = result.id;
  current_.system = result.system;
  Entry entry;
  entry.dimension = result.dimension;
  entry.method = result.method;
  entry.judge = result.judge_kind == "jury" ? "jury" : result.judge;
  methods_.insert(entry.method);
  judges_.insert(entry.judge);
  const bool scored = result.score && std::isfinite(*result.score);
  entry.score = scored ? result.score : std::nullopt;
  entry.deviation = result.deviation;
  entry.scale = result.scale;
  entry.reason = result.reason;
  entry.note = result.evidence.note;
  if (options_.max_rows > 0) entry.weakness = find_weakest(sample, result, options_.max_units);
  current_.entries.push_back(std::move(entry));
}

// The dimension, and the method and judge where there are several.
std::string TerminalReporter::name_of(const Entry& entry) const {
  std::string name = entry.dimension;
  if (methods_.size() > 1) name += " · " + entry.method;
  if (judges_.size() > 1) name += " · " + entry.judge;
  return one_line(name);
}

std::string TerminalReporter::bar(double share) const {
  static constexpr const char* kParts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const std::size_t cells = options_.width < 76 ? 10 : 20;
  const auto eighths =
      static_cast<std::size_t>(std::lround(share * static_cast<double>(cells) * 8));
  std::string filled;
  for (std::size_t i = 0; i < eighths / 8; ++i) filled += "█";
  filled += kParts[eighths % 8];
  std::string rest;
  for (std::size_t i = (eighths + 7) / 8; i < cells; ++i) rest += "·";
  return paint(colour_of(share), filled) + paint(kDim, rest);
}

// A paragraph under a score: `mark` before its first line, the rest hanging under the text.
void TerminalReporter::print_hanging(std::string_view style, std::string_view mark,
                                     const std::string& text, std::size_t most) {
  const std::size_t inner = report::columns(mark);
  const auto lines =
      report::wrap(text, static_cast<std::size_t>(options_.width) - kUnitIndent - inner, most);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out_ << std::string(kUnitIndent, ' ') << (i > 0 ? std::string(inner, ' ') : paint(style, mark))
         << lines[i] << '\n';
  }
}

void TerminalReporter::print_unit(const WeakUnit& unit) {
  const bool named_by_fault = unit.faults.size() == 1 && unit.faults[0].name == unit.label;
  if (!unit.text.empty()) {
    print_hanging("", "“", one_line(unit.text) + "”", 3);
  } else if (unit.note.empty() && !named_by_fault) {
    print_hanging("", "", one_line(unit.label), 1);
  }
  print_hanging(kDim, "→ ", one_line(unit.note), 2);
  const std::size_t shown = std::min(unit.faults.size(), options_.max_faults);
  for (std::size_t i = 0; i < shown; ++i) {
    const Fault& fault = unit.faults[i];
    // A soft value is told; a plain no is not repeated as 0.00.
    const std::string value = fault.value > 0 ? fmt::format(" {}", number(fault.value)) : "";
    const std::string why = fault.why.empty() ? "" : " — " + one_line(fault.why);
    const bool no = fault.value < 0.5;
    print_hanging(no ? kRed : kYellow, no ? "✗ " : "~ ", one_line(fault.name) + value + why, 3);
  }
  if (shown < unit.faults.size()) {
    print_hanging("", "  ", fmt::format("and {} more", unit.faults.size() - shown), 1);
  }
}

// The number, its bar, and how many units are weak; padded only where something follows.
void TerminalReporter::print_score(const Entry& entry) {
  const auto share = share_of(entry.score, entry.scale);
  const std::string text = number(*entry.score);
  const std::string more = behind(entry.deviation, entry.scale);
  out_ << (share ? paint(colour_of(*share), text) : text) << paint(kDim, more);
  const Weakness& weakness = entry.weakness;
  const bool remark = weakness.all > 1 && weakness.weak > 0;
  if ((options_.bars && share) || remark) {
    out_ << std::string(score_width_ - report::columns(text + more) + 2, ' ');
  }
  if (options_.bars && share) out_ << bar(*share) << (remark ? "  " : "");
  if (remark) out_ << paint(kDim, fmt::format("{} of {} units weak", weakness.weak, weakness.all));
  out_ << '\n';
}

void TerminalReporter::print_entry(const Entry& entry) {
  out_ << "  " << pad(name_of(entry), name_width_) << "  ";
  const auto width = static_cast<std::size_t>(options_.width);
  if (!entry.score) {
    out_ << paint(kYellow, "unscored") << "  "
         << fit(one_line(entry.reason), width - name_width_ - 14) << '\n';
    return;
  }
  print_score(entry);
  for (const WeakUnit& unit : entry.weakness.units) print_unit(unit);
  const bool silent =
      entry.weakness.units.empty() && share_of(entry.score, entry.scale).value_or(0) < 1;
  if (!silent) return;
  print_hanging("", "", one_line(entry.note), 2);
}

void TerminalReporter::print_card(const Card& card) {
  std::string id = fit(one_line(card.id), static_cast<std::size_t>(options_.width) / 2);
  out_ << paint(kBold, id);
  if (!card.system.empty())
    out_ << paint(kDim, fmt::format(" · {}", fit(one_line(card.system), 30)));
  out_ << '\n';
  for (const Entry& entry : card.entries) print_entry(entry);
  out_ << '\n';
}

// Columns line up over all rows shown.
void TerminalReporter::measure() {
  for (const Card& card : worst_) {
    for (const Entry& entry : card.entries) {
      const auto most = static_cast<std::size_t>(options_.width) / 2;
      name_width_ = std::max(name_width_, std::min(most, report::columns(name_of(entry))));
      if (!entry.score) continue;
      const std::string text = number(*entry.score) + behind(entry.deviation, entry.scale);
      score_width_ = std::max(score_width_, report::columns(text));
    }
  }
}

void TerminalReporter::finish() {
  close_card();
  std::sort(worst_.begin(), worst_.end(), [](const Card& a, const Card& b) {
    return worse(badness(a), a.order, badness(b), b.order);
  });
  measure();
  for (const Card& card : worst_) print_card(card);
  if (worst_.size() < rows_ && !worst_.empty()) {
    const std::string which = worst_.size() == 1 ? "worst" : fmt::format("{} worst", worst_.size());
    out_ << paint(kDim, fmt::format("The {} of {} rows {} shown.", which, rows_,
                                    worst_.size() == 1 ? "is" : "are"))
         << "\n\n";
  }
  out_ << report::summary_table(summary_.lines(), options_.color,
                                static_cast<std::size_t>(options_.width));
  for (const std::string& caveat : options_.caveats) {
    out_ << '\n';
    for (const std::string& line :
         report::wrap(one_line(caveat), static_cast<std::size_t>(options_.width), 12)) {
      out_ << paint(kDim, line) << '\n';
    }
  }
  out_.flush();
}

}  // namespace assay
