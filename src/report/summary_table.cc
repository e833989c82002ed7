#include "report/summary_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "report/display.h"
#include "report/style.h"

namespace assay::report {
namespace {

// Two spaces before every column; rows, mean, interval and unscored take 6, 6, 13 and 8.
constexpr std::size_t kFigures = 2 + 6 + 2 + 6 + 2 + 13 + 2 + 8;

struct Widths {
  std::size_t system = 0;  // 0: no such column
  std::size_t dimension = 9;
};

std::string shown_system(const SummaryLine& line) {
  if (line.all_systems) return "all";
  return line.system.empty() ? "–" : one_line(line.system);
}

// As wide as the names ask for; where that is too much, both columns give way.
Widths widths_of(std::span<const SummaryLine> lines, std::size_t width) {
  Widths widths;
  for (const SummaryLine& line : lines) {
    if (!line.system.empty())
      widths.system = std::max<std::size_t>({widths.system, 6, columns(shown_system(line))});
    widths.dimension = std::max(widths.dimension, columns(one_line(line.dimension)));
  }
  const std::size_t room = width - kFigures - 2 - (widths.system > 0 ? 2 : 0);
  if (widths.system + widths.dimension <= room) return widths;
  const std::size_t half = widths.system > 0 ? room / 2 : room;
  widths.dimension =
      std::min(widths.dimension, std::max(half, room - std::min(room, widths.system)));
  widths.system = std::min(widths.system, room - widths.dimension);
  return widths;
}

std::string table_line(const SummaryLine& line, std::string_view system, const Widths& widths,
                       bool color) {
  std::string out = "  ";
  if (widths.system > 0) out += pad(system, widths.system) + "  ";
  std::string mean = line.mean ? fmt::format("{:>6.3f}", *line.mean) : "     –";
  if (const auto share = share_of(line.mean, line.scale))
    mean = paint(color, colour_of(*share), mean);
  const std::string interval =
      line.low ? fmt::format("{:.3f} – {:.3f}", *line.low, *line.high) : "–";
  std::string unscored = fmt::format("{:>8}", line.unscored);
  if (line.unscored > 0) unscored = paint(color, kYellow, unscored);
  return out + fmt::format("{}  {:>6}  {}  {}  {}\n",
                           pad(one_line(line.dimension), widths.dimension), line.n, mean,
                           pad(interval, 13), unscored);
}

std::string section(std::span<const SummaryLine> lines, bool color, std::size_t width) {
  const SummaryLine& first = lines.front();
  std::string judge = "judged by " + one_line(first.judge);
  if (!first.judge_kind.empty()) judge += " — " + one_line(first.judge_kind);
  const std::string method = fit(one_line(first.method), 24);
  std::string out = paint(color, kBold, method) + "  " +
                    paint(color, kDim, fit(judge, width - columns(method) - 2)) + "\n";
  const Widths widths = widths_of(lines, width);
  const std::string system_head = widths.system > 0 ? pad("system", widths.system) + "  " : "";
  out += paint(color, kDim,
               fmt::format("  {}{}    rows    mean  95 % interval  unscored", system_head,
                           pad("dimension", widths.dimension))) +
         "\n";
  std::string previous;
  for (const SummaryLine& line : lines) {
    const std::string system = shown_system(line);
    // A system is named once, beside the first of its dimensions.
    out += table_line(line, system == previous ? "" : system, widths, color);
    previous = system;
  }
  return out;
}

bool same_section(const SummaryLine& a, const SummaryLine& b) {
  return a.method == b.method && a.judge == b.judge && a.layout == b.layout;
}

}  // namespace

std::string summary_table(const std::vector<SummaryLine>& lines, bool color, std::size_t width) {
  std::string out;
  for (auto from = lines.begin(); from != lines.end();) {
    const auto to = std::find_if(from, lines.end(),
                                 [&](const auto& line) { return !same_section(*from, line); });
    if (!out.empty()) out += '\n';
    out += section({from, to}, color, std::max<std::size_t>(width, 60));
    from = to;
  }
  return out;
}

}  // namespace assay::report
