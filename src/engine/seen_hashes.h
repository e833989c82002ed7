#pragma once

#include <cstdint>
#include <vector>

namespace assay {

// Hashes met so far, 8 bytes a slot and at most two thirds full: a plan for a million rows keeps
// several millions of them.
class SeenHashes {
 public:
  // True the first time.
  bool insert(std::uint64_t hash) {
    if (hash == 0) hash = 1;  // 0 marks an empty slot
    if ((used_ + 1) * 3 > slots_.size() * 2) grow();
    std::uint64_t& slot = place(hash);
    if (slot == hash) return false;
    slot = hash;
    ++used_;
    return true;
  }

 private:
  std::uint64_t& place(std::uint64_t hash) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at] != 0 && slots_[at] != hash) at = (at + 1) & mask;
    return slots_[at];
  }
  void grow() {
    std::vector<std::uint64_t> old(slots_.size() * 2);
    old.swap(slots_);
    for (const std::uint64_t hash : old) {
      if (hash != 0) place(hash) = hash;
    }
  }

  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(1024);
  std::size_t used_ = 0;
};

}  // namespace assay
