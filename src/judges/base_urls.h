#pragma once

#include <cstddef>
#include <vector>

namespace assay {

// Which of several servers the next request goes to: the one with the fewest requests out. One that
// cannot be reached always has the fewest, so it rests, for half a second and then twice as long
// each time, and the others do its work. Pure logic on the times it is given (seconds); not
// thread-safe.
class BaseUrls {
 public:
  explicit BaseUrls(std::size_t count) : urls_(count) {}

  // Where a request that leaves now goes; it counts as out until `returned`. Where all rest, the
  // one that rests least.
  std::size_t take(double now);
  void returned(std::size_t url, bool answered);
  // No connection. True where another server can be tried at once.
  bool unreachable(std::size_t url, double now);

 private:
  struct Url {
    int out = 0;
    int failures = 0;  // in a row
    double rests_until = 0;
  };
  std::vector<Url> urls_;
  std::size_t turn_ = 0;
};

}  // namespace assay
