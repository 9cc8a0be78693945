// The search as a whole: signs, repetition, equal results, reuse, limits, memory.
#include "mcts/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/movegen.h"
#include "core/notation.h"
#include "mcts/batch_driver.h"
#include "mcts/report.h"
#include "mcts/rollout_evaluator.h"
#include "mcts/uniform_evaluator.h"
#include "tests/mcts/search_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::ArbitraryEvaluation;
using testing::FunctionEvaluator;
using testing::Game;
using testing::RulesOf;
using testing::SearchGame;
using testing::ValueOnly;

SearchOptions Gumbel() {
  SearchOptions options;
  options.root_policy = RootPolicy::kGumbel;
  return options;
}

SearchLimits Visits(int64_t visits) {
  SearchLimits limits;
  limits.visits = visits;
  return limits;
}

const MoveResult& ResultOf(const SearchResult& result, Move move) {
  return *std::find_if(result.moves.begin(), result.moves.end(),
                       [move](const MoveResult& entry) { return entry.move == move; });
}

// Wins with what is more on the board: a tenth a piece.
Evaluation CountPieces(const EvaluationRequest& request) {
  const Position& position = *request.position;
  const int more = position.pieces(position.side_to_move()).size() -
                   position.pieces(Other(position.side_to_move())).size();
  const float win = std::clamp(0.5F + 0.1F * static_cast<float>(more), 0.1F, 0.9F);
  return ValueOnly(request, {win, 0, 1 - win});
}

FunctionEvaluator PieceCounter() {
  return FunctionEvaluator(
      [](const EvaluationRequest& request, Evaluation* out) { *out = CountPieces(request); });
}

// --- Signs ---

class PolicyTest : public ::testing::TestWithParam<RootPolicy> {
 protected:
  SearchOptions Options() const {
    SearchOptions options;
    options.root_policy = GetParam();
    return options;
  }
};

// An evaluator that always sees the first player ahead is seen to do so at the root, by each move,
// for either side to move, however deep the search.
TEST_P(PolicyTest, SignsAreTheMovers) {
  FunctionEvaluator evaluator([](const EvaluationRequest& request, Evaluation* out) {
    const bool first = request.position->side_to_move() == Side::kFirst;
    *out = ValueOnly(request, first ? Wdl{0.6F, 0.3F, 0.1F} : Wdl{0.1F, 0.3F, 0.6F});
  });
  for (const char* moves : {"", "b1c3"}) {
    const Game game("xiangqi", "", moves);
    const SearchResult result = SearchGame(game, Options(), 500, &evaluator);
    const Wdl expected = *moves == '\0' ? Wdl{0.6F, 0.3F, 0.1F} : Wdl{0.1F, 0.3F, 0.6F};
    const auto expect_near = [&expected](const Wdl& wdl) {
      EXPECT_NEAR(wdl.win, expected.win, 1e-4);
      EXPECT_NEAR(wdl.draw, expected.draw, 1e-4);
      EXPECT_NEAR(wdl.loss, expected.loss, 1e-4);
    };
    expect_near(result.wdl);
    expect_near(result.raw_wdl);
    for (const MoveResult& move : result.moves) {
      expect_near(move.wdl);
      EXPECT_NEAR(move.score, expected.win + 0.5F * expected.draw, 1e-4);
    }
  }
}

// Each side goes for the cell that its own evaluation likes.
TEST_P(PolicyTest, EachSidePlaysForItself) {
  const Rules& rules = RulesOf("xiangqi");
  FunctionEvaluator evaluator([&rules](const EvaluationRequest& request, Evaluation* out) {
    // Whoever has pieces on two cells in front of his Knights is ahead.
    const auto developed = [&](Side side, const std::vector<std::string>& cells) {
      int count = 0;
      for (const std::string& name : cells) {
        const Piece piece =
            request.position->piece_at(rules.topology().CellOf(name[0] - 'a', name[1] - '1'));
        count += piece != kNoPiece && SideOf(piece) == side ? 1 : 0;
      }
      return count;
    };
    const int first = developed(Side::kFirst, {"c3", "g3"});
    const int second = developed(Side::kSecond, {"c8", "g8"});
    const int mover =
        request.position->side_to_move() == Side::kFirst ? first - second : second - first;
    const float win = 0.5F + 0.2F * static_cast<float>(mover);
    *out = ValueOnly(request, {win, 0, 1 - win});
  });
  SearchOptions options = Options();
  options.gumbel.noise = false;
  options.gumbel.sampled_moves = 100;
  const SearchResult white = SearchGame(Game("xiangqi", ""), options, 1000, &evaluator);
  const SearchResult black = SearchGame(Game("xiangqi", "", "a4a5"), options, 1000, &evaluator);
  const std::string white_cell = rules.topology().Name(white.best.to());
  const std::string black_cell = rules.topology().Name(black.best.to());
  EXPECT_TRUE(white_cell == "c3" || white_cell == "g3") << white_cell;
  EXPECT_TRUE(black_cell == "c8" || black_cell == "g8") << black_cell;
}

