// The bit-parallel subsequence against the plain table, with repeated items and lengths around 64.

#include "metrics/lcs.h"

#include <gtest/gtest.h>

#include <random>

namespace assay {
namespace {

using Sequence = std::vector<TokenId>;

std::vector<std::vector<int>> table(const Sequence& a, const Sequence& b) {
  std::vector<std::vector<int>> c(a.size() + 1, std::vector<int>(b.size() + 1, 0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      c[i][j] = a[i - 1] == b[j - 1] ? c[i - 1][j - 1] + 1 : std::max(c[i - 1][j], c[i][j - 1]);
    }
  }
  return c;
}

std::vector<char> plain_marks(const Sequence& a, const Sequence& b) {
  const auto c = table(a, b);
  std::vector<char> hits(a.size(), 0);
  for (std::size_t i = a.size(), j = b.size(); i > 0 && j > 0;) {
    if (a[i - 1] == b[j - 1]) {
      hits[--i] = 1;
      --j;
    } else if (c[i - 1][j] >= c[i][j - 1]) {
      --i;
    } else {
      --j;
    }
  }
  return hits;
}

Sequence random_sequence(std::mt19937& random, std::size_t most, TokenId alphabet) {
  Sequence s(random() % (most + 1));
  for (TokenId& item : s) item = random() % alphabet;
  return s;
}

TEST(Lcs, AgreesWithThePlainTable) {
  std::mt19937 random(5);
  Lcs lcs;
  for (int round = 0; round < 1500; ++round) {
    const TokenId alphabet = 1 + random() % 40;
    const Sequence a = random_sequence(random, 200, alphabet);
    const Sequence b = random_sequence(random, 150, alphabet + 3);
    lcs.set(a);
    ASSERT_EQ(lcs.length(b), static_cast<std::size_t>(table(a, b)[a.size()][b.size()]));
    std::vector<char> hits(a.size(), 0);
    lcs.mark(b, hits);
    ASSERT_EQ(hits, plain_marks(a, b));
  }
}

TEST(Lcs, CarriesAcrossWords) {
  Lcs lcs;
  const Sequence same(130, 7);
  lcs.set(same);
  EXPECT_EQ(lcs.length(same), 130u);
  EXPECT_EQ(lcs.length(Sequence(65, 7)), 65u);
  EXPECT_EQ(lcs.length({}), 0u);
  lcs.set({});
  EXPECT_EQ(lcs.length(same), 0u);
}

}  // namespace
}  // namespace assay
