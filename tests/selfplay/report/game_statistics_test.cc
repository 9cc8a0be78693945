// Sums over games, against plain arithmetic.
#include "selfplay/report/game_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "mcts/random.h"

namespace crossriver {
namespace {

TEST(MomentsTest, AgainstPlainSums) {
  const std::vector<int64_t> values = {3, 7, 7, 19, 0, 4};
  Moments moments;
  for (const int64_t value : values) moments.Add(value);
  EXPECT_DOUBLE_EQ(moments.mean(), 40.0 / 6);
  double squares = 0;
  for (const int64_t value : values) {
    squares += std::pow(static_cast<double>(value) - 40.0 / 6, 2);
  }
  EXPECT_NEAR(moments.deviation(), std::sqrt(squares / 5), 1e-12);
  const Estimate mean = moments.MeanEstimate();
  EXPECT_NEAR(mean.high - mean.value, 1.959964 * std::sqrt(squares / 5 / 6), 1e-6);
  EXPECT_NEAR(mean.value - mean.low, mean.high - mean.value, 1e-12);
  Moments one;
  one.Add(5);
  EXPECT_EQ(one.MeanEstimate().low, 5);
  EXPECT_EQ(Moments().MeanEstimate().high, 0);
}

TEST(ShareEstimateTest, Wilson) {
  const struct {
    int64_t part;
    int64_t whole;
    double low;
    double high;
  } cases[] = {
      {8, 10, 0.4902, 0.9433}, {0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {50, 100, 0.4038, 0.5962}};
  for (const auto& c : cases) {
    const Estimate share = ShareEstimate(c.part, c.whole);
    EXPECT_NEAR(share.value, static_cast<double>(c.part) / static_cast<double>(c.whole), 1e-12);
    EXPECT_NEAR(share.low, c.low, 1e-4) << c.part;
    EXPECT_NEAR(share.high, c.high, 1e-4) << c.part;
  }
  EXPECT_EQ(ShareEstimate(0, 0).high, 1);
}

TEST(FirstScoreTest, IsThatOfMatches) {
  const Estimate score = FirstScoreEstimate({60, 20, 20});
  EXPECT_DOUBLE_EQ(score.value, 0.7);
  EXPECT_LT(score.low, 0.63);
  EXPECT_GT(score.low, 0.6);
  EXPECT_GT(score.high, 0.77);
  EXPECT_LT(score.high, 0.8);
  EXPECT_EQ(FirstScoreEstimate({}).low, 0);
}

GameFacts MadeUpGame(RandomStream* random) {
  GameFacts facts;
  const Result results[] = {Result::kWin, Result::kLoss, Result::kDraw, Result::kNone};
  facts.result = results[random->Below(4)];
  facts.end =
      facts.result == Result::kNone ? GameEnd::kCutShort : static_cast<GameEnd>(random->Below(7));
  facts.plies = static_cast<int>(random->Below(60));
  for (int ply = 0; ply < facts.plies; ++ply) {
    facts.choices.push_back(static_cast<int>(random->Below(100)));
  }
  facts.captures = static_cast<int>(random->Below(20));
  facts.drops = static_cast<int>(random->Below(10));
  facts.deeds.resize(3);
  for (PieceDeeds& deeds : facts.deeds) deeds.moves = static_cast<int64_t>(random->Below(30));
  return facts;
}

TEST(GameStatisticsTest, AgainstPlainSums) {
  RandomStream random(11);
  std::vector<GameFacts> games;
  for (int i = 0; i < 200; ++i) games.push_back(MadeUpGame(&random));
  GameStatistics all;
  GameStatistics halves[2];
  for (size_t i = 0; i < games.size(); ++i) {
    all.Add(games[i], static_cast<int64_t>(i / 10));
    halves[i % 2].Add(games[i], static_cast<int64_t>(i / 10));
  }
  halves[0] += halves[1];
  std::vector<int> plies;
  for (const GameFacts& game : games) plies.push_back(game.plies);
  std::sort(plies.begin(), plies.end());
  for (const GameStatistics* statistics : {&all, &halves[0]}) {
    EXPECT_EQ(statistics->games(), 200);
    const auto count = [&games](auto is) { return std::count_if(games.begin(), games.end(), is); };
    EXPECT_EQ(statistics->first().wins,
              count([](const GameFacts& g) { return g.result == Result::kWin; }));
    EXPECT_EQ(statistics->first().draws,
              count([](const GameFacts& g) { return g.result == Result::kDraw; }));
    EXPECT_EQ(statistics->Ended(GameEnd::kCutShort),
              count([](const GameFacts& g) { return g.result == Result::kNone; }));
    EXPECT_EQ(statistics->Ended(GameEnd::kStalemate, Result::kLoss), count([](const GameFacts& g) {
                return g.end == GameEnd::kStalemate && g.result == Result::kLoss;
              }));
    EXPECT_EQ(statistics->LengthQuantile(0.5), plies[99]);
    EXPECT_EQ(statistics->LengthQuantile(0.95), plies[189]);
    EXPECT_EQ(statistics->LengthQuantile(1), plies[199]);
    for (size_t ply : {size_t{0}, size_t{30}}) {
      int64_t sum = 0;
      int64_t reached = 0;
      for (const GameFacts& game : games) {
        if (game.choices.size() <= ply) continue;
        sum += game.choices[ply];
        ++reached;
      }
      EXPECT_EQ(statistics->choices()[ply].sum(), sum);
      EXPECT_EQ(statistics->choices()[ply].count(), reached);
    }
    int64_t drops = 0;
    int64_t moves = 0;
    for (const GameFacts& game : games) {
      drops += game.drops;
      moves += game.deeds[1].moves;
    }
    EXPECT_EQ(statistics->drops().sum(), drops);
    EXPECT_EQ(statistics->deeds()[1].moves, moves);
  }
}

TEST(GameStatisticsTest, Stages) {
  GameStatistics statistics;
  for (int generation = 1; generation <= 10; ++generation) {
    GameFacts facts;
    facts.result = generation > 5 ? Result::kWin : Result::kDraw;
    facts.plies = generation;
    statistics.Add(facts, generation);
  }
  const std::vector<StageStatistics> stages = statistics.Stages(4);
  ASSERT_EQ(stages.size(), 4U);
  EXPECT_EQ(stages.front().first_generation, 1);
  EXPECT_EQ(stages.back().last_generation, 10);
  int64_t games = 0;
  for (const StageStatistics& stage : stages) games += stage.plies.count();
  EXPECT_EQ(games, 10);
  EXPECT_EQ(stages.front().first.draws, stages.front().plies.count());
  EXPECT_EQ(stages.back().first.wins, stages.back().plies.count());
  EXPECT_EQ(statistics.Stages(100).size(), 10U);
  EXPECT_EQ(GameStatistics().Stages(3).size(), 0U);
}

}  // namespace
}  // namespace crossriver