TEST_P(PolicyTest, OneVisitPlaysThePriorsBest) {
  FunctionEvaluator evaluator([](const EvaluationRequest& request, Evaluation* out) {
    *out = ArbitraryEvaluation(request);
  });
  SearchOptions options = Options();
  options.gumbel.noise = false;
  for (const char* moves : {"", "b1c3", "b1c3 h10g8", "h3h10"}) {
    for (const int64_t visits : {0, 1}) {
      const Game game("switchback", "", moves);
      const SearchResult result = SearchGame(game, options, visits, &evaluator);
      for (const MoveResult& move : result.moves) {
        EXPECT_LE(move.prior, ResultOf(result, result.best).prior);
      }
      EXPECT_EQ(result.visits, visits);
    }
  }
}

TEST_P(PolicyTest, EqualSeedsGiveEqualResults) {
  FunctionEvaluator evaluator([](const EvaluationRequest& request, Evaluation* out) {
    *out = ArbitraryEvaluation(request);
  });
  SearchOptions options = Options();
  if (GetParam() == RootPolicy::kPuct) {
    options.puct.noise_share = 0.25F;
    options.puct.forced_playouts = 2;
  }
  const auto visits_with = [&](uint64_t seed) {
    options.seed = seed;
    const SearchResult result =
        SearchGame(Game("shoxiang-xq-standard", ""), options, 600, &evaluator);
    std::vector<std::pair<uint16_t, int64_t>> visits;
    for (const MoveResult& move : result.moves) visits.emplace_back(move.move.raw(), move.visits);
    return visits;
  };
  EXPECT_EQ(visits_with(1), visits_with(1));
  EXPECT_NE(visits_with(1), visits_with(2));
}

TEST_P(PolicyTest, ResultAddsUp) {
  FunctionEvaluator evaluator([](const EvaluationRequest& request, Evaluation* out) {
    *out = ArbitraryEvaluation(request);
  });
  for (const char* variant : {"switchback", "shoxiang-sh-strong", "minishogi"}) {
    const Game game(variant, "");
    const SearchResult result = SearchGame(game, Options(), 777, &evaluator);
    EXPECT_EQ(result.moves.size(), testing::LegalMoveTexts(game.position).size());
    EXPECT_EQ(result.visits, 777);
    EXPECT_EQ(result.stopped, StopReason::kVisits);
    EXPECT_EQ(result.tree_visits, 778);  // and the root's own
    int64_t visits = 0;
    double target = 0;
    double prior = 0;
    double wins = result.raw_wdl.win;
    for (const MoveResult& move : result.moves) {
      visits += move.visits;
      target += static_cast<double>(move.target);
      prior += static_cast<double>(move.prior);
      wins += static_cast<double>(move.wdl.win) * static_cast<double>(move.visits);
      EXPECT_EQ(move.pv[0], move.move);
      EXPECT_EQ(move.new_visits, move.visits);
    }
    EXPECT_EQ(visits, 777);
    EXPECT_NEAR(target, 1, 1e-4);
    EXPECT_NEAR(prior, 1, 1e-2);
    EXPECT_NEAR(result.wdl.win, wins / 778, 1e-3);
    EXPECT_EQ(result.best, result.moves[0].move);
  }
}

