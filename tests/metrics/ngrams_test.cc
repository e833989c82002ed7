#include "metrics/ngrams.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace assay {
namespace {

using Items = std::vector<TokenId>;

std::map<Items, unsigned> plain(const Items& items, std::size_t n) {
  std::map<Items, unsigned> counts;
  for (std::size_t i = 0; i + n <= items.size(); ++i)
    ++counts[Items(items.begin() + i, items.begin() + i + n)];
  return counts;
}

TEST(Ngrams, OverlapAgreesWithAMapOfSequences) {
  std::mt19937 random(9);
  NgramTable table;
  for (int round = 0; round < 500; ++round) {
    Items a(random() % 60), b(random() % 60);
    for (TokenId& x : a) x = random() % 6;
    for (TokenId& x : b) x = random() % 6;
    const auto bags_a = table.bags(a, 6);
    const auto bags_b = table.bags(b, 6);
    for (std::size_t n = 1; n <= 6; ++n) {
      unsigned want = 0;
      const auto other = plain(b, n);
      for (const auto& [gram, count] : plain(a, n)) {
        const auto it = other.find(gram);
        if (it != other.end()) want += std::min(count, it->second);
      }
      ASSERT_EQ(overlap(bags_a[n - 1], bags_b[n - 1]), want);
      ASSERT_EQ(bags_a[n - 1].total, a.size() >= n ? a.size() - n + 1 : 0);
    }
    if (round == 250) table.clear();
  }
}

}  // namespace
}  // namespace assay
