// Whole matches: pairs and their openings, threads, batches, stops, resuming.
#include "selfplay/match_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "selfplay/match_bench.h"
#include "selfplay/match_score.h"
#include "tests/selfplay/match_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::AskingPlayer;
using testing::CountingEvaluator;
using testing::Encoded;
using testing::FunctionPlayer;
using testing::Opinionated;
using testing::Play;
using testing::PlayedMatch;
using testing::RandomMover;

MatchOptions Quick(int64_t pairs) {
  MatchOptions options;
  options.pairs = pairs;
  options.limits.max_plies = 40;
  return options;
}

// Gives up the first game that it is in after so many moves.
FunctionPlayer Loser() {
  return FunctionPlayer([](const Turn&, RandomStream*) -> absl::StatusOr<Choice> {
    return absl::UnavailableError("lost");
  });
}

TEST(MatchRunnerTest, SwappedPairsShareTheirOpening) {
  FunctionPlayer a = Opinionated({0, 1, 0}, 7), b = Opinionated({0, 1, 0}, 9);
  const PlayedMatch match = Play("switchback", &a, &b, Quick(10));
  ASSERT_TRUE(match.status.ok());
  ASSERT_EQ(match.games.size(), 20U);
  std::set<std::vector<uint16_t>> openings;
  for (size_t i = 0; i < match.games.size(); ++i) {
    const auto& [result, record] = match.games[i];
    EXPECT_EQ(result.pair, static_cast<int64_t>(i / 2));
    EXPECT_EQ(result.half, static_cast<int>(i % 2));
    ASSERT_EQ(result.opening_plies, 4);
    std::vector<uint16_t> opening;
    for (size_t ply = 0; ply < record.moves.size(); ++ply) {
      if (ply < 4) {
        opening.push_back(record.moves[ply].move.raw());
        EXPECT_EQ(record.moves[ply].visits, 0U);
      } else {
        // The first player moves at even plies: A in half 0, B in half 1.
        EXPECT_EQ(record.moves[ply].visits, (ply % 2 == 0) == (result.half == 0) ? 7U : 9U);
      }
    }
    EXPECT_EQ(openings.insert(opening).second, result.half == 0);
    EXPECT_EQ(record.start_fen, match.games[0].record.start_fen);
  }
  // What comes after the opening differs.
  EXPECT_NE(match.games[0].record.moves, match.games[1].record.moves);
  EXPECT_NE(match.games[0].record.seed, match.games[1].record.seed);
}

TEST(MatchRunnerTest, ThreadsAndPlacesChangeNothing) {
  CountingEvaluator one, other;
  AskingPlayer a(2, 4, &one), b(3, 4, &other);
  FunctionPlayer c = RandomMover();
  const auto play = [&](Player* second, int threads, int at_a_time) {
    MatchOptions options = Quick(12);
    options.threads = threads;
    options.games_at_a_time = at_a_time;
    const PlayedMatch match = Play("minishogi", &a, second, options);
    EXPECT_TRUE(match.status.ok());
    EXPECT_EQ(match.games.size(), 24U);
    return Encoded(match.games);
  };
  for (Player* second : std::vector<Player*>{&a, &b, &c}) {
    const std::vector<std::string> games = play(second, 1, 1);
    EXPECT_EQ(games, play(second, 1, 7));
    EXPECT_EQ(games, play(second, 4, 3));
    EXPECT_EQ(games, play(second, 3, 0));
  }
  MatchOptions options = Quick(12);
  options.seed = 2;
  EXPECT_NE(Encoded(Play("minishogi", &a, &b, options).games), play(&b, 1, 1));
}