// The tree goes along with the game: what a move was visited with is there when it is played.
TEST_P(PolicyTest, TreeIsReused) {
  FunctionEvaluator evaluator([](const EvaluationRequest& request, Evaluation* out) {
    *out = ArbitraryEvaluation(request);
  });
  Search search(Options(), StartPosition(RulesOf("switchback")));
  SearchResult result = *RunSearch(&search, Visits(400), &evaluator);
  for (int ply = 0; ply < 6; ++ply) {
    const int64_t carried = result.moves[0].visits;
    const std::vector<Move> pv = result.moves[0].pv;
    ASSERT_TRUE(search.Advance(result.best).ok());
    const SearchResult kept = *RunSearch(&search, Visits(0), &evaluator);
    EXPECT_EQ(kept.tree_visits, carried);
    EXPECT_EQ(kept.evaluations, 0);
    EXPECT_EQ(search.CountNodes() > 1, carried > 1);
    result = *RunSearch(&search, Visits(400), &evaluator);
    EXPECT_EQ(result.tree_visits, carried + 400);
    int64_t new_visits = 0;
    for (const MoveResult& move : result.moves) new_visits += move.new_visits;
    EXPECT_EQ(new_visits, 400);
  }
  EXPECT_FALSE(search.Advance(Move::Board(0, 0, false)).ok());
}

INSTANTIATE_TEST_SUITE_P(Policies, PolicyTest,
                         ::testing::Values(RootPolicy::kPuct, RootPolicy::kGumbel));

// --- Repetition ---

struct RepetitionCase {
  const char* variant;
  // The first player is a Rook ahead. The cycle begins with the second player's move.
  const char* fen;
  const char* cycle[4];
  int occurrences;  // that end the game
};

constexpr RepetitionCase kRepetitions[] = {
    {"xiangqi", "3k5/9/9/9/9/9/9/9/R8/4K4 b 0 1", {"d10d9", "a2a1", "d9d10", "a1a2"}, 3},
    {"switchback", "4k4/9/9/9/9/9/9/9/R8/7K1 b 0 1", {"e10e9", "a2a1", "e9e10", "a1a2"}, 3},
    {"shoxiang-sh-standard",
     "4k4/9/9/9/9/9/9/9/9/9/R8/8K[] b 0 1",
     {"e12e11", "a2a1", "e11e12", "a1a2"},
     3},
    {"shoxiang-xq-weak",
     "3k5/9/9/9/9/9/9/9/9/9/R8/5K3[] b 0 1",
     {"d12d11", "a2a1", "d11d12", "a1a2"},
     3},
    {"shogi", "4k4/9/9/9/9/9/9/R8/8K[] b 0 1", {"e9e8", "a2a1", "e8e9", "a1a2"}, 4},
};

std::string Cycles(const RepetitionCase& c, int plies) {
  std::string moves;
  for (int i = 0; i < plies; ++i) moves += std::string(c.cycle[i % 4]) + " ";
  return moves;
}

class RepetitionTest : public ::testing::TestWithParam<RepetitionCase> {};

