#include "metrics/in_order.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace assay {
namespace {

TEST(InOrder, WritesInTheOrderOfReading) {
  for (std::size_t threads : {1, 2, 9}) {
    int next = 0;
    std::vector<int> written;
    in_order(
        threads,
        [&]() -> std::optional<int> { return next < 500 ? std::optional(next++) : std::nullopt; },
        [](std::size_t, int block) {
          volatile int work = 0;
          for (int i = 0; i < block * 37 % 900; ++i) work = work + i;  // blocks end out of order
          return block * 2;
        },
        [&](int done) { written.push_back(done); });
    ASSERT_EQ(written.size(), 500u);
    for (int i = 0; i < 500; ++i) EXPECT_EQ(written[static_cast<std::size_t>(i)], 2 * i);
  }
}

// Wherever it fails, the stream ends, what was written before stays in order, and the exception
// arrives here.
TEST(InOrder, ThrowsWhatAnyPartThrows) {
  for (int part = 0; part < 3; ++part) {
    int next = 0;
    int written = 0;
    const auto fail = [](bool now) {
      if (now) throw std::runtime_error("broken");
    };
    EXPECT_THROW(in_order(
                     4,
                     [&]() -> std::optional<int> {
                       fail(part == 0 && next == 50);
                       return next++;
                     },
                     [&](std::size_t, int block) {
                       fail(part == 1 && block == 50);
                       return block;
                     },
                     [&](int done) {
                       fail(part == 2 && done == 50);
                       EXPECT_EQ(done, written++);
                     }),
                 std::runtime_error);
    EXPECT_LE(written, 50);
  }
}

TEST(InOrder, EndsAtOnceWithoutInput) {
  int written = 0;
  in_order(
      3, []() -> std::optional<int> { return std::nullopt; }, [](std::size_t, int b) { return b; },
      [&](int) { ++written; });
  EXPECT_EQ(written, 0);
}

}  // namespace
}  // namespace assay
