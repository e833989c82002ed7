#pragma once

#include <cstddef>
#include <map>

namespace assay {

// Which shared parts a server has in its cache, as far as we can know. Pure logic on the times it
// is given; not thread-safe. Tested in tests/judges/anthropic_messages_test.cc.
class PrefixCache {
 public:
  // True where a request with this prefix must wait: another one is on its way to fill the cache.
  bool must_wait(std::size_t prefix) const;
  // A request is sent; true: it is the one that fills the cache. Hand that back to `ended`.
  bool started(std::size_t prefix, double now);
  // It ended; `keeps_s`: how long the server keeps the part from now on, 0 where it failed.
  void ended(std::size_t prefix, bool fills, double now, double keeps_s);
  std::size_t size() const { return known_.size(); }

 private:
  struct Known {
    bool filling = false;
    double until = 0;
  };
  void forget(double now);

  std::map<std::size_t, Known> known_;
  std::size_t sweep_at_ = 4096;
};

}  // namespace assay
