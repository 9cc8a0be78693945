// The search as a whole: signs, equal results, reuse, options, stop rules, memory.
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
using testing::CountPieces;
using testing::FunctionEvaluator;
using testing::Game;
using testing::GumbelSearch;
using testing::ResultOf;
using testing::RulesOf;
using testing::SearchGame;
using testing::ValueOnly;
using testing::Visits;

FunctionEvaluator Arbitrary() {
  return FunctionEvaluator([](const EvaluationRequest& request, Evaluation* out) {
    *out = ArbitraryEvaluation(request);
  });
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
  FunctionEvaluator evaluator = Arbitrary();
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
  FunctionEvaluator evaluator = Arbitrary();
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
  FunctionEvaluator evaluator = Arbitrary();
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
  FunctionEvaluator evaluator = Arbitrary();
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

// A search that was told something else before is like a new one with the new options.
TEST_P(PolicyTest, OptionsMayChangeBetweenSearches) {
  FunctionEvaluator evaluator = Arbitrary();
  const Game game("switchback", "");
  SearchOptions options = Options();
  Search search(options, game.start);
  ASSERT_TRUE(RunSearch(&search, Visits(40), &evaluator).ok());
  options.seed = 77;
  options.draw_score = 0.3F;
  options.gumbel.noise = false;
  if (GetParam() == RootPolicy::kPuct) options.puct.noise_share = 0.5F;
  search.SetOptions(options);
  search.Forget();
  const SearchResult result = *RunSearch(&search, Visits(60), &evaluator);
  Search fresh(options, game.start);
  const SearchResult expected = *RunSearch(&fresh, Visits(60), &evaluator);
  ASSERT_EQ(result.moves.size(), expected.moves.size());
  for (size_t i = 0; i < result.moves.size(); ++i) {
    EXPECT_EQ(result.moves[i].move, expected.moves[i].move);
    EXPECT_EQ(result.moves[i].visits, expected.moves[i].visits);
    EXPECT_EQ(result.moves[i].target, expected.moves[i].target);
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, PolicyTest,
                         ::testing::Values(RootPolicy::kPuct, RootPolicy::kGumbel));

// --- Options ---

TEST(SearchTest, PositionsAtThePlyLimitAreEvaluated) {
  FunctionEvaluator evaluator = Arbitrary();
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
  EXPECT_FALSE(Validate(SearchLimits(), GumbelSearch()).ok()) << "Gumbel needs a number of visits";
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
  for (const SearchOptions& options : {SearchOptions(), GumbelSearch()}) {
    const SearchResult result = SearchGame(game, options, 50);
    EXPECT_EQ(result.moves.size(), moves.size());
    EXPECT_TRUE(result.visits == 50 || result.stopped == StopReason::kProven);
  }
}

// --- Memory ---

TEST(MemoryTest, StaysWithinItsBytes) {
  FunctionEvaluator evaluator = Arbitrary();
  for (const char* variant : {"switchback", "shoxiang-sh-standard"}) {
    SearchOptions options;
    options.tree_bytes = size_t{1} << 20;
    Search search(options, StartPosition(RulesOf(variant)));
    search.Begin(Visits(60'000));
    Leaf* const leaf = search.leaf(0);
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

// --- Many games ---

// A game of a search against itself: the moves, and the visits of each.
std::vector<int64_t> PlayGame(Search* search, const Position& start, uint64_t seed,
                              Evaluator* evaluator) {
  SearchOptions options;
  options.tree_bytes = kMinTreeBytes;
  options.puct.noise_share = 0.25F;
  options.seed = seed;
  search->SetOptions(options);
  CR_CHECK_OK(search->SetGame(start, {}));
  search->Forget();
  std::vector<int64_t> log;
  for (int ply = 0; ply < 40; ++ply) {
    const SearchResult result = *RunSearch(search, Visits(30), evaluator);
    if (result.best.is_null()) break;
    log.push_back(result.best.raw());
    for (const MoveResult& move : result.moves) log.push_back(move.visits);
    CR_CHECK_OK(search->Advance(result.best));
  }
  return log;
}

// One search plays many games, from several start positions: it takes no more memory in the end,
// and no game knows of those before it.
TEST(ManyGamesTest, OneSearchServesAll) {
  FunctionEvaluator evaluator = Arbitrary();
  const char* const variant = "minishogi";
  const Position starts[] = {Game(variant, "").position,
                             Game(variant, "3gk/4p/5/1R3/KGSB1[GS] w 0 1").position,
                             Game(variant, "3gk/4p/5/1R3/KGSB1[GS] b 0 1").position};
  SearchOptions options;
  options.tree_bytes = kMinTreeBytes;
  Search search(options, starts[0]);
  size_t bytes = 0;
  for (uint64_t game = 0; game < 50; ++game) {
    const Position& start = starts[game % 3];
    const std::vector<int64_t> log = PlayGame(&search, start, game, &evaluator);
    if (game % 5 == 4) {
      Search fresh(options, start);
      EXPECT_EQ(log, PlayGame(&fresh, start, game, &evaluator)) << game;
    }
    CR_CHECK_OK(search.SetGame(starts[0], {}));
    ASSERT_TRUE(RunSearch(&search, Visits(30), &evaluator).ok());
    if (game == 10) bytes = search.bytes();
    EXPECT_LE(search.bytes(), options.tree_bytes);
  }
  EXPECT_LE(search.bytes(), bytes + 1024) << "vectors grow to what the longest walk takes";
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
