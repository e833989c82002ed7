#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "ingest/input.h"

namespace assay::ingest {

// The lines of an input, one at a time, in a buffer that grows only as far as the longest line
// asks. A line is handed out without its '\n' and stays valid until the next call. Behind every
// line lie at least kPadding readable bytes, so that simdjson can parse it in place.
class LineReader {
 public:
  static constexpr std::size_t kPadding = 64;

  enum class Got { kLine, kTooLong, kEnd };

  LineReader(Input& input, std::size_t max_line_bytes);

  // kTooLong: the line is over the limit and was passed over to its end; `line` is left as it was.
  Got next(std::string_view& line);
  // Number of the line handed out last, from 1.
  std::size_t number() const { return number_; }
  // Whether the line handed out last ended with '\n': a last line that does not may have been cut
  // off.
  bool terminated() const { return terminated_; }
  // The first bytes of the input (fewer only when it is shorter), without consuming them.
  std::string_view peek(std::size_t bytes);
  void skip(std::size_t bytes) { begin_ += bytes; }
  void rewind();

 private:
  bool refill();
  Got discard_line();
  std::string_view take(std::size_t length);

  Input& input_;
  std::size_t max_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool eof_ = false;
  bool terminated_ = true;
  std::size_t number_ = 0;
};

}  // namespace assay::ingest
