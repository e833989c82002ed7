#include "judges/prefix_cache.h"

#include <algorithm>

namespace assay {

bool PrefixCache::must_wait(std::size_t prefix) const {
  const auto found = known_.find(prefix);
  return found != known_.end() && found->second.filling;
}

bool PrefixCache::started(std::size_t prefix, double now) {
  forget(now);
  Known& known = known_[prefix];
  if (known.filling || known.until > now) return false;
  known.filling = true;
  return true;
}

void PrefixCache::ended(std::size_t prefix, bool fills, double now, double keeps_s) {
  Known& known = known_[prefix];
  if (fills) known.filling = false;
  if (keeps_s > 0) known.until = std::max(known.until, now + keeps_s);
}

// A run has a prefix per row: those the server has dropped again are forgotten, each time their
// number has doubled.
void PrefixCache::forget(double now) {
  if (known_.size() < sweep_at_) return;
  std::erase_if(known_, [&](const auto& entry) {
    return !entry.second.filling && entry.second.until <= now;
  });
  sweep_at_ = std::max<std::size_t>(4096, 2 * known_.size());
}

}  // namespace assay
