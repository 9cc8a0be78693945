// Players that search, play the likeliest move, or any.
#include "selfplay/players/search_player.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/movegen.h"
#include "core/notation.h"
#include "mcts/search.h"
#include "selfplay/players/random_player.h"
#include "tests/mcts/search_helpers.h"
#include "tests/selfplay/players/seat_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::ArbitraryEvaluation;
using testing::ChooseIn;
using testing::FunctionEvaluator;
using testing::Game;
using testing::OpenFromText;
using testing::PlayPlayers;
using testing::PlaySeats;
using testing::RulesOf;
using testing::SeatGame;
using testing::SharedRulesOf;

SearchPlayerOptions Quick(int64_t visits = 24) {
  SearchPlayerOptions options;
  options.search.tree_bytes = size_t{1} << 20;
  options.limits.visits = visits;
  return options;
}

std::unique_ptr<SearchPlayer> MakePlayer(const std::string& variant,
                                         const SearchPlayerOptions& options,
                                         FunctionEvaluator::Function function) {
  return std::make_unique<SearchPlayer>(
      "test", SharedRulesOf(variant),
      ChosenEvaluator{std::make_unique<FunctionEvaluator>(std::move(function)), true, 3}, options);
}

std::unique_ptr<SearchPlayer> Arbitrary(const SearchPlayerOptions& options) {
  return MakePlayer("minishogi", options, [](const EvaluationRequest& request, Evaluation* result) {
    *result = ArbitraryEvaluation(request);
  });
}

TEST(SearchPlayerTest, PlaysWhatTheSearchFinds) {
  const Game game("minishogi", FormatFen(StartPosition(RulesOf("minishogi"))), "a2a3");
  for (const RootPolicy policy : {RootPolicy::kPuct, RootPolicy::kGumbel}) {
    SearchPlayerOptions options = Quick();
    options.search.root_policy = policy;
    const auto player = Arbitrary(options);
    EXPECT_EQ(player->batch(), 3);
    const auto seat = player->NewSeat();
    ASSERT_TRUE(seat->NewGame(5).ok());
    const absl::StatusOr<Choice> choice = ChooseIn(game, player.get(), seat.get());
    ASSERT_TRUE(choice.ok());
    FunctionEvaluator evaluator([](const EvaluationRequest& request, Evaluation* result) {
      *result = ArbitraryEvaluation(request);
    });
    SearchOptions search = options.search;
    search.gumbel.noise = false;
    const SearchResult expected = testing::SearchGame(game, search, 24, &evaluator);
    EXPECT_EQ(choice->move, expected.best);
    EXPECT_EQ(choice->visits, 24);
    EXPECT_EQ(choice->wdl, expected.wdl);
  }
}

// Games between the same players with the same seeds, whatever was played before.
TEST(SearchPlayerTest, GamesFollowFromTheSeed) {
  const Rules& rules = RulesOf("minishogi");
  for (const bool gumbel : {false, true}) {
    SearchPlayerOptions options = Quick();
    options.search.root_policy = gumbel ? RootPolicy::kGumbel : RootPolicy::kPuct;
    options.temperature = 1;
    options.temperature_plies = 10;
    const auto player = Arbitrary(options);
    const SeatGame once = PlayPlayers(rules, player.get(), player.get(), 1, 60);
    const auto a = player->NewSeat();
    const auto b = player->NewSeat();
    const auto again = [&](uint64_t seed, int plies) {
      return PlaySeats(rules, player.get(), a.get(), player.get(), b.get(), seed, plies).moves;
    };
    EXPECT_NE(again(2, 60), once.moves);
    // A game that breaks off leaves a tree that the next one could go on from.
    again(1, 3);
    EXPECT_EQ(again(1, 60), once.moves);
  }
}

