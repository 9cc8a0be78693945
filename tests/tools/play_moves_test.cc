// Moves as people type them: every form, and what is said of those that are none.
#include "tools/play_moves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using ::testing::HasSubstr;
using testing::RulesOf;

Position At(const std::string& variant, const std::string& fen) {
  if (fen.empty()) return StartPosition(RulesOf(variant));
  const absl::StatusOr<Position> position = ParseFen(RulesOf(variant), fen);
  CR_CHECK_OK(position.status());
  return *position;
}

// The move in full, or what is said instead.
std::string Typed(const Position& position, const std::string& text) {
  std::vector<Move> legal;
  GenerateLegalMoves(position, &legal);
  const absl::StatusOr<Move> move = ReadTypedMove(position, legal, text);
  return move.ok() ? FormatMove(position.rules(), *move) : std::string(move.status().message());
}

constexpr char kXiangqi[] = "";
constexpr char kMinishogi[] = "4k/2P2/5/1P1R1/K1S2[PGs] w 0 1";

struct Case {
  const char* variant;
  const char* fen;
  const char* text;
  const char* answer;
};

class TypedMoveTest : public ::testing::TestWithParam<Case> {};

TEST_P(TypedMoveTest, IsReadOrExplained) {
  const Case& c = GetParam();
  EXPECT_THAT(Typed(At(c.variant, c.fen), c.text), HasSubstr(c.answer)) << c.text;
}

INSTANTIATE_TEST_SUITE_P(
    Forms, TypedMoveTest,
    ::testing::Values(
        Case{"xiangqi", kXiangqi, "b1c3", "b1c3"},  //
        Case{"xiangqi", kXiangqi, "B1C3", "b1c3"}, Case{"xiangqi", kXiangqi, "b1-c3", "b1c3"},
        Case{"xiangqi", kXiangqi, "b3xb10", "b3b10"}, Case{"xiangqi", kXiangqi, "Nc3", "b1c3"},
        Case{"xiangqi", kXiangqi, "nc3", "b1c3"}, Case{"xiangqi", kXiangqi, "Cxb10", "b3b10"},
        Case{"xiangqi", kXiangqi, "b10", "b3b10"}, Case{"xiangqi", kXiangqi, "a5", "a4a5"},
        Case{"xiangqi", kXiangqi, "e3", "'e3' may be b3e3 or c1e3 or"},
        Case{"xiangqi", kXiangqi, "Ce3", "'Ce3' may be b3e3 or h3e3; expected one"},
        Case{"minishogi", kMinishogi, "P@e4", "P@e4"},
        Case{"minishogi", kMinishogi, "P*e4", "P@e4"},
        Case{"minishogi", kMinishogi, "p@e4", "P@e4"},
        Case{"minishogi", kMinishogi, "G*1b", "G@e4"},  // USI
        Case{"minishogi", kMinishogi, "Ge4", "G@e4"},
        Case{"minishogi", kMinishogi, "c4c5+", "c4c5+"},
        Case{"minishogi", kMinishogi, "c4c5", "c4c5+"},  // it must promote
        Case{"minishogi", kMinishogi, "c5+", "c4c5+"},
        Case{"minishogi", kMinishogi, "Pc5", "c4c5+"},
        Case{"minishogi", kMinishogi, "2d2a+", "d2d5+"},
        Case{"minishogi", kMinishogi, "d2d5", "d2d5"},  // it need not
        Case{"minishogi", kMinishogi, "Rd5", "'Rd5' may be d2d5 or d2d5+"}));

constexpr char kPinned[] = "3rk4/9/9/9/9/9/9/9/3N5/3K5 w 0 1";
constexpr char kChecked[] = "3rk4/9/9/9/9/9/9/9/N8/3K5 w 0 1";

