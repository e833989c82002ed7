#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>

namespace assay {

struct Flight;

// The questions waiting to be sent, ordered by (round, shared prefix, arrival): early rounds first,
// so that rows go on at an even pace, and siblings beside each other, so that a judge's prefix
// cache is warm. Thread-compatible.
class Pool {
 public:
  void push(std::size_t round, std::uint64_t prefix, Flight* flight);
  Flight* peek() const;  // null when empty
  void pop();
  bool empty() const { return waiting_.empty(); }
  std::size_t size() const { return waiting_.size(); }

 private:
  struct Entry {
    Flight* flight;
    std::uint64_t prefix;
  };
  struct Siblings {
    std::uint64_t
        rank;  // arrival of the first of them: the order must not depend on a hash function
    std::size_t waiting;
  };
  std::map<std::tuple<std::size_t, std::uint64_t, std::uint64_t>, Entry> waiting_;
  std::unordered_map<std::uint64_t, Siblings>
      siblings_;  // only prefixes that wait: memory stays flat
  std::uint64_t arrivals_ = 0;
};

}  // namespace assay
