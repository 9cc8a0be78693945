// Proven results in the tree: mates found and avoided, in agreement with the mate solver.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/movegen.h"
#include "core/notation.h"
#include "mcts/mate_solver.h"
#include "tests/mcts/mate_positions.h"
#include "tests/mcts/search_helpers.h"
#include "tests/random_positions.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::Game;
using testing::MatePosition;
using testing::RulesOf;
using testing::SearchGame;

// The shortest mate of the side to move, -1 where there is none within `most` plies.
int MatePlies(const Position& position, const History& history, int most) {
  MateOptions options;
  options.max_plies = most;
  options.table_bytes = 1 << 20;
  options.max_nodes = 1'000'000'000;
  const MateResult result = MateSolver(options).Solve(position, history);
  return result.answer == MateResult::Answer::kMate ? result.plies : -1;
}

class MateSearchTest : public ::testing::TestWithParam<MatePosition> {};

TEST_P(MateSearchTest, PuctFindsIt) {
  const Game game(GetParam().variant, GetParam().fen);
  SearchOptions options;
  options.tree_bytes = size_t{512} << 20;  // nothing is pruned
  const SearchResult result = SearchGame(game, options, 1'000'000);
  EXPECT_EQ(result.proof.result, Result::kWin) << "after " << result.visits << " visits";
  EXPECT_EQ(result.stopped, StopReason::kProven);
  EXPECT_GE(result.proof.distance, GetParam().plies);
  EXPECT_EQ(result.moves[0].move, result.best);
  EXPECT_EQ(result.moves[0].proof.result, Result::kWin);
  EXPECT_EQ(result.moves[0].proof.distance, result.proof.distance);
  EXPECT_EQ(static_cast<int>(result.moves[0].pv.size()), result.proof.distance);
  EXPECT_EQ(result.wdl, (Wdl{1, 0, 0}));
  // What was proven is so.
  EXPECT_GE(MatePlies(game.position, game.history, result.proof.distance), 1);
}

INSTANTIATE_TEST_SUITE_P(Families, MateSearchTest, ::testing::ValuesIn(testing::kMatePositions));

SearchOptions GumbelOverAllMoves() {
  SearchOptions options;
  options.root_policy = RootPolicy::kGumbel;
  options.gumbel.sampled_moves = 1000;
  options.tree_bytes = size_t{256} << 20;
  return options;
}

// Sequential halving gives up moves for good, with equal priors and values also the one that mates:
// of the longer mates a few escape it, of the mates in 1 none.
TEST(GumbelMateTest, FindsMates) {
  int missed = 0;
  for (const MatePosition& mate : testing::kMatePositions) {
    SCOPED_TRACE(mate.fen);
    const Game game(mate.variant, mate.fen);
    const int64_t visits = mate.plies == 1 ? 2000 : mate.plies == 3 ? 40'000 : 400'000;
    const SearchResult result = SearchGame(game, GumbelOverAllMoves(), visits);
    if (result.proof.result == Result::kNone && mate.plies > 1) {
      ++missed;
      continue;
    }
    ASSERT_EQ(result.proof.result, Result::kWin) << "after " << result.visits << " visits";
    EXPECT_EQ(result.moves[0].move, result.best);
    EXPECT_EQ(result.moves[0].proof.result, Result::kWin);
    EXPECT_GE(result.moves[0].proof.distance, mate.plies);
    for (const MoveResult& other : result.moves) EXPECT_LE(other.target, result.moves[0].target);
    EXPECT_GE(MatePlies(game.position, game.history, result.proof.distance), 1);
  }
  EXPECT_LE(missed, 4);
}

// Positions in which some moves let the opponent mate at once and others do not: the search plays
// one of the others, and proves the first lost.
class AvoidMateTest : public ::testing::TestWithParam<const char*> {};

TEST_P(AvoidMateTest, DoesNotStepIntoMate) {
  int found = 0;
  int proven = 0;
  for (int i = 0; i < 3000 && found < 6; ++i) {
    testing::Random random(std::string("avoid ") + GetParam(), 1, i);
    const auto position = RandomPosition(RulesOf(GetParam()), &random);
    if (!position.has_value() || position->no_progress() > 80) continue;
    const Game game(GetParam(), FormatFen(*position));
    std::vector<Move> moves;
    GenerateLegalMoves(game.position, &moves);
    if (moves.size() < 2 || moves.size() > 60 || MatePlies(game.position, game.history, 1) == 1) {
      continue;
    }
    std::vector<Move> blunders;
    for (const Move move : moves) {
      Position after = game.position;
      after.Do(move);
      if (MatePlies(after, History(after), 1) == 1) blunders.push_back(move);
    }
    if (blunders.empty() || blunders.size() == moves.size()) continue;
    ++found;
    SCOPED_TRACE(FormatFen(*position));
    for (const SearchOptions& options : {SearchOptions(), GumbelOverAllMoves()}) {
      const SearchResult result = SearchGame(game, options, 20'000);
      EXPECT_EQ(std::count(blunders.begin(), blunders.end(), result.best), 0)
          << game.Text(result.best) << " is mated";
      for (const MoveResult& move : result.moves) {
        const bool blunder = std::count(blunders.begin(), blunders.end(), move.move) > 0;
        proven += blunder && move.proof.result == Result::kLoss ? 1 : 0;
      }
    }
  }
  EXPECT_GT(proven, 0);
  EXPECT_EQ(found, 6);
}

INSTANTIATE_TEST_SUITE_P(Families, AvoidMateTest,
                         ::testing::Values("switchback", "shoxiang-sh-standard",
                                           "shoxiang-xq-standard", "xiangqi", "shogi",
                                           "minishogi"));

// Small positions searched until they are proven or the visits are used up: a proven result is the
// solver's, and where the solver finds a short mate, so does the search.
TEST(ProofTest, AgreesWithTheMateSolver) {
  int wins = 0;
  int losses = 0;
  for (int i = 0; i < 800; ++i) {
    const std::string variant = i % 2 == 0 ? "switchback" : "xiangqi";
    testing::Random random("proofs", 1, i);
    const auto position = RandomPosition(RulesOf(variant), &random);
    if (!position.has_value() || position->no_progress() > 80) continue;
    const Game game(variant, FormatFen(*position));
    if (!HasLegalMove(game.position)) continue;
    SCOPED_TRACE(FormatFen(*position));
    const SearchResult result = SearchGame(game, {}, 3000);
    if (result.proof.result == Result::kWin && !result.proof.depends_on_path) {
      ++wins;
      EXPECT_GE(MatePlies(game.position, game.history, result.proof.distance), 1);
    }
    if (result.proof.result == Result::kLoss && !result.proof.depends_on_path) {
      ++losses;
      for (const MoveResult& move : result.moves) {
        Position after = game.position;
        after.Do(move.move);
        ASSERT_EQ(move.proof.result, Result::kLoss);
        EXPECT_GE(MatePlies(after, History(after), move.proof.distance - 1), 1);
      }
    }
    if (MatePlies(game.position, game.history, 1) == 1) {
      EXPECT_EQ(result.proof.result, Result::kWin);
    }
  }
  EXPECT_GT(wins, 5);
  EXPECT_GT(losses, 3);
}

}  // namespace
}  // namespace crossriver
