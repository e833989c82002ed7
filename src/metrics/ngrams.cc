// Counting n-grams for ROUGE-N, BLEU and chrF. Numbers instead of strings make the comparison of
// two texts a merge of two sorted lists. Tested in tests/metrics/ngrams_test.cc against a map of
// strings.

#include "metrics/ngrams.h"

#include <algorithm>

namespace assay {
namespace {

constexpr std::size_t kFirstSlots = 1 << 12;

std::size_t mix(std::uint64_t key) {
  key ^= key >> 31;
  key *= 0x9e3779b97f4a7c15U;
  return static_cast<std::size_t>(key ^ key >> 29);
}

NgramBag count(std::vector<std::uint32_t>& ids) {
  NgramBag bag;
  bag.total = ids.size();
  std::sort(ids.begin(), ids.end());
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t end = i;
    while (end < ids.size() && ids[end] == ids[i]) ++end;
    bag.counts.push_back({ids[i], static_cast<std::uint32_t>(end - i)});
    i = end;
  }
  return bag;
}

}  // namespace

NgramTable::NgramTable() : slots_(kFirstSlots) {}

void NgramTable::clear() {
  slots_.assign(kFirstSlots, Slot{});
  used_ = 0;
}

std::uint32_t NgramTable::id(std::uint32_t prefix, TokenId item) {
  const std::uint64_t key = static_cast<std::uint64_t>(prefix) << 32 | item;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = mix(key) & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.id == 0) {
      slot = {key, ++used_};
      const std::uint32_t result = used_;
      if (used_ * 2 > slots_.size()) grow();
      return result;
    }
    if (slot.key == key) return slot.id;
  }
}

std::uint32_t NgramTable::find(std::uint32_t prefix, TokenId item) const {
  const std::uint64_t key = static_cast<std::uint64_t>(prefix) << 32 | item;
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = mix(key) & mask;
  while (slots_[at].id != 0 && slots_[at].key != key) at = (at + 1) & mask;
  return slots_[at].id;
}

void NgramTable::grow() {
  std::vector<Slot> old(slots_.size() * 4);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == 0) continue;
    std::size_t at = mix(slot.key) & mask;
    while (slots_[at].id != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

NgramIds NgramTable::number(std::span<const TokenId> items, std::size_t orders) {
  NgramIds ids(orders);
  for (std::size_t n = 0; n < orders && n < items.size(); ++n) {
    ids[n].resize(items.size() - n);
    for (std::size_t i = 0; i < ids[n].size(); ++i)
      ids[n][i] = id(n == 0 ? 0 : ids[n - 1][i], items[i + n]);
  }
  return ids;
}

NgramIds NgramTable::look_up(std::span<const TokenId> items, std::size_t orders) const {
  NgramIds ids(orders);
  for (std::size_t n = 0; n < orders && n < items.size(); ++n) {
    ids[n].assign(items.size() - n, 0);
    for (std::size_t i = 0; i < ids[n].size(); ++i) {
      // An n-gram whose beginning has not been seen has not been seen either.
      if (n == 0 || ids[n - 1][i] != 0) ids[n][i] = find(n == 0 ? 0 : ids[n - 1][i], items[i + n]);
    }
  }
  return ids;
}

std::vector<NgramBag> NgramTable::bags(std::span<const TokenId> items, std::size_t orders) {
  std::vector<NgramBag> bags(orders);
  NgramIds ids = number(items, orders);
  for (std::size_t n = 0; n < orders; ++n) bags[n] = count(ids[n]);
  return bags;
}

std::uint64_t overlap(const NgramBag& a, const NgramBag& b) {
  std::uint64_t sum = 0;
  auto x = a.counts.begin();
  auto y = b.counts.begin();
  while (x != a.counts.end() && y != b.counts.end()) {
    if (x->id == y->id) {
      sum += std::min(x->count, y->count);
      ++x;
      ++y;
    } else if (x->id < y->id) {
      ++x;
    } else {
      ++y;
    }
  }
  return sum;
}

}  // namespace assay
