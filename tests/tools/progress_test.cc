// Lines that say how far long work has come.
#include "tools/progress.h"

#include <gtest/gtest.h>

#include <string>

namespace crossriver {
namespace {

TEST(ProgressTest, Lines) {
  EXPECT_EQ(ProgressLine("games", 25, 100, 5, /*bar=*/false),
            " 25%  25 of 100 games, 5.0/s, 15s left");
  EXPECT_EQ(ProgressLine("games", 50, 100, 5, /*bar=*/true),
            "[###############...............]  50%  50 of 100 games, 10.0/s, 5s left");
}

// A ladder plays whole pairs, a game more than it was asked for.
TEST(ProgressTest, MoreThanAll) {
  const std::string bar = "[" + std::string(30, '#') + "] ";
  EXPECT_EQ(ProgressLine("games", 101, 100, 10, /*bar=*/true),
            bar + "100%  101 of 100 games, 10.1/s, 0 left");
  EXPECT_EQ(ProgressLine("games", 16, 1, 10, /*bar=*/true),
            bar + "100%  16 of 1 games, 1.6/s, 0 left");
  EXPECT_EQ(ProgressLine("games", 0, 0, 10, /*bar=*/true), bar + "100%  0 of 0 games, 0.0/s");
}

}  // namespace
}  // namespace crossriver