// Each call has all games that wait for the player: half of them, as they take turns.
TEST(MatchRunnerTest, CallsAreFull) {
  CountingEvaluator one, other;
  AskingPlayer a(5, 8, &one), b(5, 8, &other), shared(5, 16, &one);
  EXPECT_EQ(DefaultGamesAtATime(&a, &b), 16);
  EXPECT_EQ(DefaultGamesAtATime(&a, &a), 8);
  EXPECT_EQ(DefaultGamesAtATime(&a, &shared), 16);
  FunctionPlayer random = RandomMover();
  EXPECT_EQ(DefaultGamesAtATime(&a, &random), 8);
  EXPECT_EQ(DefaultGamesAtATime(&random, &random), 1);
  AskingPlayer large(5, 500, &one);
  EXPECT_EQ(DefaultGamesAtATime(&random, &large), 16);

  MatchOptions options = Quick(8);
  options.games_at_a_time = 16;
  options.limits.max_plies = 24;  // all are as long
  ASSERT_TRUE(Play("switchback", &a, &b, options).status.ok());
  // 16 games of 20 moves with 5 evaluations each.
  EXPECT_EQ(one.positions + other.positions, 16 * 20 * 5);
  EXPECT_EQ(one.calls, 20 * 5);
  EXPECT_EQ(other.calls, 20 * 5);
  // Both have one evaluator.
  CountingEvaluator both;
  AskingPlayer c(5, 8, &both), d(5, 8, &both);
  ASSERT_TRUE(Play("switchback", &c, &d, options).status.ok());
  EXPECT_EQ(both.positions, 16 * 20 * 5);
  EXPECT_EQ(both.calls, 20 * 5);
}

TEST(MatchRunnerTest, CountsWhatItAsks) {
  CountingEvaluator evaluator;
  AskingPlayer a(2, 4, &evaluator);
  FunctionPlayer b = RandomMover();
  const Rules& rules = testing::RulesOf("switchback");
  MatchOpenings openings(&rules, RandomOpeningOptions());
  MatchTally tally;
  MatchOptions options = Quick(3);
  options.threads = 2;
  MatchRunner runner(&rules, &a, &b, &openings, &tally, options);
  ASSERT_TRUE(runner.Run().ok());
  EXPECT_EQ(runner.counts().calls, evaluator.calls);
  EXPECT_EQ(runner.counts().evaluations, evaluator.positions);
  EXPECT_EQ(tally.played().games(), 6);
}

TEST(MatchRunnerTest, ItsSpeedIsMeasured) {
  CountingEvaluator evaluator;
  AskingPlayer a(2, 4, &evaluator);
  MatchBenchOptions options;
  options.seconds = options.warm_up = 0.02;
  options.threads = 2;
  const auto speed = MeasureMatch(testing::RulesOf("switchback"), &a, &a, options);
  ASSERT_TRUE(speed.ok());
  EXPECT_GT(*speed, 0);
  // It measures for at least so long, and what it counts was evaluated.
  EXPECT_LE(*speed * options.seconds, static_cast<double>(evaluator.positions));
  evaluator.fails_at = 1;
  EXPECT_EQ(MeasureMatch(testing::RulesOf("switchback"), &a, &a, options).status().message(),
            "the device is gone");
}

TEST(MatchRunnerTest, AnEvaluatorsErrorEndsIt) {
  for (const int threads : {1, 3}) {
    CountingEvaluator good, bad;
    bad.fails_at = 60;
    AskingPlayer a(1, 4, &good), b(1, 4, &bad);
    MatchOptions options = Quick(50);
    options.threads = threads;
    options.games_at_a_time = 2;
    const PlayedMatch match = Play("minishogi", &a, &b, options);
    EXPECT_EQ(match.status.message(), "the device is gone");
    EXPECT_LT(match.games.size(), 100U);
    EXPECT_EQ(match.tally.played().games(), static_cast<int64_t>(match.games.size()));
  }
}

TEST(MatchRunnerTest, WhoTakesTheGamesCanStopIt) {
  FunctionPlayer random = RandomMover();
  MatchOptions options = Quick(50);
  int taken = 0;
  options.on_game = [&taken](const MatchGameRecord&) {
    return ++taken < 7 ? absl::OkStatus() : absl::ResourceExhaustedError("the disk is full");
  };
  const PlayedMatch match = Play("minishogi", &random, &random, options);
  EXPECT_EQ(match.status.message(), "the disk is full");
  EXPECT_EQ(match.games.size(), 7U);
}

TEST(MatchRunnerTest, FaultsDoNotEndIt) {
  FunctionPlayer random = RandomMover();
  FunctionPlayer loser = Loser();
  MatchOptions options = Quick(10);
  options.threads = 2;
  const PlayedMatch match = Play("minishogi", &random, &loser, options);
  ASSERT_TRUE(match.status.ok());
  const MatchSummary summary = match.tally.Summary();
  EXPECT_EQ(summary.score.total(), (ResultCounts{20, 0, 0}));
  EXPECT_EQ(summary.ends, (std::map<std::string, int64_t>{{"forfeit", 20}}));
  EXPECT_EQ(summary.forfeits, (std::array<int64_t, 2>{0, 20}));
  EXPECT_EQ(summary.faults, (std::map<std::string, int64_t>{{"lost", 20}}));
}

