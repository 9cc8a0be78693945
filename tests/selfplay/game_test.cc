// Single games: records that replay, ends, limits, resignation.
#include "selfplay/game.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/variant_loader.h"
#include "tests/mcts/search_helpers.h"
#include "tests/selfplay/selfplay_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::ArbitraryByCheckpoint;
using testing::CheckRecord;
using testing::FromArray;
using testing::PlayGame;
using testing::QuickOptions;
using testing::RulesOf;
using testing::SecondLoses;

class GameTest : public ::testing::TestWithParam<std::string> {};

// One machine for all games, each compared with the same game on a new machine.
TEST_P(GameTest, RecordsReplayAndDoNotDependOnEarlierGames) {
  const Rules& rules = RulesOf(GetParam());
  for (const RootPolicy policy : {RootPolicy::kGumbel, RootPolicy::kPuct}) {
    const SelfPlayOptions options = QuickOptions(policy);
    const StartMaker starts(&rules, options, nullptr);
    SelfPlayGame game(&starts, &options);
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      const GameRecord record = PlayGame(&game, {seed, seed, 0}, ArbitraryByCheckpoint);
      CheckRecord(rules, options, record);
      EXPECT_EQ(record.seed, seed);
      EXPECT_TRUE(record == PlayGame(rules, options, seed));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, GameTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

// Long games of a small board come to their ends by the rules.
TEST(SelfPlayGameTest, EndsByTheRules) {
  const Rules& rules = RulesOf("minishogi");
  SelfPlayOptions options = FromArray();
  options.max_plies = 0;
  options.resign_threshold = 0;
  std::map<Reason, int> reasons;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const GameRecord record = PlayGame(rules, options, seed);
    CheckRecord(rules, options, record);
    EXPECT_FALSE(record.truncated);
    EXPECT_NE(record.result, Result::kNone);
    ++reasons[record.reason];
  }
  EXPECT_GE(reasons[Reason::kCheckmate], 20);
}

TEST(SelfPlayGameTest, CutGamesHaveNoResult) {
  const Rules& rules = RulesOf("xiangqi");
  SelfPlayOptions options = FromArray();
  options.resign_threshold = 0;
  options.no_progress_plies = 8;
  options.no_progress_games = 5;
  int by_progress = 0;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const GameRecord record = PlayGame(rules, options, seed);
    CheckRecord(rules, options, record);
    EXPECT_EQ(record.no_progress_limit > 0, seed < 5);
    EXPECT_EQ(record.max_plies, 40);
    if (record.truncated) {
      EXPECT_EQ(record.result, Result::kNone);
      EXPECT_EQ(record.reason, Reason::kNone);
      if (record.moves.size() < 40) ++by_progress;
      if (seed >= 5) {
        EXPECT_EQ(record.moves.size(), 40U);
      }
    }
  }
  EXPECT_GE(by_progress, 2);
}

TEST(SelfPlayGameTest, ALosingSideResigns) {
  const Rules& rules = RulesOf("switchback");
  SelfPlayOptions options = FromArray();
  options.resign_played_out = 0;
  options.resign_moves = 3;
  options.resign_min_ply = 12;
  options.max_plies = 100;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const GameRecord record = PlayGame(rules, options, seed, SecondLoses);
    CheckRecord(rules, options, record);
    if (!record.resigned) continue;       // ended by the rules before
    EXPECT_EQ(record.moves.size(), 13U);  // the second player's first turn from ply 12 on
    EXPECT_EQ(record.result, Result::kWin);
    EXPECT_FALSE(record.truncated);
    EXPECT_FALSE(record.resign_ply.has_value());
  }
}

