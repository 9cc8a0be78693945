// What games of a match sum up to.
#include "selfplay/match_tally.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "mcts/random.h"

namespace crossriver {
namespace {

MatchGameResult Game(int64_t pair, int half, Result result, int plies = 10,
                     const std::string& end = "checkmate") {
  MatchGameResult game;
  game.pair = pair;
  game.half = half;
  game.result = result;
  game.end = end;
  game.plies = plies;
  return game;
}

TEST(MatchTallyTest, CountsPairsAndSingles) {
  MatchTally tally;
  tally.Add(Game(0, 0, Result::kWin, 30));
  tally.Add(Game(0, 1, Result::kDraw, 50, kEndLimit));
  tally.Add(Game(2, 1, Result::kLoss, 20, kEndForfeit));
  tally.Add(Game(1, 0, Result::kWin, 40));
  tally.Add(Game(1, 1, Result::kWin, 10, kEndForfeit));
  EXPECT_TRUE(tally.Has(2, 1));
  EXPECT_FALSE(tally.Has(2, 0));
  EXPECT_FALSE(tally.Has(3, 0));
  const MatchSummary summary = tally.Summary();
  EXPECT_EQ(summary.score.by_side[0], (ResultCounts{2, 0, 0}));
  EXPECT_EQ(summary.score.by_side[1], (ResultCounts{1, 1, 1}));
  EXPECT_EQ(summary.score.pairs, (std::array<int64_t, 5>{0, 0, 0, 1, 1}));
  EXPECT_EQ(summary.score.singles, (ResultCounts{0, 0, 1}));
  EXPECT_EQ(summary.plies, (std::vector<int>{10, 20, 30, 40, 50}));
  EXPECT_EQ(summary.ends.at("checkmate"), 2);
  EXPECT_EQ(summary.ends.at(kEndLimit), 1);
  EXPECT_EQ(summary.forfeits, (std::array<int64_t, 2>{1, 1}));
  EXPECT_EQ(summary.uncounted, 0);
  EXPECT_FALSE(summary.sprt.has_value());
  EXPECT_FALSE(tally.decided());
}

// Whatever order the games end in, the test is decided with the same pair.
TEST(MatchTallyTest, ATestCountsPairsInOrder) {
  constexpr int kPairs = 120;
  const SprtOptions sprt = {0, 100, 0.05, 0.05};
  RandomStream random(5);
  std::vector<MatchGameResult> games;
  for (int pair = 0; pair < kPairs; ++pair) {
    for (const int half : {0, 1}) {
      const double draw = random.Uniform();
      games.push_back(Game(pair, half,
                           draw < 0.5   ? Result::kWin
                           : draw < 0.7 ? Result::kDraw
                                        : Result::kLoss));
    }
  }
  MatchTally in_order(sprt);
  for (const MatchGameResult& game : games) in_order.Add(game);
  ASSERT_TRUE(in_order.decided());
  const MatchSummary expected = in_order.Summary();
  ASSERT_LT(expected.score.games(), int64_t{2} * kPairs);
  EXPECT_EQ(expected.score.singles.games(), 0);
  EXPECT_EQ(expected.uncounted, int64_t{2} * kPairs - expected.score.games());
  for (int round = 0; round < 5; ++round) {
    for (size_t left = games.size(); left > 1; --left) {
      std::swap(games[left - 1], games[random.Below(left)]);
    }
    MatchTally tally(sprt);
    int64_t counted = 0;
    for (const MatchGameResult& game : games) {
      tally.Add(game);
      const int64_t now = tally.Summary().score.games();
      EXPECT_GE(now, counted);
      counted = now;
    }
    const MatchSummary summary = tally.Summary();
    EXPECT_EQ(summary.score, expected.score);
    EXPECT_EQ(summary.sprt->llr, expected.sprt->llr);
    EXPECT_EQ(summary.sprt->decision, expected.sprt->decision);
  }
}

// A pair that is not whole keeps later ones from counting.
TEST(MatchTallyTest, ATestWaitsForThePairBefore) {
  MatchTally tally(SprtOptions{});
  for (int pair = 1; pair < 5; ++pair) {
    tally.Add(Game(pair, 0, Result::kWin));
    tally.Add(Game(pair, 1, Result::kWin));
  }
  tally.Add(Game(0, 1, Result::kLoss));
  EXPECT_EQ(tally.Summary().score.games(), 0);
  EXPECT_EQ(tally.Summary().uncounted, 9);
  EXPECT_EQ(tally.played().games(), 9);
  tally.Add(Game(0, 0, Result::kLoss));
  EXPECT_EQ(tally.Summary().score.games(), 10);
}

}  // namespace
}  // namespace crossriver