// Stopped in the middle and gone on with, it has the games of one in one go.
TEST(MatchRunnerTest, GoesOnWhereItWas) {
  CountingEvaluator one, other;
  AskingPlayer a(2, 4, &one), b(1, 4, &other);
  MatchOptions options = Quick(20);
  options.games_at_a_time = 3;
  const PlayedMatch whole = Play("minishogi", &a, &b, options);
  ASSERT_TRUE(whole.status.ok());

  MatchOptions stopping = options;
  int games = 0;
  stopping.on_game = [&games](const MatchGameRecord&) {
    ++games;
    return absl::OkStatus();
  };
  stopping.interrupted = [&games] { return games >= 13; };
  PlayedMatch begun = Play("minishogi", &a, &b, stopping);
  EXPECT_TRUE(absl::IsCancelled(begun.status));
  EXPECT_GE(begun.games.size(), 13U);
  EXPECT_LT(begun.games.size(), 20U);
  const PlayedMatch rest = Play("minishogi", &a, &b, options, begun.tally);
  ASSERT_TRUE(rest.status.ok());
  EXPECT_EQ(begun.games.size() + rest.games.size(), 40U);
  std::vector<std::string> both = Encoded(begun.games);
  for (std::string& game : Encoded(rest.games)) both.push_back(std::move(game));
  std::vector<std::string> at_once = Encoded(whole.games);
  std::sort(both.begin(), both.end());
  std::sort(at_once.begin(), at_once.end());
  EXPECT_EQ(both, at_once);
  EXPECT_EQ(rest.tally.Summary().score, whole.tally.Summary().score);
  // And no game again.
  EXPECT_TRUE(Play("minishogi", &a, &b, options, rest.tally).games.empty());
  // A longer match begins with the same games.
  MatchOptions longer = options;
  longer.pairs = 23;
  EXPECT_EQ(Play("minishogi", &a, &b, longer, rest.tally).games.size(), 6U);
}

TEST(MatchRunnerTest, AgainstItselfAPlayerIsEven) {
  FunctionPlayer random = RandomMover();
  MatchOptions options = Quick(200);
  options.limits.max_plies = 300;
  options.threads = 2;
  const PlayedMatch match = Play("minishogi", &random, &random, options);
  ASSERT_TRUE(match.status.ok());
  const MatchSummary summary = match.tally.Summary();
  EXPECT_EQ(summary.score.games(), 400);
  EXPECT_EQ(summary.score.num_pairs(), 200);
  EXPECT_GT(summary.score.total().wins, 50);
  const Interval interval = ScoreInterval(summary.score);
  EXPECT_LT(interval.low, 0.5);
  EXPECT_GT(interval.high, 0.5);
  EXPECT_GT(interval.low, 0.4);
  EXPECT_LT(interval.high, 0.6);
}

TEST(MatchRunnerTest, ATestStopsIt) {
  FunctionPlayer random = RandomMover();
  FunctionPlayer loser = Loser();
  int64_t games = -1;
  for (const int threads : {1, 4}) {
    MatchOptions options = Quick(500);
    options.threads = threads;
    options.games_at_a_time = 3;
    const PlayedMatch match =
        Play("minishogi", &random, &loser, options, MatchTally(SprtOptions{0, 50, 0.05, 0.05}));
    ASSERT_TRUE(match.status.ok());
    const MatchSummary summary = match.tally.Summary();
    ASSERT_TRUE(summary.sprt.has_value());
    EXPECT_EQ(summary.sprt->decision, SprtDecision::kAcceptH1);
    EXPECT_LT(summary.score.games(), 500);
    // However many games are under way when it is decided, those that count are the same.
    if (games >= 0) {
      EXPECT_EQ(summary.score.games(), games);
    }
    games = summary.score.games();
    // It is decided for good.
    EXPECT_TRUE(Play("minishogi", &random, &loser, options, match.tally).games.empty());
  }
}

TEST(MatchRunnerTest, NoGames) {
  FunctionPlayer random = RandomMover();
  const PlayedMatch match = Play("minishogi", &random, &random, Quick(0));
  EXPECT_TRUE(match.status.ok());
  EXPECT_EQ(match.tally.Summary().score.games(), 0);
}

}  // namespace
}  // namespace crossriver
