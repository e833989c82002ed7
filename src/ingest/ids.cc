#include "ingest/ids.h"

#include <utility>

namespace assay::ingest {
namespace {

constexpr std::uint64_t kLineMask = (std::uint64_t{1} << 40) - 1;
constexpr std::size_t kFirstSlots = 1024;

// Two multiply-and-shift passes over the bytes with different odd constants (the finaliser is
// MurmurHash3's published mixing function). Not cryptographic: a wrong hit could only refuse a row,
// never hide one.
std::uint64_t mix(std::uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdULL;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 33);
}

std::pair<std::uint64_t, std::uint64_t> hash_of(std::string_view id) {
  std::uint64_t a = 0x9e3779b97f4a7c15ULL ^ id.size();
  std::uint64_t b = 0xd1b54a32d192ed03ULL + id.size();
  for (const char c : id) {
    const auto byte = static_cast<unsigned char>(c);
    a = (a ^ byte) * 0x00000100000001b3ULL;
    b = (b + byte) * 0x9fb21c651e98df25ULL;
    b ^= b >> 29;
  }
  return {mix(a), mix(b)};
}

}  // namespace

void IdSet::clear() {
  slots_ = std::vector<Slot>(kFirstSlots);  // gives the old ones back, which assign() would not
  used_ = 0;
}

// The slot that holds this hash, or the empty one where it belongs.
IdSet::Slot& IdSet::place(const Slot& slot) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = slot.low & mask;; i = (i + 1) & mask) {
    Slot& here = slots_[i];
    if (here.high_and_line == 0) return here;
    if (here.low == slot.low &&
        (here.high_and_line & ~kLineMask) == (slot.high_and_line & ~kLineMask)) {
      return here;
    }
  }
}

void IdSet::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.high_and_line != 0) place(slot) = slot;
  }
}

std::size_t IdSet::insert(std::string_view id, std::size_t line) {
  if ((used_ + 1) * 4 > slots_.size() * 3) grow();
  const auto [low, high] = hash_of(id);
  const Slot slot{low, (high & ~kLineMask) | (line & kLineMask)};
  Slot& here = place(slot);
  if (here.high_and_line != 0) return static_cast<std::size_t>(here.high_and_line & kLineMask);
  here = slot;
  ++used_;
  return 0;
}

}  // namespace assay::ingest