TEST(SearchPlayerTest, TemperatureIsForTheFirstPlies) {
  const Rules& rules = RulesOf("minishogi");
  const std::string start = FormatFen(StartPosition(rules));
  SearchPlayerOptions options = Quick();
  options.reuse = false;
  const auto cold = Arbitrary(options);
  options.temperature = 2;
  options.temperature_plies = 2;
  const auto hot = Arbitrary(options);
  std::set<Move> first_moves, cold_moves;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<Move> moves = PlayPlayers(rules, hot.get(), cold.get(), seed, 3).moves;
    first_moves.insert(moves[0]);
    // The third ply is what a player without temperature plays there.
    const Game game("minishogi", start,
                    FormatMove(rules, moves[0]) + " " + FormatMove(rules, moves[1]));
    const auto seat = cold->NewSeat();
    ASSERT_TRUE(seat->NewGame(seed).ok());
    EXPECT_EQ(ChooseIn(game, cold.get(), seat.get())->move, moves[2]);
    cold_moves.insert(PlayPlayers(rules, cold.get(), hot.get(), seed, 1).moves[0]);
  }
  EXPECT_GT(first_moves.size(), 1U);
  EXPECT_EQ(cold_moves.size(), 1U);
}

// The likeliest move with a single evaluation, and the value it came with.
TEST(SearchPlayerTest, RawPolicyPlaysTheLikeliestMove) {
  SearchPlayerOptions options;
  options.raw_policy = true;
  std::atomic<int> calls = 0;
  const auto player =
      MakePlayer("minishogi", options, [&](const EvaluationRequest& request, Evaluation* result) {
        ++calls;
        result->wdl = {0.5F, 0.3F, 0.2F};
        result->log_priors.assign(request.moves.size(), std::log(0.1F));
        result->log_priors[2] = std::log(0.5F);
      });
  const Game game("minishogi", FormatFen(StartPosition(RulesOf("minishogi"))));
  std::vector<Move> legal;
  GenerateLegalMoves(game.position, &legal);
  const auto seat = player->NewSeat();
  ASSERT_TRUE(seat->NewGame(1).ok());
  const absl::StatusOr<Choice> choice = ChooseIn(game, player.get(), seat.get());
  ASSERT_TRUE(choice.ok());
  EXPECT_EQ(choice->move, legal[2]);
  EXPECT_EQ(choice->wdl, (Wdl{0.5F, 0.3F, 0.2F}));
  EXPECT_EQ(calls, 1);
}

TEST(SearchPlayerTest, AForcedMoveIsEvaluatedOnce) {
  // The king has one square to go to.
  const Game game("minishogi", "4k/5/5/1r3/K3r[] w 0 1");
  std::vector<Move> legal;
  GenerateLegalMoves(game.position, &legal);
  ASSERT_EQ(legal.size(), 1U);
  std::atomic<int> calls = 0;
  const auto player =
      MakePlayer("minishogi", Quick(), [&](const EvaluationRequest& request, Evaluation* result) {
        ++calls;
        *result = ArbitraryEvaluation(request);
      });
  const auto seat = player->NewSeat();
  ASSERT_TRUE(seat->NewGame(1).ok());
  const absl::StatusOr<Choice> choice = ChooseIn(game, player.get(), seat.get());
  ASSERT_TRUE(choice.ok());
  EXPECT_EQ(choice->move, legal[0]);
  EXPECT_TRUE(choice->wdl.has_value());
  EXPECT_EQ(calls, 1);
}

TEST(SearchPlayerTest, ReuseSavesEvaluations) {
  const Rules& rules = RulesOf("minishogi");
  const auto evaluations = [&](bool reuse) {
    SearchPlayerOptions options = Quick(64);
    options.reuse = reuse;
    const auto player = Arbitrary(options);
    RandomPlayer random("random");
    return PlayPlayers(rules, player.get(), &random, 3, 12).evaluations;
  };
  // Where a move wins at once nothing is evaluated.
  EXPECT_LE(evaluations(false), 6 * 65);
  EXPECT_LT(evaluations(true), evaluations(false));
}