TEST_P(RepetitionTest, TheWinnerAvoidsIt) {
  FunctionEvaluator evaluator = PieceCounter();
  const int plies = 4 * (GetParam().occurrences - 1) - 1;  // the next ends the game
  const Game game(GetParam().variant, GetParam().fen, Cycles(GetParam(), plies));
  ASSERT_EQ(game.position.side_to_move(), Side::kFirst);
  const Move drawing = game.Parse(GetParam().cycle[3]);
  for (const SearchOptions& options : {SearchOptions(), Gumbel()}) {
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
  for (const SearchOptions& options : {SearchOptions(), Gumbel()}) {
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

// The first player gives check with every move; going on to the last occurrence loses.
constexpr RepetitionCase kPerpetualChecks[] = {
    {"xiangqi", "3k5/R8/9/9/9/9/9/9/9/5K3 w 0 1", {"a9a10", "d10d9", "a10a9", "d9d10"}, 3},
    {"switchback", "4k4/9/9/p8/9/9/3R2P1P/9/9/7K1 w 0 1", {"d4e4", "e10d10", "e4d4", "d10e10"}, 3},
    {"shogi", "9/9/9/9/4k4/R8/9/9/8K[] w 0 1", {"a4a5", "e5e4", "a5a4", "e4e5"}, 4},
};

class PerpetualCheckTest : public ::testing::TestWithParam<RepetitionCase> {};

TEST_P(PerpetualCheckTest, IsAvoidedByTheCheckerAndTakenByTheOther) {
  FunctionEvaluator evaluator = PieceCounter();
  const int plies = 4 * (GetParam().occurrences - 1);  // that end the game
  // The checker's last move before that.
  const Game checker(GetParam().variant, GetParam().fen, Cycles(GetParam(), plies - 2));
  const Move check = checker.Parse(GetParam().cycle[2]);
  const SearchResult result = SearchGame(checker, {}, 3000, &evaluator);
  EXPECT_NE(result.best, check);
  EXPECT_EQ(ResultOf(result, check).proof.result, Result::kLoss);
  EXPECT_TRUE(ResultOf(result, check).proof.depends_on_path);
  EXPECT_EQ(ResultOf(result, check).proof.distance, 2);
  // The same position without the game before it.
  const Game fresh(GetParam().variant, FormatFen(checker.position));
  const SearchResult free = SearchGame(fresh, {}, 3000, &evaluator);
  EXPECT_NE(ResultOf(free, check).proof.result, Result::kLoss);

  const Game other(GetParam().variant, GetParam().fen, Cycles(GetParam(), plies - 1));
  const SearchResult taken = SearchGame(other, {}, 3000, &evaluator);
  EXPECT_EQ(taken.best, other.Parse(GetParam().cycle[3]));
  EXPECT_EQ(taken.proof.result, Result::kWin);
  EXPECT_EQ(taken.proof.distance, 1);
  EXPECT_TRUE(taken.proof.depends_on_path);
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

// --- Options ---

TEST(SearchTest, PositionsAtThePlyLimitAreEvaluated) {
  FunctionEvaluator evaluator([](const EvaluationRequest& request, Evaluation* out) {
    *out = ArbitraryEvaluation(request);
  });
  SearchOptions options;
  options.max_plies = 3;
  const Game game("xiangqi", "", "b1c3 b10c8");
  const SearchResult result = SearchGame(game, options, 2000, &evaluator);
  for (const MoveResult& move : result.moves) {
    EXPECT_EQ(move.pv.size(), 1u);
    if (move.visits == 0) continue;
    // Every visit brings the child's own evaluation.
    Position after = game.position;
    after.Do(move.move);
    std::vector<Move> moves;
    GenerateLegalMoves(after, &moves);
    const History history(after);
    const Evaluation child = ArbitraryEvaluation({&after, &history, moves});
    EXPECT_NEAR(move.wdl.win, child.wdl.loss, 1e-4);
  }
  EXPECT_LE(result.evaluations, static_cast<int64_t>(result.moves.size()) + 1);
}

TEST(SearchTest, DrawScoreIsTheRootMovers) {
  FunctionEvaluator evaluator([](const EvaluationRequest& request, Evaluation* out) {
    *out = ValueOnly(request, {0.2F, 0.5F, 0.3F});
  });
  SearchOptions options;
  options.draw_score = 0.8F;
  const SearchResult result = SearchGame(Game("switchback", ""), options, 200, &evaluator);
  for (const MoveResult& move : result.moves) {
    if (move.visits == 0) continue;
    EXPECT_NEAR(move.score, move.wdl.win + 0.8F * move.wdl.draw, 1e-4);
  }
  // And after the root has moved on, of the new one's.
  Search search(options, StartPosition(RulesOf("switchback")));
  const SearchResult before = *RunSearch(&search, Visits(500), &evaluator);
  ASSERT_TRUE(search.Advance(before.best).ok());
  const SearchResult after = *RunSearch(&search, Visits(0), &evaluator);
  for (const MoveResult& move : after.moves) {
    if (move.visits == 0) continue;
    EXPECT_NEAR(move.score, move.wdl.win + 0.8F * move.wdl.draw, 1e-4);
  }
}

TEST(SearchTest, ForcedPlayoutsAreTakenOutOfTheTarget) {
  // Moves that lose a Rook and are sure to be forced because the prior likes them.
  FunctionEvaluator evaluator(
      [](const EvaluationRequest& request, Evaluation* out) { *out = CountPieces(request); });
  SearchOptions options;
  options.puct.noise_share = 0.25F;
  options.puct.forced_playouts = 2;
  const Game game("xiangqi", "");
  const SearchResult forced = SearchGame(game, options, 2000, &evaluator);
  int pruned = 0;
  for (const MoveResult& move : forced.moves) {
    const double share = static_cast<double>(move.visits) / 2000;
    pruned += static_cast<double>(move.target) < share - 1e-6 ? 1 : 0;
    EXPECT_GE(move.target, 0);
  }
  EXPECT_GT(pruned, 0);
  EXPECT_GE(forced.moves[0].target, static_cast<float>(forced.moves[0].visits) / 2000);
}

TEST(SearchTest, LowerBoundFallsWithDeviationsAndRisesWithVisits) {
  const Wdl wdl = {0.5F, 0.2F, 0.3F};
  EXPECT_NEAR(LowerBound(wdl, 100, 0.5F, 0), 0.6, 1e-6);
  // Variance 0.5 + 0.2 / 4 - 0.36 = 0.19.
  EXPECT_NEAR(LowerBound(wdl, 100, 0.5F, 2), 0.6 - 2 * std::sqrt(0.19) / 10, 1e-5);
  EXPECT_LT(LowerBound(wdl, 10, 0.5F, 2), LowerBound(wdl, 100, 0.5F, 2));
  EXPECT_EQ(LowerBound({0, 1, 0}, 5, 0.5F, 3), 0.5F);
}

TEST(SearchTest, OptionsAreValidated) {
  const auto invalid = [](auto change) {
    SearchOptions options;
    change(&options);
    return !Validate(options).ok();
  };
  EXPECT_TRUE(Validate(SearchOptions()).ok());
  EXPECT_TRUE(invalid([](SearchOptions* o) { o->draw_score = 1.5F; }));
  EXPECT_TRUE(invalid([](SearchOptions* o) { o->tree_bytes = 1000; }));
  EXPECT_TRUE(invalid([](SearchOptions* o) { o->gumbel.sampled_moves = 0; }));
  EXPECT_TRUE(invalid([](SearchOptions* o) { o->puct.noise_share = -1; }));
  EXPECT_TRUE(invalid([](SearchOptions* o) {
    o->root_policy = RootPolicy::kGumbel;
    o->puct.forced_playouts = 2;
  }));
  EXPECT_FALSE(Validate(SearchLimits(), Gumbel()).ok()) << "Gumbel needs a number of visits";
  EXPECT_TRUE(Validate(SearchLimits(), SearchOptions()).ok());
}

// --- Stop rules ---

TEST(StopTest, NodesAndTime) {
  UniformEvaluator evaluator;
  Search search({}, StartPosition(RulesOf("switchback")));
  SearchLimits limits;
  limits.nodes = 300;
  const SearchResult nodes = *RunSearch(&search, limits, &evaluator);
  EXPECT_EQ(nodes.evaluations, 300);
  EXPECT_EQ(nodes.stopped, StopReason::kNodes);
  SearchLimits time;
  time.time = absl::Milliseconds(30);
  EXPECT_EQ(RunSearch(&search, time, &evaluator)->stopped, StopReason::kTime);
}

// A move that is far better ends the search early, with the move that all visits would have given.
TEST(StopTest, ClearBest) {
  FunctionEvaluator evaluator([](const EvaluationRequest& request, Evaluation* out) {
    *out = CountPieces(request);
    out->log_priors.assign(request.moves.size(), -20.0F);
    out->log_priors[3] = 0;
  });
  const Game game("xiangqi", "");
  Search search({}, game.start);
  SearchLimits limits = Visits(2000);
  limits.stop_when_clear = true;
  const SearchResult early = *RunSearch(&search, limits, &evaluator);
  EXPECT_EQ(early.stopped, StopReason::kClearBest);
  EXPECT_LT(early.visits, 1500);
  EXPECT_EQ(early.best, SearchGame(game, {}, 2000, &evaluator).best);
}

TEST(StopTest, KlGain) {
  UniformEvaluator evaluator;
  Search search({}, StartPosition(RulesOf("switchback")));
  SearchLimits limits = Visits(1'000'000);
  limits.min_kl_gain = 1e-5;
  const SearchResult early = *RunSearch(&search, limits, &evaluator);
  EXPECT_EQ(early.stopped, StopReason::kKlGain);
  limits.min_kl_gain = 1e-6;
  const SearchResult later = *RunSearch(&search, limits, &evaluator);
  EXPECT_GT(later.visits, early.visits);
}

TEST(StopTest, ALoneMoveIsClear) {
  const Game game("xiangqi", "3k5/9/9/9/9/9/9/9/r8/4K4 w 0 1", "");
  std::vector<Move> moves;
  GenerateLegalMoves(game.position, &moves);
  for (const SearchOptions& options : {SearchOptions(), Gumbel()}) {
    const SearchResult result = SearchGame(game, options, 50);
    EXPECT_EQ(result.moves.size(), moves.size());
    EXPECT_TRUE(result.visits == 50 || result.stopped == StopReason::kProven);
  }
}

// --- Memory ---

TEST(MemoryTest, StaysWithinItsBytes) {
  FunctionEvaluator evaluator([](const EvaluationRequest& request, Evaluation* out) {
    *out = ArbitraryEvaluation(request);
  });
  for (const char* variant : {"switchback", "shoxiang-sh-standard"}) {
    SearchOptions options;
    options.tree_bytes = size_t{1} << 20;
    Search search(options, StartPosition(RulesOf(variant)));
    search.Begin(Visits(60'000));
    Leaf* const leaf = search.NewLeaf();
    Evaluation evaluation;
    size_t most = 0;
    while (search.NextLeaf(leaf) == Next::kLeaf) {
      const EvaluationRequest request = leaf->request();
      CR_CHECK_OK(evaluator.Evaluate({&request, 1}, {&evaluation, 1}));
      search.Deliver(leaf, evaluation);
      most = std::max(most, search.tree_bytes());
    }
    EXPECT_LE(search.bytes(), options.tree_bytes);
    EXPECT_LE(most, options.tree_bytes);
    EXPECT_GT(most, options.tree_bytes / 2) << "the test did not fill the tree";
    const SearchResult result = search.Result();
    EXPECT_EQ(result.visits, 60'000);
    int64_t visits = 0;
    for (const MoveResult& move : result.moves) visits += move.visits;
    EXPECT_EQ(visits, 60'000);
    EXPECT_GT(result.moves[0].pv.size(), 1u);
    // A tree that was pruned can be moved on in and searched further.
    ASSERT_TRUE(search.Advance(result.best).ok());
    EXPECT_EQ(RunSearch(&search, Visits(1000), &evaluator)->visits, 1000);
  }
}

// --- Evaluators ---

TEST(RolloutEvaluatorTest, EqualPositionsHaveEqualValues) {
  const Game game("minishogi", "");
  std::vector<Move> moves;
  GenerateLegalMoves(game.position, &moves);
  const EvaluationRequest request = {&game.position, &game.history, moves};
  RolloutEvaluator evaluator({.games = 20, .max_plies = 300, .seed = 3});
  Evaluation first;
  Evaluation second;
  ASSERT_TRUE(evaluator.Evaluate({&request, 1}, {&first, 1}).ok());
  ASSERT_TRUE(evaluator.Evaluate({&request, 1}, {&second, 1}).ok());
  EXPECT_EQ(first.wdl, second.wdl);
  EXPECT_NEAR(first.wdl.win + first.wdl.draw + first.wdl.loss, 1, 1e-5);
  EXPECT_GT(first.wdl.win, 0);
  EXPECT_GT(first.wdl.loss, 0);
  EXPECT_NE(evaluator.id(), RolloutEvaluator({.games = 20, .max_plies = 300, .seed = 4}).id());
}

// The value is the mover's: a Rook up wins most random games, for either side to move.
TEST(RolloutEvaluatorTest, SeesWhoIsAhead) {
  for (const char* side : {"w", "b"}) {
    const Game game("minishogi", std::string("3gk/4p/5/1R3/KGSB1[GS] ") + side + " 0 1");
    std::vector<Move> moves;
    GenerateLegalMoves(game.position, &moves);
    const EvaluationRequest request = {&game.position, &game.history, moves};
    RolloutEvaluator evaluator({.games = 100, .max_plies = 500, .seed = 1});
    Evaluation result;
    ASSERT_TRUE(evaluator.Evaluate({&request, 1}, {&result, 1}).ok());
    EXPECT_EQ(result.wdl.win > result.wdl.loss, *side == 'w');
  }
}

}  // namespace
}  // namespace crossriver
