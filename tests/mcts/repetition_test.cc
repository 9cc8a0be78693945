// Repetition and perpetual check in the tree: draws taken and avoided, proofs that hang on the
// game.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/notation.h"
#include "mcts/batch_driver.h"
#include "mcts/search.h"
#include "tests/mcts/repetition_positions.h"
#include "tests/mcts/search_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::Cycles;
using testing::FunctionEvaluator;
using testing::Game;
using testing::GumbelSearch;
using testing::kPerpetualChecks;
using testing::kRepetitions;
using testing::PieceCounter;
using testing::RepetitionCase;
using testing::ResultOf;
using testing::RulesOf;
using testing::SearchGame;
using testing::Visits;

class RepetitionTest : public ::testing::TestWithParam<RepetitionCase> {};

TEST_P(RepetitionTest, TheWinnerAvoidsIt) {
  FunctionEvaluator evaluator = PieceCounter();
  const int plies = 4 * (GetParam().occurrences - 1) - 1;  // the next ends the game
  const Game game(GetParam().variant, GetParam().fen, Cycles(GetParam(), plies));
  ASSERT_EQ(game.position.side_to_move(), Side::kFirst);
  const Move drawing = game.Parse(GetParam().cycle[3]);
  for (const SearchOptions& options : {SearchOptions(), GumbelSearch()}) {
    const SearchResult result = SearchGame(game, options, 800, &evaluator);
    EXPECT_NE(result.best, drawing);
    const MoveResult& draw = ResultOf(result, drawing);
    if (draw.visits == 0) continue;  // not among Gumbel's sample
    EXPECT_EQ(draw.proof.result, Result::kDraw);
    EXPECT_TRUE(draw.proof.depends_on_path);
    EXPECT_EQ(draw.wdl, (Wdl{0, 1, 0}));
  }
}

TEST_P(RepetitionTest, TheLoserTakesIt) {
  FunctionEvaluator evaluator = PieceCounter();
  const int plies = 4 * (GetParam().occurrences - 1);
  // The game begins a ply later than the cycle, so that the second player completes it.
  const std::string start = [&] {
    Position position = *ParseFen(RulesOf(GetParam().variant), GetParam().fen);
    position.Do(*ParseMove(position, GetParam().cycle[0]));
    return FormatFen(position);
  }();
  std::string moves;
  for (int i = 0; i < plies - 1; ++i) moves += std::string(GetParam().cycle[(i + 1) % 4]) + " ";
  const Game losing(GetParam().variant, start, moves);
  ASSERT_EQ(losing.position.side_to_move(), Side::kSecond);
  const Move drawing = losing.Parse(GetParam().cycle[0]);
  for (const SearchOptions& options : {SearchOptions(), GumbelSearch()}) {
    const SearchResult result = SearchGame(losing, options, 800, &evaluator);
    EXPECT_EQ(result.best, drawing);
    EXPECT_EQ(result.moves[0].proof.result, Result::kDraw);
    EXPECT_TRUE(result.moves[0].proof.depends_on_path);
  }
  // To whom a draw is worth nothing, it is better than nothing else than a loss.
  SearchOptions options;
  options.draw_score = 0.0F;
  const SearchResult result = SearchGame(losing, options, 800, &evaluator);
  EXPECT_EQ(result.best == drawing, result.proof.result == Result::kDraw);
}

INSTANTIATE_TEST_SUITE_P(Variants, RepetitionTest, ::testing::ValuesIn(kRepetitions));

class PerpetualCheckTest : public ::testing::TestWithParam<RepetitionCase> {};

TEST_P(PerpetualCheckTest, IsAvoidedByTheCheckerAndTakenByTheOther) {
  FunctionEvaluator evaluator = PieceCounter();
  const int plies = 4 * (GetParam().occurrences - 1);  // that end the game
  // The checker's last move before that.
  const Game checker(GetParam().variant, GetParam().fen, Cycles(GetParam(), plies - 2));
  const Move check = checker.Parse(GetParam().cycle[2]);
  SearchOptions puct;
  puct.see_winning_moves = false;  // it would end the search before the check has been looked at
  SearchOptions gumbel = GumbelSearch();
  gumbel.see_winning_moves = false;
  gumbel.gumbel.sampled_moves = 1000;
  for (const SearchOptions& options : {puct, gumbel}) {
    const SearchResult result = SearchGame(checker, options, 3000, &evaluator);
    EXPECT_NE(result.best, check);
    EXPECT_EQ(ResultOf(result, check).proof.result, Result::kLoss);
    EXPECT_TRUE(ResultOf(result, check).proof.depends_on_path);
    EXPECT_EQ(ResultOf(result, check).proof.distance, 2);
  }
  // The same position without the game before it.
  const Game fresh(GetParam().variant, FormatFen(checker.position));
  const SearchResult free = SearchGame(fresh, puct, 3000, &evaluator);
  EXPECT_NE(ResultOf(free, check).proof.result, Result::kLoss);

  const Game other(GetParam().variant, GetParam().fen, Cycles(GetParam(), plies - 1));
  for (const SearchOptions& options : {puct, gumbel}) {
    const SearchResult taken = SearchGame(other, options, 3000, &evaluator);
    EXPECT_EQ(taken.best, other.Parse(GetParam().cycle[3]));
    EXPECT_EQ(taken.proof.result, Result::kWin);
    EXPECT_EQ(taken.proof.distance, 1);
    EXPECT_TRUE(taken.proof.depends_on_path);
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, PerpetualCheckTest, ::testing::ValuesIn(kPerpetualChecks));

TEST(SearchTest, GameThatIsOver) {
  const RepetitionCase& c = kRepetitions[0];
  const Game drawn(c.variant, c.fen, Cycles(c, 8));
  const SearchResult result = SearchGame(drawn, {}, 100);
  EXPECT_EQ(result.stopped, StopReason::kGameOver);
  EXPECT_EQ(result.outcome.reason, Reason::kRepetition);
  EXPECT_TRUE(result.best.is_null());
  EXPECT_EQ(result.wdl, (Wdl{0, 1, 0}));
}

// A tree is kept along a game, and not for the same position of another game.
TEST(SearchTest, AnotherHistoryIsAnotherTree) {
  const RepetitionCase& c = kPerpetualChecks[0];
  FunctionEvaluator evaluator = PieceCounter();
  const Game game(c.variant, c.fen, Cycles(c, 6));
  Search search({}, game.start);
  ASSERT_TRUE(search.SetGame(game.start, game.moves).ok());
  const SearchResult proven = *RunSearch(&search, Visits(3000), &evaluator);
  const Move check = game.Parse(c.cycle[2]);
  EXPECT_EQ(ResultOf(proven, check).proof.result, Result::kLoss);
  // The same game: all is kept.
  ASSERT_TRUE(search.SetGame(game.start, game.moves).ok());
  EXPECT_EQ(RunSearch(&search, Visits(0), &evaluator)->tree_visits, proven.tree_visits);
  // The same position as a start: nothing, and so no proof that rests on the game.
  ASSERT_TRUE(search.SetGame(game.position, {}).ok());
  const SearchResult fresh = *RunSearch(&search, Visits(3000), &evaluator);
  EXPECT_EQ(fresh.tree_visits, fresh.visits + 1);
  EXPECT_NE(ResultOf(fresh, check).proof.result, Result::kLoss);
  const Move nonsense[] = {Move::Board(0, 1, false), Move::Board(0, 1, false)};
  EXPECT_FALSE(search.SetGame(game.position, nonsense).ok());
}

}  // namespace
}  // namespace crossriver