INSTANTIATE_TEST_SUITE_P(
    Mistakes, TypedMoveTest,
    ::testing::Values(
        Case{"xiangqi", kXiangqi, "b5b6", "there is no piece on b5"},
        Case{"xiangqi", kXiangqi, "b10c8", "the Horse on b10 is not yours"},
        Case{"xiangqi", kXiangqi, "a1a4", "your own Soldier is on a4"},
        Case{"xiangqi", kXiangqi, "b1d3", "the Horse on b1 can't go to d3"},
        Case{"xiangqi", kXiangqi, "b1c3+", "the Horse does not promote by that move"},
        Case{"xiangqi", kXiangqi, "d6", "no piece of yours can go to d6"},
        Case{"xiangqi", kXiangqi, "Nb6", "no Horse of yours can go to b6"},
        Case{"xiangqi", kXiangqi, "z1z2", "'z1z2' is no move"},
        Case{"xiangqi", kXiangqi, "b1c33", "'b1c33' is no move; did you mean 'b1c3'?"},
        Case{"xiangqi", kXiangqi, "12345678901234567890", "is no move; expected one such as a1a2"},
        Case{"xiangqi", kXiangqi, "\x01\xff", "'\\x01\xff' is no move"},
        Case{"xiangqi", kXiangqi, "b99999999999999999999c3", "is no move"},
        Case{"xiangqi", kPinned, "d2c4", "that would leave your General open to capture"},
        Case{"xiangqi", kChecked, "a2c3", "your General is in check, and that does not help"},
        Case{"xiangqi", kChecked, "d1d2", "your General could be captured there"},
        Case{"xiangqi", "4k4/9/9/9/9/9/9/9/4A4/4K4 w 0 1", "e2d3",
             "that would leave your General open to capture"},  // they would face
        Case{"minishogi", kMinishogi, "S@e4", "you have no Silver"},
        Case{"minishogi", kMinishogi, "G@c1", "c1 is not empty: the Silver"},
        Case{"minishogi", kMinishogi, "G@e4+", "a piece does not promote when it is dropped"},
        Case{"minishogi", kMinishogi, "P@b3", "the rules allow no Pawn to be dropped on b3"},
        Case{"minishogi", "r3k/5/5/5/K4[G] w 0 1", "G@c3",
             "your King is in check, and that does not help"}));

// What the forms say of a legal move is that move, in every variant and along random games.
TEST(TypedMoveTest, FullFormsAlwaysFit) {
  for (const std::string& variant : BuiltinVariantIds()) {
    Position position = StartPosition(RulesOf(variant));
    std::vector<Move> legal;
    for (size_t ply = 0; ply < 60; ++ply) {
      GenerateLegalMoves(position, &legal);
      if (legal.empty()) break;
      for (const Move move : legal) {
        EXPECT_EQ(Typed(position, FormatMove(position.rules(), move)),
                  FormatMove(position.rules(), move));
      }
      position.Do(legal[(ply * 7919 + 13) % legal.size()]);
    }
  }
}

// Everything that is not legal is explained, and what could be captured is never blamed wrongly.
TEST(TypedMoveTest, EveryPairOfCellsHasAnAnswer) {
  for (const char* variant : {"switchback", "shoxiang-sh-standard", "xiangqi"}) {
    Position position = StartPosition(RulesOf(variant));
    std::vector<Move> legal;
    for (size_t ply = 0; ply < 41; ++ply) {
      GenerateLegalMoves(position, &legal);
      if (legal.empty()) break;
      position.Do(legal[(ply * 104729 + 5) % legal.size()]);
    }
    const Rules& rules = position.rules();
    for (Cell from = 0; from < rules.num_cells(); ++from) {
      for (Cell to = 0; to < rules.num_cells(); ++to) {
        const std::string text = rules.topology().Name(from) + rules.topology().Name(to);
        EXPECT_FALSE(Typed(position, text).empty());
      }
    }
  }
}

TEST(ListMovesTest, GroupsByPiece) {
  const Position position = At("minishogi", kMinishogi);
  std::vector<Move> legal;
  GenerateLegalMoves(position, &legal);
  const absl::StatusOr<std::string> all = ListMoves(position, legal, "");
  ASSERT_TRUE(all.ok());
  EXPECT_THAT(*all, HasSubstr("Pawn c4: c4c5+\n"));
  EXPECT_THAT(*all, HasSubstr(" in hand: P@"));
  for (const char* filter : {"R", "rook", "d2"}) {
    const absl::StatusOr<std::string> some = ListMoves(position, legal, filter);
    ASSERT_TRUE(some.ok()) << filter;
    EXPECT_THAT(*some, ::testing::StartsWith("Rook d2: "));
    EXPECT_EQ(some->find('\n'), some->size() - 1);
  }
  EXPECT_THAT(std::string(ListMoves(position, legal, "rok").status().message()),
              HasSubstr("no moves of 'rok'; did you mean 'rook'?"));
}

TEST(DescribeMoveTest, NamesPiecesAndWhatBecomesOfThem) {
  const auto describe = [](const Position& position, const std::string& text) {
    return DescribeMove(position, *ParseMove(position, text));
  };
  EXPECT_EQ(describe(At("xiangqi", ""), "b1c3"), "b1c3 (Horse)");
  EXPECT_EQ(describe(At("xiangqi", ""), "b3b10"), "b3b10 (Cannon takes Horse)");
  const Position minishogi = At("minishogi", kMinishogi);
  EXPECT_THAT(describe(minishogi, "c4c5+"), HasSubstr("c4c5+ (Pawn becomes "));
  EXPECT_THAT(describe(minishogi, "P@e4"), HasSubstr("P@e4 (Pawn from the hand)"));
}

}  // namespace
}  // namespace crossriver
