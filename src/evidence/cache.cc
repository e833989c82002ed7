#include "evidence/cache.h"

#include <functional>
#include <utility>

namespace assay {
namespace {

std::size_t size_of(const Analysis& a) {
  return sizeof(a) + a.text.size() + a.words.size() * sizeof(Word) +
         a.sentences.size() * sizeof(SentenceInfo) +
         (a.stems.size() + 2 * a.content.size() + a.bigrams.size()) * 8 + a.postings.size() * 16 +
         128;
}

}  // namespace

AnalysisCache::AnalysisCache(std::size_t bytes) : limit_(bytes / kParts) {}

AnalysisCache::Entry AnalysisCache::find(std::string_view text) {
  const std::size_t hash = std::hash<std::string_view>{}(text);
  Part& part = parts_[hash % kParts];
  Entry entry;
  {
    const std::lock_guard lock(part.mutex);
    const auto it = part.by_hash.find(hash);
    if (it == part.by_hash.end()) return nullptr;
    part.order.splice(part.order.begin(), part.order, it->second);
    entry = it->second->second;
  }
  return entry->text == text ? entry : nullptr;  // two texts may have one hash
}

AnalysisCache::Entry AnalysisCache::put(Analysis analysis) {
  const std::size_t hash = std::hash<std::string_view>{}(analysis.text);
  const std::size_t size = size_of(analysis);
  auto entry = std::make_shared<const Analysis>(std::move(analysis));
  if (size > limit_) return entry;
  Part& part = parts_[hash % kParts];
  const std::lock_guard lock(part.mutex);
  if (part.by_hash.contains(hash)) return entry;  // another thread was first
  part.order.emplace_front(hash, entry);
  part.by_hash.emplace(hash, part.order.begin());
  part.bytes += size;
  while (part.bytes > limit_) {
    part.bytes -= size_of(*part.order.back().second);
    part.by_hash.erase(part.order.back().first);
    part.order.pop_back();
  }
  return entry;
}

}  // namespace assay
