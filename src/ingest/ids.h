#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace assay::ingest {

// The ids seen so far and the line each was first seen in, at 16 bytes a slot: 88 bits of hash and
// 40 of line number. With a thousand million ids the chance of calling two different ids equal is
// about 1e-9. Linear probing; at most three quarters full.
class IdSet {
 public:
  IdSet() { clear(); }
  // 0 when the id is new (and now kept), else the line it was first seen in.
  std::size_t insert(std::string_view id, std::size_t line);
  void clear();
  std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint64_t low = 0;
    std::uint64_t high_and_line =
        0;  // 24 bits of hash, 40 of line; 0: empty, since lines start at 1
  };
  void grow();
  Slot& place(const Slot& slot);

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace assay::ingest
