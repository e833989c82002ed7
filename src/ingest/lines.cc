#include "ingest/lines.h"

#include <algorithm>
#include <cstring>

namespace assay::ingest {
namespace {

// Large enough that system calls cost nothing beside parsing, small enough to stay in a core's
// cache.
constexpr std::size_t kChunk = std::size_t{1} << 18;

}  // namespace

LineReader::LineReader(Input& input, std::size_t max_line_bytes)
    : input_(input), max_(max_line_bytes), buffer_(kChunk + kPadding) {}

// Moves what is left to the front and reads on. False at the end of the input.
bool LineReader::refill() {
  if (eof_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ + kPadding == buffer_.size()) buffer_.resize((buffer_.size() - kPadding) * 2 + kPadding);
  const std::size_t got = input_.read(buffer_.data() + end_, buffer_.size() - kPadding - end_);
  end_ += got;
  eof_ = got == 0;
  return got > 0;
}

std::string_view LineReader::take(std::size_t length) {
  const std::string_view line(buffer_.data() + begin_, length);
  begin_ += length;
  ++number_;
  return line;
}

LineReader::Got LineReader::next(std::string_view& line) {
  std::size_t seen = 0;
  for (;;) {
    const char* from = buffer_.data() + begin_ + seen;
    const std::size_t left = end_ - begin_ - seen;
    const void* newline = left == 0 ? nullptr : std::memchr(from, '\n', left);
    if (newline != nullptr) {
      const std::size_t length =
          static_cast<std::size_t>(static_cast<const char*>(newline) - buffer_.data()) - begin_;
      if (length > max_) return discard_line();
      line = take(length);
      ++begin_;
      terminated_ = true;
      return Got::kLine;
    }
    seen = end_ - begin_;
    if (seen > max_) return discard_line();
    if (!refill()) break;
  }
  if (seen == 0) return Got::kEnd;
  line = take(seen);
  terminated_ = false;
  return Got::kLine;
}

// Reads on to the end of the line without keeping it.
LineReader::Got LineReader::discard_line() {
  terminated_ = false;
  do {
    const void* newline = std::memchr(buffer_.data() + begin_, '\n', end_ - begin_);
    if (newline != nullptr) {
      begin_ = static_cast<std::size_t>(static_cast<const char*>(newline) - buffer_.data()) + 1;
      terminated_ = true;
      break;
    }
    begin_ = end_ = 0;
  } while (refill());
  ++number_;
  return Got::kTooLong;
}

std::string_view LineReader::peek(std::size_t bytes) {
  while (end_ - begin_ < bytes && refill()) {
  }
  return {buffer_.data() + begin_, std::min(bytes, end_ - begin_)};
}

void LineReader::rewind() {
  input_.rewind();
  begin_ = end_ = number_ = 0;
  eof_ = false;
  terminated_ = true;
}

}  // namespace assay::ingest
