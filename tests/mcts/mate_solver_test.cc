// The mate solver against a plain search of all lines, and on positions of every family.
#include "mcts/mate_solver.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "core/adjudicator.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "mcts/mate_probe.h"
#include "mcts/search.h"
#include "tests/mcts/mate_positions.h"
#include "tests/mcts/search_helpers.h"
#include "tests/random_positions.h"
#include "tests/slow_mates.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::Game;
using testing::MatePosition;
using testing::MatesByAllLines;
using testing::RulesOf;
using Answer = MateResult::Answer;

// 0 where there is no mate within `most` plies.
int ShortestMate(const Game& game, int most, bool checks_only = false) {
  Position position = game.position;
  History history = game.history;
  for (int plies = 1; plies <= most; plies += 2) {
    if (MatesByAllLines(&position, &history, plies, true, checks_only)) return plies;
  }
  return 0;
}

MateOptions Options(int max_plies) {
  MateOptions options;
  options.max_plies = max_plies;
  options.table_bytes = 1 << 20;
  return options;
}

class MatePositionTest : public ::testing::TestWithParam<MatePosition> {};

TEST_P(MatePositionTest, IsSolvedInTheLeastPlies) {
  const Game game(GetParam().variant, GetParam().fen);
  const MateResult result = MateSolver(Options(7)).Solve(game.position, game.history);
  ASSERT_EQ(result.answer, Answer::kMate);
  EXPECT_EQ(result.plies, GetParam().plies);
  // The line is legal, as long as the mate, and ends in one.
  ASSERT_EQ(static_cast<int>(result.line.size()), result.plies);
  Position position = game.position;
  for (const Move move : result.line) {
    ASSERT_TRUE(IsLegal(position, move));
    position.Do(move);
  }
  EXPECT_FALSE(HasLegalMove(position));
  if (GetParam().plies > 3) return;
  EXPECT_EQ(ShortestMate(game, 3), GetParam().plies);
}

INSTANTIATE_TEST_SUITE_P(Families, MatePositionTest, ::testing::ValuesIn(testing::kMatePositions));

// Random positions, most without a mate.
void CompareWithAllLines(const std::string& variant, int tries, int plies, bool checks_only) {
  int mates = 0;
  int compared = 0;
  for (int i = 0; i < tries; ++i) {
    testing::Random random("mate comparison " + variant, 1, i);
    const auto position = RandomPosition(RulesOf(variant), &random);
    if (!position.has_value() || CountLegalMoves(*position) > 60) continue;
    const Game game(variant, FormatFen(*position));
    SCOPED_TRACE(FormatFen(*position));
    MateOptions options = Options(plies);
    options.checks_only = checks_only;
    options.max_nodes = 100'000'000;
    const MateResult result = MateSolver(options).Solve(game.position, game.history);
    const int expected = ShortestMate(game, plies, checks_only);
    ASSERT_EQ(result.answer, expected > 0 ? Answer::kMate : Answer::kNoMate);
    EXPECT_EQ(result.plies, expected);
    ++compared;
    mates += expected > 0 ? 1 : 0;
  }
  EXPECT_GT(compared, tries / 8);
  EXPECT_GT(mates, 0);
}

TEST(MateSolverTest, AgreesWithAllLines) {
  CompareWithAllLines("minishogi", 150, 3, false);
  CompareWithAllLines("switchback", 60, 3, false);
  CompareWithAllLines("xiangqi", 60, 3, false);
}

TEST(MateSolverTest, AgreesWithAllLinesOfChecks) {
  CompareWithAllLines("minishogi", 500, 5, true);
  CompareWithAllLines("switchback", 400, 3, true);
}

std::string Back(const Game& game, Move move) {
  return game.Text(Move::Board(move.to(), move.from(), false));
}

// A game from the position after `first` to the game's position, in which both occur twice: a
// reply, both taken back, once more the first move and the same again. Empty where that is not
// possible.
std::string ThereAndBackTwice(const Game& game, Move first) {
  if (first.is_drop() || first.promotes() || game.position.piece_at(first.to()) != kNoPiece) {
    return "";
  }
  Position position = game.position;
  position.Do(first);
  std::vector<Move> replies;
  GenerateLegalMoves(position, &replies);
  for (const Move reply : replies) {
    if (reply.is_drop() || position.piece_at(reply.to()) != kNoPiece) continue;
    Position after = position;
    after.Do(reply);
    if (!IsLegal(after, Move::Board(first.to(), first.from(), false))) continue;
    after.Do(Move::Board(first.to(), first.from(), false));
    if (!IsLegal(after, Move::Board(reply.to(), reply.from(), false))) continue;
    after.Do(Move::Board(reply.to(), reply.from(), false));
    if (after.key() != game.position.key()) continue;
    const std::string back =
        absl::StrCat(game.Text(reply), " ", Back(game, first), " ", Back(game, reply), " ");
    return absl::StrCat(back, game.Text(first), " ", back);
  }
  return "";
}

// The plies of the mate that a search with a probe for it reports; 0 = none.
int ProbedPlies(const Game& game) {
  Search search({}, game.start);
  CR_CHECK_OK(search.SetGame(game.start, game.moves));
  search.Begin({});
  if (!MateProbe(3000).Run(&search)) return 0;
  return search.Result().proof.distance;
}

// A mate in 3 whose first move leads to a position that has occurred twice: now it ends the game,
// and the mate has to be another one, or there is none.
TEST(MateSolverTest, RepetitionOnTheWayIsNoMate) {
  int games = 0;
  int spoilt = 0;
  for (int i = 0; i < 3000 && spoilt < 3; ++i) {
    testing::Random random("repeated mates", 1, i);
    const auto position = RandomPosition(RulesOf("xiangqi"), &random);
    if (!position.has_value() || position->no_progress() > 80) continue;
    const Game fresh("xiangqi", FormatFen(*position));
    const MateResult mate = MateSolver(Options(3)).Solve(fresh.position, fresh.history);
    if (mate.plies != 3) continue;
    const std::string moves = ThereAndBackTwice(fresh, mate.line[0]);
    if (moves.empty()) continue;
    ++games;
    Position start = fresh.position;
    start.Do(mate.line[0]);
    SCOPED_TRACE(FormatFen(start) + " moves " + moves);
    const Game repeated("xiangqi", FormatFen(start), moves);
    ASSERT_EQ(repeated.history.Occurrences(), 2);
    const MateResult result = MateSolver(Options(3)).Solve(repeated.position, repeated.history);
    EXPECT_EQ(result.plies, ShortestMate(repeated, 3));
    // The probe looks further than 3 plies.
    const int probed = ProbedPlies(repeated);
    EXPECT_TRUE(result.plies > 0 ? probed == result.plies : probed != 1 && probed != 3) << probed;
    spoilt += result.plies != 3 ? 1 : 0;
  }
  EXPECT_GT(games, 3);
  EXPECT_GT(spoilt, 0);
}

TEST(MateSolverTest, StopsAtItsNodes) {
  const Game game("shogi", "");
  MateOptions options = Options(9);
  options.max_nodes = 500;
  const MateResult result = MateSolver(options).Solve(game.position, game.history);
  EXPECT_EQ(result.answer, Answer::kUnknown);
  EXPECT_LE(result.nodes, 500);
  EXPECT_GE(result.searched_plies, 1);
  const auto stopped = [] { return true; };
  EXPECT_EQ(MateSolver(Options(9)).Solve(game.position, game.history, stopped).answer,
            Answer::kUnknown);
}

}  // namespace
}  // namespace crossriver