TEST(SearchPlayerTest, TurnsCanBeCancelled) {
  for (const bool raw : {false, true}) {
    SearchPlayerOptions options = Quick();
    options.raw_policy = raw;
    const auto player = Arbitrary(options);
    const auto seat = player->NewSeat();
    const Game game("minishogi", FormatFen(StartPosition(RulesOf("minishogi"))));
    std::vector<Move> legal;
    GenerateLegalMoves(game.position, &legal);
    const Turn turn = {&game.start, game.moves, &game.position, &game.history, legal};
    ASSERT_TRUE(seat->NewGame(1).ok());
    ASSERT_TRUE(seat->Begin(turn).ok());
    ASSERT_EQ(*seat->Advance(), SeatState::kAsking);
    seat->Cancel();
    EXPECT_TRUE(ChooseIn(game, player.get(), seat.get()).ok());
    // A new game, and the end of the seat, in the middle of a turn.
    ASSERT_TRUE(seat->Begin(turn).ok());
    ASSERT_EQ(*seat->Advance(), SeatState::kAsking);
    ASSERT_TRUE(seat->NewGame(1).ok());
    ASSERT_TRUE(seat->Begin(turn).ok());
    ASSERT_EQ(*seat->Advance(), SeatState::kAsking);
  }
}

// An evaluator of one thread is never called by two.
TEST(SearchPlayerTest, OneThreadAtATimeWhereItMustBe) {
  std::atomic<int> inside = 0;
  std::atomic<bool> together = false;
  ChosenEvaluator chosen = {std::make_unique<FunctionEvaluator>(
                                [&](const EvaluationRequest& request, Evaluation* result) {
                                  if (++inside > 1) together = true;
                                  *result = ArbitraryEvaluation(request);
                                  --inside;
                                }),
                            /*is_thread_safe=*/false, 1, /*identity=*/29};
  SearchPlayer player("test", SharedRulesOf("minishogi"), std::move(chosen), Quick());
  std::vector<std::thread> threads;
  std::vector<std::vector<Move>> games(2);
  for (auto& game : games) {
    threads.emplace_back(
        [&] { game = PlayPlayers(RulesOf("minishogi"), &player, &player, 1, 20).moves; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(together);
  EXPECT_EQ(games[0], games[1]);
  EXPECT_EQ(player.identity(), 29U);
}

TEST(SearchPlayerTest, BadOptionsAreNamed) {
  SearchPlayerOptions options = Quick();
  options.search.draw_score = 2;
  EXPECT_FALSE(Validate(options).ok());
  options = Quick();
  options.temperature = -1;
  EXPECT_FALSE(Validate(options).ok());
  options = Quick();
  options.search.root_policy = RootPolicy::kGumbel;
  options.limits.visits = kNoLimit;
  EXPECT_FALSE(Validate(options).ok());
}

// Short games of every kind that needs nothing, in variants of each family.
TEST(SearchPlayerTest, BaselinesPlay) {
  for (const std::string variant : {"switchback", "shoxiang-xq-standard", "xiangqi", "minishogi"}) {
    const Rules& rules = RulesOf(variant);
    const auto random = OpenFromText("random", variant);
    ASSERT_TRUE(random.ok()) << random.status();
    for (const char* const spec :
         {"random", "mcts:8?rollouts=1", "uniform:16", "uniform:16?policy=gumbel&sampled_moves=4",
          "uniform:8?nodes=4&tree_mb=1"}) {
      const auto player = OpenFromText(spec, variant);
      ASSERT_TRUE(player.ok()) << player.status();
      EXPECT_EQ((*player)->name(), spec);
      const SeatGame game = PlayPlayers(rules, player->get(), random->get(), 4, 6);
      EXPECT_TRUE(game.status.ok()) << game.status;
      EXPECT_EQ(game.moves.size(), 6U);
    }
  }
}

TEST(RandomPlayerTest, MovesFollowFromTheSeed) {
  const Rules& rules = RulesOf("switchback");
  RandomPlayer player("random");
  EXPECT_EQ(player.evaluator(), nullptr);
  const auto moves = [&](uint64_t seed) {
    return PlayPlayers(rules, &player, &player, seed, 40).moves;
  };
  EXPECT_EQ(moves(1), moves(1));
  EXPECT_NE(moves(1), moves(2));
  std::set<Move> first;
  for (uint64_t seed = 0; seed < 200; ++seed) first.insert(moves(seed).front());
  std::vector<Move> legal;
  GenerateLegalMoves(StartPosition(rules), &legal);
  EXPECT_GT(first.size(), legal.size() * 9 / 10);
}

}  // namespace
}  // namespace crossriver
