// What the alpha-beta engine's table keeps and gives up.
#include "selfplay/players/alphabeta_table.h"

#include <gtest/gtest.h>

namespace crossriver {
namespace {

constexpr size_t kOneSet = 4 * sizeof(AlphaBetaTable::Entry);
const Move kMove = Move::Board(1, 2, false);
const Move kOther = Move::Board(3, 4, false);

TEST(AlphaBetaTableTest, FindsWhatWasStored) {
  AlphaBetaTable table(size_t{1} << 12);
  EXPECT_EQ(table.Find(7), nullptr);
  table.Store(7, kMove, -31'990, 5, BoundKind::kUpper);
  const AlphaBetaTable::Entry* entry = table.Find(7);
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->best(), kMove);
  EXPECT_EQ(entry->score, -31'990);
  EXPECT_EQ(entry->depth, 5);
  EXPECT_EQ(entry->bound, BoundKind::kUpper);
  table.Clear();
  EXPECT_EQ(table.Find(7), nullptr);
}

TEST(AlphaBetaTableTest, KeepsTheMoveOrTheBoundWhereTheOtherIsNotKnown) {
  AlphaBetaTable table(kOneSet);
  table.Store(7, kMove, 10, 5, BoundKind::kExact);
  table.Store(7, Move(), 20, 6, BoundKind::kUpper);
  EXPECT_EQ(table.Find(7)->best(), kMove);
  EXPECT_EQ(table.Find(7)->score, 20);
  table.Store(7, kOther, 99, 9, BoundKind::kNone);
  EXPECT_EQ(table.Find(7)->best(), kOther);
  EXPECT_EQ(table.Find(7)->score, 20);
  EXPECT_EQ(table.Find(7)->bound, BoundKind::kUpper);
}

TEST(AlphaBetaTableTest, GivesUpOldThenShallowEntries) {
  AlphaBetaTable table(kOneSet);
  for (const int depth : {4, 2, 3, 1}) {
    table.Store(static_cast<uint64_t>(depth), kMove, 0, depth, BoundKind::kExact);
  }
  table.Store(10, kMove, 0, 1, BoundKind::kExact);
  EXPECT_EQ(table.Find(1), nullptr);
  table.NextGeneration();
  for (const uint64_t key : {11U, 12U, 13U}) table.Store(key, kMove, 0, 0, BoundKind::kExact);
  EXPECT_NE(table.Find(4), nullptr);
  table.Store(14, kMove, 0, 0, BoundKind::kExact);
  EXPECT_EQ(table.Find(4), nullptr);
  for (const uint64_t key : {11U, 12U, 13U, 14U}) EXPECT_NE(table.Find(key), nullptr);
}

TEST(AlphaBetaTableTest, OfNoBytesRemembersNothing) {
  AlphaBetaTable table(0);
  table.Store(7, kMove, 10, 5, BoundKind::kExact);
  EXPECT_EQ(table.Find(7), nullptr);
}

}  // namespace
}  // namespace crossriver
