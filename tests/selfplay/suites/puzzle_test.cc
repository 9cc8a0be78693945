// What counts as a mate and as a winning capture.
#include "selfplay/suites/puzzle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/history.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "selfplay/suites/material_search.h"
#include "selfplay/suites/mates.h"
#include "tests/mcts/mate_positions.h"
#include "tests/slow_mates.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using ::testing::HasSubstr;
using testing::MatesByAllLines;
using testing::RulesOf;

constexpr int64_t kSolverNodes = 1'000'000;

Position At(const std::string& variant, const std::string& fen) {
  const absl::StatusOr<Position> position = ParseFen(RulesOf(variant), fen);
  CR_CHECK_OK(position.status());
  return *position;
}

std::vector<std::string> Texts(const Position& position, const std::vector<Move>& moves) {
  std::vector<std::string> texts;
  for (const Move move : moves) texts.push_back(FormatMove(position.rules(), move));
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::vector<Move> MatingMoves(Position position, int plies) {
  History history(position);
  std::vector<Move> moves;
  GenerateLegalMoves(position, &moves);
  std::erase_if(moves, [&](Move move) {
    const UndoRecord undo = position.Do(move);
    history.Push(position, undo);
    const bool mates = MatesByAllLines(&position, &history, plies - 1, false);
    history.Pop();
    position.Undo(move, undo);
    return !mates;
  });
  return moves;
}

TEST(MatesTest, AgreeWithAllLines) {
  int compared = 0;
  for (const testing::MatePosition& mate : testing::kMatePositions) {
    if (mate.plies > 3) continue;
    SCOPED_TRACE(mate.fen);
    const Position position = At(mate.variant, mate.fen);
    if (mate.plies == 3 && CountLegalMoves(position) > 50) continue;
    const absl::StatusOr<ShortestMates> found = FindShortestMates(position, 5, kSolverNodes);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->plies, mate.plies);
    EXPECT_EQ(found->moves, MatingMoves(position, mate.plies));
    ++compared;
  }
  EXPECT_GT(compared, 10);
}

TEST(MatesTest, SayWhyNot) {
  const Position start = StartPosition(RulesOf("minishogi"));
  EXPECT_TRUE(absl::IsNotFound(FindShortestMates(start, 3, kSolverNodes).status()));
  EXPECT_TRUE(absl::IsResourceExhausted(FindShortestMates(start, 31, 10).status()));
  EXPECT_FALSE(HasMateByChecks(start, 3, kSolverNodes));
  const Position mate = At("xiangqi", "3k5/9/9/9/9/9/8p/9/R8/4K4 w 0 1");
  EXPECT_TRUE(HasMateByChecks(mate, 1, kSolverNodes));
}

TEST(MaterialSearchTest, FindsWhatIsLeftHanging) {
  const Rules& rules = RulesOf("xiangqi");
  const PieceValues values(rules);
  MaterialSearch search(&values);
  // Chariots on one file, neither is guarded.
  const Position hanging = At("xiangqi", "3k5/9/9/9/r8/9/9/9/R8/5K3 w 0 1");
  EXPECT_EQ(search.Material(hanging), 0);
  std::vector<ScoredMove> moves = search.Search(hanging, 2, 2);
  EXPECT_EQ(FormatMove(rules, moves[0].move), "a2a6");
  const int chariot = values.value(KindOf(hanging.piece_at(moves[0].move.to())));
  EXPECT_EQ(moves[0].score, chariot);
  EXPECT_GT(chariot, 0);
  EXPECT_EQ(static_cast<int64_t>(moves.size()), CountLegalMoves(hanging));
  // The same with a guard: they are exchanged or not, which is as good.
  const Position guarded = At("xiangqi", "3k5/9/9/r8/r8/9/9/9/R8/5K3 w 0 1");
  moves = search.Search(guarded, 2, 1);
  EXPECT_EQ(moves[0].score, -chariot);
}

// The scores of one ply with everything in exact order, against plain minimax of the definition.
TEST(MaterialSearchTest, ScoresOfManyMovesAreThoseOfEachAlone) {
  const Rules& rules = RulesOf("minishogi");
  const PieceValues values(rules);
  MaterialSearch search(&values);
  const Position position = At("minishogi", "4k/r4/1p3/RP3/K4[Gs] w 0 1");
  const std::vector<ScoredMove> all =
      search.Search(position, 2, static_cast<int>(CountLegalMoves(position)));
  for (const ScoredMove& scored : all) {
    Position after = position;
    after.Do(scored.move);
    // Mates are counted from the root.
    if (!HasLegalMove(after) || std::abs(scored.score) > MaterialSearch::kMateScore / 2) continue;
    // One ply less from the other side.
    EXPECT_EQ(scored.score, -search.Search(after, 1, 1)[0].score) << FormatMove(rules, scored.move);
  }
  for (const int exact : {1, 2, 5}) {
    const std::vector<ScoredMove> few = search.Search(position, 2, exact);
    for (int i = 0; i < exact; ++i) {
      EXPECT_EQ(few[static_cast<size_t>(i)].score, all[static_cast<size_t>(i)].score) << i;
    }
  }
}

