#include "engine/pool.h"

namespace assay {

void Pool::push(std::size_t round, std::uint64_t prefix, Flight* flight) {
  Siblings& siblings = siblings_.try_emplace(prefix, Siblings{arrivals_, 0}).first->second;
  ++siblings.waiting;
  waiting_.emplace(std::tuple(round, siblings.rank, arrivals_++), Entry{flight, prefix});
}

Flight* Pool::peek() const { return waiting_.empty() ? nullptr : waiting_.begin()->second.flight; }

void Pool::pop() {
  const auto first = waiting_.begin();
  const auto siblings = siblings_.find(first->second.prefix);
  if (--siblings->second.waiting == 0) siblings_.erase(siblings);
  waiting_.erase(first);
}

}  // namespace assay
