// The probe for a mate at the root: what the result says, and when it gives up.
#include "mcts/mate_probe.h"

#include <gtest/gtest.h>

#include "core/adjudicator.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "mcts/parallel_search.h"
#include "mcts/uniform_evaluator.h"
#include "tests/mcts/mate_positions.h"
#include "tests/mcts/search_helpers.h"
#include "tests/random_positions.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::Game;
using testing::MatePosition;
using testing::RulesOf;
using testing::Visits;

SearchResult SearchWithProbe(const Game& game, int64_t mate_nodes, const SearchLimits& limits) {
  UniformEvaluator evaluator;
  Search search({}, game.start);
  CR_CHECK_OK(search.SetGame(game.start, game.moves));
  ParallelOptions options;
  options.mate_nodes = mate_nodes;
  return *ParallelSearch(&search, &evaluator, options).Run(limits);
}

class MateProbeTest : public ::testing::TestWithParam<MatePosition> {};

TEST_P(MateProbeTest, EndsTheSearchWithTheMate) {
  const Game game(GetParam().variant, GetParam().fen);
  const SearchResult result = SearchWithProbe(game, 20'000, Visits(100));
  ASSERT_EQ(result.proof.result, Result::kWin);
  EXPECT_EQ(result.proof.distance, GetParam().plies);
  EXPECT_EQ(result.stopped, StopReason::kProven);
  EXPECT_EQ(result.visits, 0);
  EXPECT_EQ(result.evaluations, 0);
  EXPECT_EQ(result.wdl, (Wdl{1, 0, 0}));
  EXPECT_EQ(result.moves.size(), testing::LegalMoveTexts(game.position).size());
  const MoveResult& best = result.moves[0];
  EXPECT_EQ(best.move, result.best);
  EXPECT_EQ(best.proof.result, Result::kWin);
  EXPECT_EQ(best.target, 1);
  ASSERT_EQ(static_cast<int>(best.pv.size()), GetParam().plies);
  Position position = game.position;
  for (const Move move : best.pv) {
    ASSERT_TRUE(IsLegal(position, move));
    position.Do(move);
  }
  EXPECT_FALSE(HasLegalMove(position));
}

INSTANTIATE_TEST_SUITE_P(Families, MateProbeTest, ::testing::ValuesIn(testing::kMatePositions));

TEST(MateProbeTest, WithoutAMateTheSearchIsTheSame) {
  const Game game("shogi", "");
  const SearchResult probed = SearchWithProbe(game, 200, Visits(300));
  const SearchResult plain = SearchWithProbe(game, 0, Visits(300));
  EXPECT_EQ(probed.visits, 300);
  EXPECT_EQ(probed.best, plain.best);
  EXPECT_EQ(probed.wdl, plain.wdl);
}

// In a tree that has been searched already, the other moves keep what is known of them.
TEST(MateProbeTest, KeepsTheTree) {
  const MatePosition& mate = testing::kMatePositions[1];
  const Game game(mate.variant, mate.fen);
  UniformEvaluator evaluator;
  Search search({}, game.start);
  ParallelSearch plain(&search, &evaluator, {});
  const SearchResult before = *plain.Run(Visits(50));
  ASSERT_EQ(before.proof.result, Result::kNone);
  ParallelOptions options;
  options.mate_nodes = 20'000;
  const SearchResult probed = *ParallelSearch(&search, &evaluator, options).Run(Visits(50));
  EXPECT_EQ(probed.proof.result, Result::kWin);
  EXPECT_EQ(probed.tree_visits, 51);
  EXPECT_EQ(probed.visits, 0);
  EXPECT_EQ(testing::ResultOf(probed, before.best).visits,
            testing::ResultOf(before, before.best).visits);
  // And the next search is one again.
  EXPECT_EQ(plain.Run(Visits(50))->visits, 50);
}

TEST(MateProbeTest, GivesUpWhenItIsToStop) {
  const Game game("shogi", "");
  Search search({}, game.start);
  MateProbe probe(int64_t{1} << 40);
  int asked = 0;
  search.Begin(Visits(10));
  EXPECT_FALSE(probe.Run(&search, [&asked] { return ++asked == 100; }));
  EXPECT_EQ(asked, 100);
  SearchLimits limits;
  limits.time = absl::Milliseconds(200);
  search.Begin(limits);
  EXPECT_FALSE(probe.Run(&search));
  search.Begin(Visits(10));
  search.Stop();
  EXPECT_FALSE(probe.Run(&search));
  EXPECT_EQ(search.Result().stopped, StopReason::kStopped);
  // There is time left for the search itself.
  EXPECT_GT(SearchWithProbe(game, int64_t{1} << 40, limits).visits, 0);
}

}  // namespace
}  // namespace crossriver
