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

namespace assay {
namespace {

using report::fit;
using report::one_line;
using report::pad;

constexpr std::string_view kBold = "1";
constexpr std::string_view kDim = "2";
constexpr std::string_view kRed = "31";
constexpr std::string_view kGreen = "32";
constexpr std::string_view kYellow = "33";
constexpr std::size_t kBarCells = 20;
constexpr std::size_t kUnitIndent = 8;

// Where a score stands between the ends of its scale; nothing where the scale is open.
std::optional<double> share_of(std::optional<double> score, const std::optional<Scale>& scale) {
  if (!score || !scale || scale->hi <= scale->lo) return std::nullopt;
  return std::clamp((*score - scale->lo) / (scale->hi - scale->lo), 0.0, 1.0);
}

std::string_view colour_of(double share) {
  if (share >= 0.8) return kGreen;
  return share >= 0.5 ? kYellow : kRed;
}

std::string number(double value) { return fmt::format("{:.2f}", value == 0 ? 0.0 : value); }

bool worse(double a, std::size_t a_order, double b, std::size_t b_order) {
  return a != b ? a > b : a_order < b_order;
}

std::string plural(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

}  // namespace

TerminalReporter::TerminalReporter(std::ostream& out, TerminalOptions options)
    : out_(out), options_(std::move(options)) {
  options_.width = std::max(options_.width, 40);
}
TerminalReporter::~TerminalReporter() = default;

std::string TerminalReporter::paint(std::string_view style, std::string_view text) const {
  if (!options_.color) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", style, text);
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
  entry.name = result.dimension;
  for (const Entry& other : current_.entries) {
    if (other.name != entry.name) continue;  // several methods or judges: tell them apart
    entry.name = fmt::format("{} ({}, {})", result.dimension, result.method, result.judge);
  }
  const bool scored = result.score && std::isfinite(*result.score);
  entry.score = scored ? result.score : std::nullopt;
  entry.deviation = result.deviation;
  entry.scale = result.scale;
  entry.reason = result.reason;
  entry.note = result.evidence.note;
  if (options_.max_rows > 0) entry.weakness = find_weakest(sample, result, options_.max_units);
  current_.entries.push_back(std::move(entry));
}

std::string TerminalReporter::bar(double share) const {
  static constexpr const char* kParts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<std::size_t>(std::lround(share * kBarCells * 8));
  std::string filled;
  for (std::size_t i = 0; i < eighths / 8; ++i) filled += "█";
  filled += kParts[eighths % 8];
  std::string rest;
  for (std::size_t i = (eighths + 7) / 8; i < kBarCells; ++i) rest += "·";
  return paint(colour_of(share), filled) + paint(kDim, rest);
}

std::string TerminalReporter::score_text(const Entry& entry) const {
  std::string text = number(*entry.score);
  const auto share = share_of(entry.score, entry.scale);
  if (share) text = paint(colour_of(*share), text);
  if (entry.deviation) text += fmt::format(" ± {}", number(*entry.deviation));
  const bool unit_scale = entry.scale && entry.scale->lo == 0 && entry.scale->hi == 1;
  if (entry.scale && !unit_scale)
    text += paint(kDim, fmt::format(" of {}–{}", entry.scale->lo, entry.scale->hi));
  return text;
}

void TerminalReporter::print_unit(const WeakUnit& unit) {
  const std::size_t width = static_cast<std::size_t>(options_.width) - kUnitIndent;
  const std::string indent(kUnitIndent, ' ');
  if (!unit.text.empty()) {
    const auto lines = report::wrap(fmt::format("“{}”", one_line(unit.text)), width, 3);
    for (std::size_t i = 0; i < lines.size(); ++i)
      out_ << indent << (i > 0 ? " " : "") << lines[i] << '\n';
  } else if (unit.faults.size() != 1 || unit.faults[0].name != unit.label) {
    out_ << indent << fit(one_line(unit.label), width) << '\n';
  }
  const std::size_t shown = std::min(unit.faults.size(), options_.max_faults);
  for (std::size_t i = 0; i < shown; ++i) {
    const Fault& fault = unit.faults[i];
    // A soft value is told; a plain no is not repeated as 0.00.
    const std::string value = fault.value > 0 ? fmt::format(" {}", number(fault.value)) : "";
    const std::string why = fault.why.empty() ? "" : " — " + one_line(fault.why);
    const auto lines = report::wrap(one_line(fault.name) + value + why, width - 2, 3);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      out_ << indent
           << (k > 0 ? "  "
                     : paint(fault.value < 0.5 ? kRed : kYellow, fault.value < 0.5 ? "✗ " : "~ "))
           << lines[k] << '\n';
    }
  }
  if (shown < unit.faults.size()) {
    out_ << indent << paint(kDim, fmt::format("  and {} more", unit.faults.size() - shown)) << '\n';
  }
}

void TerminalReporter::print_entry(const Entry& entry, std::size_t name_width) {
  out_ << "  " << pad(one_line(entry.name), name_width) << "  ";
  if (!entry.score) {
    const std::size_t width = static_cast<std::size_t>(options_.width) - name_width - 14;
    out_ << paint(kYellow, "unscored") << "  " << fit(one_line(entry.reason), width) << '\n';
    return;
  }
  out_ << score_text(entry);
  const auto share = share_of(entry.score, entry.scale);
  if (options_.bars && share) out_ << "  " << bar(*share);
  const Weakness& weakness = entry.weakness;
  if (weakness.all > 1 && weakness.weak > 0) {
    out_ << "  " << paint(kDim, fmt::format("{} of {} units weak", weakness.weak, weakness.all));
  }
  out_ << '\n';
  for (const WeakUnit& unit : weakness.units) print_unit(unit);
  if (weakness.units.empty() && !entry.note.empty() && share.value_or(0) < 1) {
    const std::size_t width = static_cast<std::size_t>(options_.width) - kUnitIndent;
    for (const std::string& line : report::wrap(one_line(entry.note), width, 2)) {
      out_ << std::string(kUnitIndent, ' ') << line << '\n';
    }
  }
}

void TerminalReporter::print_card(const Card& card, std::size_t name_width) {
  std::string id = fit(one_line(card.id), static_cast<std::size_t>(options_.width) / 2);
  out_ << paint(kBold, id);
  if (!card.system.empty())
    out_ << paint(kDim, fmt::format(" · {}", fit(one_line(card.system), 30)));
  out_ << '\n';
  for (const Entry& entry : card.entries) print_entry(entry, name_width);
  out_ << '\n';
}

void TerminalReporter::print_section(const std::vector<SummaryLine>& lines) {
  const SummaryLine& first = lines.front();
  std::string judge = one_line(first.judge);
  if (!first.judge_kind.empty()) judge += " — " + one_line(first.judge_kind);
  out_ << paint(kBold, one_line(first.method)) << paint(kDim, fmt::format("  judged by {}", judge))
       << '\n';
  const bool systems =
      std::any_of(lines.begin(), lines.end(), [](const auto& l) { return !l.system.empty(); });
  std::size_t system_width = 6;
  std::size_t name_width = 9;
  for (const SummaryLine& line : lines) {
    system_width =
        std::max(system_width, std::min<std::size_t>(28, report::columns(one_line(line.system))));
    name_width =
        std::max(name_width, std::min<std::size_t>(28, report::columns(one_line(line.dimension))));
  }
  const std::string left = systems ? pad("system", system_width) + "  " : "";
  out_ << paint(kDim, fmt::format("  {}{}  {:>6}  {:>6}  {:<13}  unscored", left,
                                  pad("dimension", name_width), "rows", "mean", "95 % interval"))
       << '\n';
  std::string previous = "\x1f";
  for (const SummaryLine& line : lines) {
    const std::string system = line.all_systems      ? "all"
                               : line.system.empty() ? "–"
                                                     : one_line(line.system);
    // A system is named once, over its dimensions.
    const std::string shown = system == previous ? "" : system;
    previous = system;
    out_ << "  ";
    if (systems) out_ << pad(shown, system_width) << "  ";
    std::string mean = line.mean ? fmt::format("{:>6.3f}", *line.mean) : "     –";
    if (const auto share = share_of(line.mean, line.scale)) mean = paint(colour_of(*share), mean);
    const std::string interval =
        line.low ? pad(fmt::format("{:.3f} – {:.3f}", *line.low, *line.high), 13) : pad("–", 13);
    const std::string unscored = line.unscored > 0
                                     ? paint(kYellow, fmt::format("{:>8}", line.unscored))
                                     : fmt::format("{:>8}", 0);
    out_ << pad(one_line(line.dimension), name_width) << fmt::format("  {:>6}  ", line.n) << mean
         << "  " << interval << "  " << unscored << '\n';
  }
}

void TerminalReporter::print_summary() {
  std::vector<SummaryLine> section;
  const auto same = [](const SummaryLine& a, const SummaryLine& b) {
    return a.method == b.method && a.judge == b.judge && a.layout == b.layout;
  };
  for (SummaryLine& line : summary_.lines()) {
    if (!section.empty() && !same(section.front(), line)) {
      print_section(section);
      section.clear();
      out_ << '\n';
    }
    section.push_back(std::move(line));
  }
  if (!section.empty()) print_section(section);
}

void TerminalReporter::finish() {
  close_card();
  std::sort(worst_.begin(), worst_.end(), [](const Card& a, const Card& b) {
    return worse(badness(a), a.order, badness(b), b.order);
  });
  std::size_t name_width = 0;
  for (const Card& card : worst_) {
    for (const Entry& entry : card.entries) {
      name_width =
          std::max(name_width, std::min<std::size_t>(32, report::columns(one_line(entry.name))));
    }
  }
  for (const Card& card : worst_) print_card(card, name_width);
  if (worst_.size() < rows_ && !worst_.empty()) {
    out_ << paint(kDim, fmt::format("The {} worst of {} are shown.", worst_.size(),
                                    plural(rows_, "row", "rows")))
         << "\n\n";
  }
  print_summary();
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
