#include "progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "text/utf8.h"

namespace assay::cli {
namespace {

std::size_t columns() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20;
  return known ? size.ws_col : 80;
}

}  // namespace

ProgressLine::Form ProgressLine::form_for(bool quiet, bool json) {
  if (json) return Form::kJson;
  if (quiet) return Form::kOff;
  return isatty(STDERR_FILENO) != 0 ? Form::kTerminal : Form::kLines;
}

std::string duration(double seconds) {
  const long s = std::lround(seconds);
  if (s >= 3600) return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
  if (s >= 60) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} s", s);
}

void ProgressLine::show(const Progress& progress) {
  if (form_ == Form::kOff) return;
  // Often enough to look alive, seldom enough to cost nothing; a log gets a line every ten seconds.
  const auto pause = std::chrono::milliseconds(form_ == Form::kTerminal ? 100
                                               : form_ == Form::kJson   ? 1000
                                                                        : 10'000);
  const Clock::time_point now = Clock::now();
  if (now - shown_ < pause) return;
  shown_ = now;
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  if (form_ == Form::kJson) {
    fmt::print(stderr, "{}\n", json(progress, seconds));
  } else if (form_ == Form::kLines) {
    fmt::print(stderr, "assay: {}\n", text(progress, seconds));
  } else {
    // A line that wraps could not be drawn over.
    fmt::print(stderr, "\r\x1b[K{}", ellipsize(text(progress, seconds), columns() - 1));
    drawn_ = true;
  }
  std::fflush(stderr);
}

void ProgressLine::end(const RunTotals& totals) {
  if (form_ != Form::kJson) return clear();
  const double seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
  fmt::print(stderr, "{}\n", json({totals.works, 0, &totals}, seconds));
}

void ProgressLine::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

double ProgressLine::seconds_left(const Progress& progress, double seconds) const {
  const auto done = static_cast<double>(progress.works_done);
  return done > 0 ? seconds / done * (static_cast<double>(works_) - done) : -1;
}

std::string ProgressLine::text(const Progress& progress, double seconds) const {
  const RunTotals& totals = *progress.totals;
  std::string line =
      fmt::format("{}/{} judged · {} in flight · {:.0f} calls/s", progress.works_done, works_,
                  progress.in_flight, static_cast<double>(totals.asked) / seconds);
  if (totals.cached > 0) line += fmt::format(" · {} known", totals.cached);
  if (const std::int64_t retries = retries_(); retries > 0)
    line += fmt::format(" · {} retries", retries);
  if (totals.repairs > 0) line += fmt::format(" · {} repairs", totals.repairs);
  if (totals.usage.usd > 0) line += fmt::format(" · ${:.4f}", totals.usage.usd);
  if (const double left = seconds_left(progress, seconds); left > 0)
    line += fmt::format(" · {} left", duration(left));
  return line;
}

std::string ProgressLine::json(const Progress& progress, double seconds) const {
  const RunTotals& totals = *progress.totals;
  const double left = seconds_left(progress, seconds);
  return fmt::format(
      R"({{"done":{},"of":{},"in_flight":{},"asked":{},"cached":{},"joined":{},"retries":{},"repairs":{},)"
      R"("usd":{:.6f},"seconds":{:.1f},"seconds_left":{}}})",
      progress.works_done, works_, progress.in_flight, totals.asked, totals.cached, totals.joined,
      retries_(), totals.repairs, totals.usage.usd, seconds,
      left < 0 ? "null" : fmt::format("{:.1f}", left));
}

}  // namespace assay::cli