TEST(MaterialSearchTest, MatesComeFirst) {
  const Rules& rules = RulesOf("xiangqi");
  const PieceValues values(rules);
  const Position position = At("xiangqi", "3k5/9/9/9/r8/9/9/9/R8/4K4 w 0 1");
  const std::vector<ScoredMove> moves = MaterialSearch(&values).Search(position, 2, 1);
  EXPECT_EQ(FormatMove(rules, moves[0].move), "a2d2");
  EXPECT_GT(moves[0].score, MaterialSearch::kMateScore / 2);
}

TEST(PuzzleTest, CaptureIsFoundAndRightGainToo) {
  const Rules& rules = RulesOf("xiangqi");
  const PieceValues values(rules);
  const Position hanging = At("xiangqi", "3k5/9/9/9/r8/9/9/9/R8/5K3 w 0 1");
  absl::StatusOr<SuitePosition> puzzle = FindCapturePuzzle(hanging, values);
  ASSERT_TRUE(puzzle.ok()) << puzzle.status();
  EXPECT_THAT(Texts(hanging, puzzle->best), ::testing::ElementsAre("a2a6"));
  EXPECT_TRUE(IsPlainCapture(*puzzle, values));
  EXPECT_TRUE(CheckPuzzle(*puzzle, values, kSolverNodes).ok());
  const double gain = puzzle->gain;
  puzzle->gain = 2 * gain;
  EXPECT_THAT(std::string(CheckPuzzle(*puzzle, values, kSolverNodes).message()),
              HasSubstr("but there is a gain of"));
  puzzle->gain = gain;
  puzzle->best = {*ParseMove(hanging, "a2a5")};
  EXPECT_THAT(std::string(CheckPuzzle(*puzzle, values, kSolverNodes).message()),
              HasSubstr("by a2a5, but there is a gain of"));
}

TEST(PuzzleTest, NoCaptureNoPuzzle) {
  const PieceValues values(RulesOf("xiangqi"));
  for (const char* fen : {"3k5/9/9/r8/r8/9/9/9/R8/5K3 w 0 1",    // guarded
                          "3k5/9/9/9/9/9/9/9/R8/5K3 w 0 1",      // nothing to take
                          "3k5/9/9/9/r8/9/9/9/R8/4K4 w 0 1"}) {  // it mates instead
    EXPECT_TRUE(absl::IsNotFound(FindCapturePuzzle(At("xiangqi", fen), values).status())) << fen;
  }
}

TEST(PuzzleTest, MateMustBeOneMoveAlone) {
  const PieceValues values(RulesOf("xiangqi"));
  const Position one = At("xiangqi", "3k5/9/9/9/9/9/8p/9/R8/4K4 w 0 1");
  absl::StatusOr<SuitePosition> puzzle = FindMatePuzzle(one, 3, kSolverNodes, /*alone=*/false);
  ASSERT_TRUE(puzzle.ok()) << puzzle.status();
  EXPECT_EQ(puzzle->plies, 1);
  EXPECT_THAT(Texts(one, puzzle->best), ::testing::ElementsAre("a2d2"));
  EXPECT_TRUE(CheckPuzzle(*puzzle, values, kSolverNodes).ok());
  // Two Chariots: either mates.
  const Position two = At("xiangqi", "3k5/9/9/9/9/9/8p/9/R7R/4K4 w 0 1");
  EXPECT_THAT(std::string(FindMatePuzzle(two, 3, kSolverNodes, false).status().message()),
              HasSubstr("several moves mate"));
  // What a suite says is looked at.
  puzzle->plies = 3;
  EXPECT_THAT(std::string(CheckPuzzle(*puzzle, values, kSolverNodes).message()),
              HasSubstr("it says a mate in 3 plies by a2d2, but there is a mate in 1 plies"));
  puzzle->plies = 1;
  puzzle->best = {*ParseMove(one, "a2a3")};
  EXPECT_FALSE(CheckPuzzle(*puzzle, values, kSolverNodes).ok());
  puzzle->position = At("xiangqi", "3k5/9/9/9/9/9/9/9/R8/5K3 w 0 1");
  EXPECT_THAT(std::string(CheckPuzzle(*puzzle, values, kSolverNodes).message()),
              HasSubstr("not a mate in 1 plies by a2a3: no mate"));
}

}  // namespace
}  // namespace crossriver
