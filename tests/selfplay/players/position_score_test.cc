// The score of positions and of exchanges.
#include "selfplay/players/position_score.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"
#include "selfplay/players/static_exchange.h"
#include "tests/random_positions.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::Random;
using testing::RulesOf;

Position Parse(const std::string& variant, const std::string& fen) {
  return *ParseFen(RulesOf(variant), fen);
}

int ScoreOf(const PieceValues& values, const Position& position) {
  return ScorePosition(values, position, CountTotals(values, position));
}

int ScoreOf(const std::string& variant, const std::string& fen) {
  return ScoreOf(PieceValues(RulesOf(variant)), Parse(variant, fen));
}

class PositionScoreOfTest : public ::testing::TestWithParam<std::string> {};

TEST_P(PositionScoreOfTest, TotalsFollowTheMoves) {
  const Rules& rules = RulesOf(GetParam());
  const PieceValues values(rules);
  std::vector<Move> moves;
  for (int game = 0; game < 4; ++game) {
    Random random("totals " + GetParam(), 1, game);
    Position position = StartPosition(rules);
    PositionTotals totals = CountTotals(values, position);
    for (int ply = 0; ply < 150; ++ply) {
      GenerateLegalMoves(position, &moves);
      if (moves.empty()) break;
      const Move move = moves[random.Below(moves.size())];
      const UndoRecord undo = position.Do(move);
      UpdateTotals(values, position, move, undo, &totals);
      ASSERT_EQ(totals, CountTotals(values, position)) << FormatFen(position);
    }
  }
}

// Turned over, the board looks to the second player as it did to the first.
TEST_P(PositionScoreOfTest, IsTheSameForTheOtherSide) {
  const Rules& rules = RulesOf(GetParam());
  const PieceValues values(rules);
  Random random("mirror " + GetParam(), 1, 0);
  int positions = 0;
  for (int i = 0; i < 60; ++i) {
    const std::optional<Position> position = testing::RandomPosition(rules, &random);
    if (!position.has_value()) continue;
    Position mirrored(&rules);
    for (Cell cell : position->occupied()) {
      const Piece piece = position->piece_at(cell);
      mirrored.Put(MakePiece(KindOf(piece), Other(SideOf(piece))),
                   rules.topology().MirrorRank(cell));
    }
    for (const Kind kind : rules.hand_kinds()) {
      for (const Side side : kSides) {
        mirrored.SetHand(Other(side), kind, position->hand(side, kind));
      }
    }
    mirrored.SetSideToMove(Other(position->side_to_move()));
    mirrored.SetCounts(position->no_progress(), position->move_number());
    EXPECT_EQ(ScoreOf(values, *position), ScoreOf(values, mirrored)) << FormatFen(*position);
    ++positions;
  }
  EXPECT_GT(positions, 10);
}

INSTANTIATE_TEST_SUITE_P(Variants, PositionScoreOfTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

TEST(PositionScoreTest, FadesBeforeTheNoProgressLimit) {
  const std::string board = "3k5/9/9/9/9/9/9/9/R8/4K4 w ";
  const int fresh = ScoreOf("xiangqi", board + "0 1");
  const int late = ScoreOf("xiangqi", board + "100 1");
  EXPECT_GT(fresh, 500);
  EXPECT_LT(late, fresh * 2 / 3);
  EXPECT_GT(late, fresh / 3);
  EXPECT_EQ(ScoreOf("xiangqi", board + "60 1"), fresh);
}

// Who is far ahead wants the other royal piece at the edge and its own pieces near.
TEST(PositionScoreTest, DrivesTheRoyalPiece) {
  const int edge = ScoreOf("shogi", "4k4/9/9/9/4G4/9/9/9/4K3R[] w 0 1");
  const int middle = ScoreOf("shogi", "9/9/4k4/9/4G4/9/9/9/4K3R[] w 0 1");
  const int far = ScoreOf("shogi", "4k4/9/9/9/9/9/9/9/4KG2R[] w 0 1");
  EXPECT_GT(edge, far);
  EXPECT_GT(edge, middle);
}

struct ExchangeCase {
  const char* what;
  const char* variant;
  const char* fen;
  const char* move;
  // Letters of the pieces taken by the mover, and by the other side.
  const char* won;
  const char* lost;
};

constexpr ExchangeCase kExchanges[] = {
    {"nothing defends", "xiangqi", "3k5/9/9/9/p8/9/9/9/R8/4K4 w 0 1", "a2a6", "P", ""},
    {"a soldier defends", "xiangqi", "3k5/9/9/p8/p8/9/9/9/R8/4K4 w 0 1", "a2a6", "P", "R"},
    {"a Rook behind the Rook", "xiangqi", "3k5/9/9/p8/p8/9/9/R8/R8/4K4 w 0 1", "a3a6", "PP", "R"},
    {"a Cannon needs its screen", "xiangqi", "3k5/9/9/p8/p8/9/9/R8/C8/4K4 w 0 1", "a3a6", "P", "R"},
    {"the Cannon itself", "xiangqi", "3k5/9/9/9/r8/9/9/P8/C8/4K4 w 0 1", "a2a6", "R", ""},
    {"the General recaptures", "xiangqi", "4k4/4r4/9/9/9/9/9/9/4R4/3K5 w 0 1", "e2e9", "R", "R"},
    {"not into a guarded cell", "xiangqi", "4k4/4r4/9/9/9/9/9/4R4/4R4/3K5 w 0 1", "e3e9", "R", ""},
    {"a quiet move to a lost cell", "xiangqi", "3k5/9/9/p8/9/9/9/9/R8/4K4 w 0 1", "a2a6", "", "R"},
    {"to the hand", "shogi", "4k4/9/9/4p4/4r4/9/9/9/4R3K[] w 0 1", "e1e5", "R", "R"},
    {"both cells", "shoxiang-sh-strong", "4k4/9/9/9/9/9/9/9/2n6/1p7/E8/4K4[] w 0 1", "a2c4", "PN",
     ""},
};

TEST(StaticExchangeTest, Cases) {
  for (const ExchangeCase& c : kExchanges) {
    const Position position = Parse(c.variant, c.fen);
    const Rules& rules = position.rules();
    const PieceValues values(rules);
    const auto gain = [&](const std::string& letters) {
      int sum = 0;
      for (const char letter : letters) {
        for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
          if (rules.kind(kind).letter == std::string(1, letter)) sum += values.capture_gain(kind);
        }
      }
      return sum;
    };
    const absl::StatusOr<Move> move = ParseMove(position, c.move);
    ASSERT_TRUE(move.ok()) << c.what << ": " << move.status();
    EXPECT_EQ(StaticExchange(values, position, *move), gain(c.won) - gain(c.lost)) << c.what;
  }
}

}  // namespace
}  // namespace crossriver