TEST(SelfPlayGameTest, GamesPlayedOutSayWhereTheyWouldHaveEnded) {
  const Rules& rules = RulesOf("switchback");
  SelfPlayOptions options = FromArray();
  options.resign_played_out = 0.4;
  options.resign_moves = 3;
  options.resign_min_ply = 12;
  options.max_plies = 30;
  int resigned = 0;
  int played_out = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const GameRecord record = PlayGame(rules, options, seed, SecondLoses);
    CheckRecord(rules, options, record);
    resigned += record.resigned ? 1 : 0;
    if (!record.resign_ply.has_value()) continue;
    ++played_out;
    EXPECT_FALSE(record.resigned);
    EXPECT_EQ(record.resign_ply, 13);
    EXPECT_GT(record.moves.size(), 13U);
  }
  EXPECT_GE(resigned + played_out, 90);
  EXPECT_NEAR(played_out, 40, 17);
}

// A row of low scores is one side's own, and is broken by a better one.
TEST(SelfPlayGameTest, OneBetterScoreBreaksTheRow) {
  const Rules& rules = RulesOf("switchback");
  SelfPlayOptions options = FromArray();
  options.resign_played_out = 0;
  options.resign_moves = 4;
  options.resign_min_ply = 0;
  options.max_plies = 30;
  const GameRecord record =
      PlayGame(rules, options, 3, [](int64_t, const EvaluationRequest& request) {
        const bool hopeful = request.history->plies() % 6 <= 1;
        return testing::ValueOnly(request, hopeful ? Wdl{0.98F, 0, 0.02F} : Wdl{0.01F, 0, 0.99F});
      });
  EXPECT_FALSE(record.resigned);
}

TEST(FalseResignationTest, IsOneOfASideThatDidNotLose) {
  GameRecord record;
  record.start_fen = "4k4/9 w 0 1";
  record.result = Result::kWin;
  EXPECT_FALSE(FalseResignation(record).has_value());
  record.resign_ply = 20;  // the first player
  EXPECT_EQ(FalseResignation(record), true);
  record.resign_ply = 21;
  EXPECT_EQ(FalseResignation(record), false);
  record.start_fen = "4k4/9 b 0 1";
  EXPECT_EQ(FalseResignation(record), true);
  record.result = Result::kDraw;
  EXPECT_EQ(FalseResignation(record), true);
  record.result = Result::kLoss;
  EXPECT_EQ(FalseResignation(record), false);
  record.result = Result::kNone;
  EXPECT_FALSE(FalseResignation(record).has_value());
}

// A machine may be left at any point, and begins another game all the same.
TEST(SelfPlayGameTest, AGameMayBeAbandoned) {
  const Rules& rules = RulesOf("switchback");
  const SelfPlayOptions options = QuickOptions();
  const StartMaker starts(&rules, options, nullptr);
  const GameRecord expected = PlayGame(rules, options, 5);
  for (const int evaluations : {0, 1, 7, 50}) {
    SelfPlayGame game(&starts, &options);
    game.Begin({1, 1, 0});
    for (int i = 0; i < evaluations; ++i) {
      if (game.state() == SelfPlayGame::State::kBetweenMoves) game.BeginMove(0);
      if (game.state() == SelfPlayGame::State::kOver) break;
      game.Deliver(ArbitraryByCheckpoint(0, game.request()));
    }
    EXPECT_TRUE(PlayGame(&game, {5, 5, 0}, ArbitraryByCheckpoint) == expected);
    game.Begin({2, 2, 0});
    if (game.state() == SelfPlayGame::State::kBetweenMoves) game.BeginMove(0);
  }
}

// Trees that outgrow their memory forget, and forget the same in any game's wake.
TEST(SelfPlayGameTest, FullTreesDoNotDependOnEarlierGames) {
  const Rules& rules = RulesOf("shoxiang-sh-standard");
  SelfPlayOptions options = FromArray(QuickOptions(RootPolicy::kPuct));
  options.full_share = 1;
  options.full_visits = 2500;  // some 450 bytes each
  options.max_plies = 2;
  const StartMaker starts(&rules, options, nullptr);
  SelfPlayGame game(&starts, &options);
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const GameRecord record = PlayGame(&game, {seed, seed, 0}, ArbitraryByCheckpoint);
    EXPECT_TRUE(record == PlayGame(rules, options, seed));
  }
}

}  // namespace
}  // namespace crossriver
