// Moves that win at once: those that the rules say, and seen by a search whatever its evaluator
// thinks.
#include "mcts/winning_move.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/adjudicator.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "tests/mcts/mate_positions.h"
#include "tests/mcts/search_helpers.h"
#include "tests/random_positions.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::FunctionEvaluator;
using testing::Game;
using testing::GumbelSearch;
using testing::MatePosition;
using testing::ResultOf;
using testing::RulesOf;
using testing::SearchGame;

class FindWinningMoveTest : public ::testing::TestWithParam<const char*> {};

TEST_P(FindWinningMoveTest, AgreesWithTheRules) {
  int found = 0;
  int not_found = 0;
  for (int i = 0; i < 1500; ++i) {
    testing::Random random(std::string("winning ") + GetParam(), 1, i);
    std::optional<Position> position = RandomPosition(RulesOf(GetParam()), &random);
    if (!position.has_value()) continue;
    const std::string fen = FormatFen(*position);
    SCOPED_TRACE(fen);
    std::vector<Move> moves;
    GenerateLegalMoves(*position, &moves);
    std::optional<size_t> expected;
    for (size_t at = 0; at < moves.size() && !expected.has_value(); ++at) {
      Position after = *position;
      after.Do(moves[at]);
      std::vector<Move> replies;
      GenerateLegalMoves(after, &replies);
      if (!replies.empty()) continue;
      const Outcome outcome = Adjudicate(after, History(after), /*has_legal_move=*/false);
      if (outcome.result == Result::kLoss) expected = at;
    }
    EXPECT_EQ(FindWinningMove(&*position, moves), expected);
    EXPECT_EQ(FormatFen(*position), fen);
    ++(expected.has_value() ? found : not_found);
  }
  EXPECT_GT(found, 5);
  EXPECT_GT(not_found, 10);
}

INSTANTIATE_TEST_SUITE_P(Families, FindWinningMoveTest,
                         ::testing::Values("switchback", "shoxiang-sh-standard",
                                           "shoxiang-xq-standard", "xiangqi", "shogi",
                                           "minishogi"));

TEST(LogPriorsOfWinTest, AreOfADistribution) {
  for (const size_t count : {size_t{1}, size_t{2}, size_t{40}, size_t{600}}) {
    const std::vector<float> log_priors = LogPriorsOfWin(count, count / 2);
    ASSERT_EQ(log_priors.size(), count);
    const float sum = std::accumulate(log_priors.begin(), log_priors.end(), 0.0F,
                                      [](float a, float b) { return a + std::exp(b); });
    EXPECT_NEAR(sum, 1, 1e-4);
    EXPECT_EQ(std::max_element(log_priors.begin(), log_priors.end()) - log_priors.begin(),
              static_cast<ptrdiff_t>(count / 2));
  }
}

std::optional<size_t> WinningMoveOf(const EvaluationRequest& request) {
  Position position = *request.position;
  return FindWinningMove(&position, request.moves);
}

// Gives next to nothing to the move that wins, and thinks the position lost.
Evaluation Blind(const EvaluationRequest& request) {
  Evaluation evaluation = testing::ValueOnly(request, {0, 0, 1});
  if (const auto winning = WinningMoveOf(request);
      winning.has_value() && request.moves.size() > 1) {
    evaluation.log_priors[*winning] = -30;
  }
  return evaluation;
}

TEST(SeeWinningMovesTest, AtTheRoot) {
  FunctionEvaluator blind(
      [](const EvaluationRequest& request, Evaluation* out) { *out = Blind(request); });
  for (const MatePosition& mate : testing::kMatePositions) {
    if (mate.plies != 1) continue;
    SCOPED_TRACE(mate.fen);
    const Game game(mate.variant, mate.fen);
    for (SearchOptions options : {SearchOptions(), GumbelSearch()}) {
      const SearchResult seen = SearchGame(game, options, 4, &blind);
      EXPECT_EQ(seen.proof.result, Result::kWin);
      EXPECT_EQ(seen.proof.distance, 1);
      EXPECT_EQ(seen.visits, 1);
      EXPECT_GT(ResultOf(seen, seen.best).target, 0.5F);
      // A search without a visit shows the evaluator's own opinion.
      EXPECT_LT(ResultOf(SearchGame(game, options, 0, &blind), seen.best).prior, 1e-6F);

      options.see_winning_moves = false;
      EXPECT_EQ(SearchGame(game, options, 4, &blind).proof.result, Result::kNone);
    }
  }
}

TEST(SeeWinningMovesTest, BelowTheRootWithoutAnEvaluation) {
  int won = 0;  // positions below the root that were evaluated though a move wins there
  FunctionEvaluator evaluator([&won](const EvaluationRequest& request, Evaluation* out) {
    *out = testing::ArbitraryEvaluation(request);
    if (request.history->plies() > 0 && WinningMoveOf(request).has_value()) ++won;
  });
  for (SearchOptions options : {SearchOptions(), GumbelSearch()}) {
    for (const bool see : {true, false}) {
      options.see_winning_moves = see;
      won = 0;
      for (const MatePosition& mate : testing::kMatePositions) {
        SearchGame(Game(mate.variant, mate.fen), options, 400, &evaluator);
      }
      EXPECT_EQ(won == 0, see) << won;
    }
  }
}

}  // namespace
}  // namespace crossriver
