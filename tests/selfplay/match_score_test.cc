// Scores of matches: counts, Elo, intervals, superiority.
#include "selfplay/match_score.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "selfplay/normal.h"
#include "selfplay/score_likelihood.h"
#include "tests/selfplay/simulated_match.h"

namespace crossriver {
namespace {

using testing::BruteForceLikelihood;
using testing::SimulatedMatch;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Result kWin = Result::kWin;
constexpr Result kDraw = Result::kDraw;
constexpr Result kLoss = Result::kLoss;

// Pairs of results that give so many half points.
MatchScore PairsOf(const std::array<int64_t, 5>& counts) {
  const std::array<std::array<Result, 2>, 5> results = {
      {{kLoss, kLoss}, {kDraw, kLoss}, {kWin, kLoss}, {kWin, kDraw}, {kWin, kWin}}};
  MatchScore score;
  for (size_t k = 0; k < counts.size(); ++k) {
    for (int64_t i = 0; i < counts[k]; ++i) score.AddPair(results[k][0], results[k][1]);
  }
  return score;
}

MatchScore SinglesOf(int64_t wins, int64_t draws, int64_t losses) {
  MatchScore score;
  for (int64_t i = 0; i < wins; ++i) score.AddGame(kWin, i % 2 == 0);
  for (int64_t i = 0; i < draws; ++i) score.AddGame(kDraw, i % 2 == 0);
  for (int64_t i = 0; i < losses; ++i) score.AddGame(kLoss, i % 2 == 0);
  return score;
}

// The limit of the loss of likelihood, as match_score.h states it.
double Limit(double trials) {
  constexpr double kSquare = 1.96 * 1.96;
  return kSquare / 2 * (1 + (kSquare + 1) / (2 * trials));
}

TEST(MatchScoreTest, Counts) {
  MatchScore score;
  EXPECT_EQ(score.score(), 0.5);
  score.AddPair(kWin, kLoss);
  score.AddPair(kDraw, kDraw);
  score.AddPair(kWin, kDraw);
  score.AddPair(kLoss, kLoss);
  score.AddGame(kWin, /*a_first=*/false);
  EXPECT_EQ(score.by_side[0], (ResultCounts{2, 1, 1}));
  EXPECT_EQ(score.by_side[1], (ResultCounts{1, 2, 2}));
  EXPECT_EQ(score.pairs, (std::array<int64_t, 5>{1, 0, 2, 1, 0}));
  EXPECT_EQ(score.singles, (ResultCounts{1, 0, 0}));
  EXPECT_EQ(score.total(), (ResultCounts{3, 3, 3}));
  EXPECT_EQ(score.games(), 9);
  EXPECT_EQ(score.num_pairs(), 4);
  EXPECT_EQ(score.points(), 4.5);
  EXPECT_EQ(score.score(), 0.5);
  MatchScore twice = score;
  twice += score;
  EXPECT_EQ(twice.games(), 18);
  EXPECT_EQ(twice.pairs, (std::array<int64_t, 5>{2, 0, 4, 2, 0}));
  EXPECT_EQ(twice.singles, (ResultCounts{2, 0, 0}));
}

// Against s = 1 / (1 + 10^(-d / 400)) worked out by hand, and the figures that are often quoted of
// it (Wikipedia, Elo rating system): a lead of 100 scores 64 %, one of 200 scores 76 %, and with
// one of 400 there are ten points for each of the other's.
TEST(EloTest, LogisticScale) {
  struct Case {
    double score;
    double elo;
  };
  for (const auto& [score, elo] : std::vector<Case>{{0.5, 0},
                                                    {0.51, 6.95},
                                                    {0.55, 34.86},
                                                    {0.64, 99.95},
                                                    {0.75, 190.85},
                                                    {0.76, 200.24},
                                                    {0.909091, 400},
                                                    {0.99, 798.25}}) {
    EXPECT_NEAR(EloOfScore(score), elo, 0.01) << score;
    EXPECT_NEAR(EloOfScore(1 - score), -elo, 0.01) << score;
    EXPECT_NEAR(ScoreOfElo(elo), score, 1e-5) << elo;
  }
  EXPECT_EQ(EloOfScore(0), -kInfinity);
  EXPECT_EQ(EloOfScore(1), kInfinity);
  EXPECT_EQ(ScoreOfElo(-kInfinity), 0);
  EXPECT_EQ(ScoreOfElo(kInfinity), 1);
}

TEST(EloTest, WithoutGames) {
  const Elo elo = EloOf({});
  EXPECT_EQ(elo.elo, 0);
  EXPECT_EQ(elo.low, -kInfinity);
  EXPECT_EQ(elo.high, kInfinity);
}

TEST(EloTest, NothingButWinsOrLosses) {
  struct Case {
    MatchScore won;
    MatchScore lost;
    double trials;
  };
  for (const Case& c : std::vector<Case>{{PairsOf({0, 0, 0, 0, 1}), PairsOf({1, 0, 0, 0, 0}), 1},
                                         {PairsOf({0, 0, 0, 0, 50}), PairsOf({50, 0, 0, 0, 0}), 50},
                                         {SinglesOf(30, 0, 0), SinglesOf(0, 0, 30), 30}}) {
    const Elo won = EloOf(c.won);
    EXPECT_EQ(won.elo, kInfinity);
    EXPECT_EQ(won.high, kInfinity);
    EXPECT_NEAR(won.low, EloOfScore(std::exp(-Limit(c.trials) / c.trials)), 0.1) << c.trials;
    const Elo lost = EloOf(c.lost);
    EXPECT_EQ(lost.elo, -kInfinity);
    EXPECT_EQ(lost.low, -kInfinity);
    EXPECT_NEAR(lost.high, -won.low, 1e-6);
  }
}

// A variance of 0 is luck: the interval has its width.
TEST(ScoreIntervalTest, AllPairsAlike) {
  for (const int64_t n : {1, 10, 1000}) {
    const double shrunk = std::exp(-Limit(static_cast<double>(n)) / static_cast<double>(n));
    const Interval even = ScoreInterval(PairsOf({0, 0, n, 0, 0}));
    EXPECT_NEAR(even.low, 0.5 * shrunk, 1e-4) << n;
    EXPECT_NEAR(even.high, 1 - 0.5 * shrunk, 1e-4) << n;
    const Interval ahead = ScoreInterval(PairsOf({0, 0, 0, n, 0}));
    EXPECT_NEAR(ahead.low, 0.75 * shrunk, 1e-4) << n;
    EXPECT_NEAR(ahead.high, 1 - 0.25 * shrunk, 1e-4) << n;
  }
}

TEST(ScoreIntervalTest, ManyTrialsAgreeWithTheVariance) {
  const std::array<int64_t, 5> counts = {300, 1500, 4000, 2700, 800};
  double n = 0, mean = 0, square = 0;
  for (size_t k = 0; k < counts.size(); ++k) {
    const double count = static_cast<double>(counts[k]);
    n += count;
    mean += count * static_cast<double>(k) / 4;
    square += count * static_cast<double>(k * k) / 16;
  }
  mean /= n;
  const double width = 1.96 * std::sqrt((square / n - mean * mean) / n);
  const Interval pairs = ScoreInterval(PairsOf(counts));
  EXPECT_NEAR(pairs.low, mean - width, 0.01 * width);
  EXPECT_NEAR(pairs.high, mean + width, 0.01 * width);

  // 5000 games: 2400 wins, 1600 draws, 1000 losses.
  const double score = 0.64;
  const double spread = 1.96 * std::sqrt((0.48 + 0.32 / 4 - score * score) / 5000);
  const Interval singles = ScoreInterval(SinglesOf(2400, 1600, 1000));
  EXPECT_NEAR(singles.low, score - spread, 0.01 * spread);
  EXPECT_NEAR(singles.high, score + spread, 0.01 * spread);
}

// Openings that decide the game make pairs of 1-1: as pairs they say much, as games little.
TEST(ScoreIntervalTest, PairsTakeOpeningsOut) {
  const Interval pairs = ScoreInterval(PairsOf({2, 5, 80, 9, 4}));
  const Interval games = ScoreInterval(SinglesOf(80 + 9 + 8, 14, 80 + 5 + 4));
  EXPECT_LT(pairs.high - pairs.low, 0.6 * (games.high - games.low));
}

TEST(ScoreIntervalTest, MirroredForTheOther) {
  const Interval a = ScoreInterval(PairsOf({1, 4, 9, 6, 0}));
  const Interval b = ScoreInterval(PairsOf({0, 6, 9, 4, 1}));
  EXPECT_NEAR(a.low, 1 - b.high, 1e-9);
  EXPECT_NEAR(a.high, 1 - b.low, 1e-9);
}

TEST(ScoreIntervalTest, PairsAndSingleGamesTogether) {
  MatchScore both = PairsOf({1, 4, 9, 6, 3});
  const Interval pairs = ScoreInterval(both);
  both += SinglesOf(20, 10, 15);
  const Interval together = ScoreInterval(both);
  EXPECT_LT(together.high - together.low, pairs.high - pairs.low);
  EXPECT_LT(together.low, both.score());
  EXPECT_GT(together.high, both.score());
  EXPECT_NEAR(ScoreLikelihood(both).Loss(both.score()), 0, 1e-9);
}

TEST(ScoreLikelihoodTest, AgainstBruteForce) {
  for (const auto& counts : std::vector<std::array<int64_t, 5>>{{3, 12, 40, 25, 8},
                                                                {0, 0, 7, 0, 0},
                                                                {0, 2, 9, 0, 0},
                                                                {0, 0, 0, 0, 5},
                                                                {1, 0, 0, 0, 1}}) {
    const MatchScore score = PairsOf(counts);
    const ScoreLikelihood likelihood(score);
    const double best = BruteForceLikelihood(counts, score.score());
    for (const double s : {0.1, 0.35, 0.5, 0.62, 0.9}) {
      EXPECT_NEAR(likelihood.Loss(s), best - BruteForceLikelihood(counts, s), 1e-4)
          << s << " " << score.score();
    }
  }
}

TEST(ScoreLikelihoodTest, ImpossibleScores) {
  const ScoreLikelihood mixed(PairsOf({0, 1, 2, 0, 0}));
  EXPECT_EQ(mixed.Loss(0), kInfinity);
  EXPECT_EQ(mixed.Loss(1), kInfinity);
  const ScoreLikelihood won(SinglesOf(3, 0, 0));
  EXPECT_EQ(won.Loss(0), kInfinity);
  EXPECT_EQ(won.Loss(1), 0);
  EXPECT_EQ(ScoreLikelihood({}).Loss(0.3), 0);
}

TEST(LikelihoodOfSuperiorityTest, SingleGames) {
  struct Case {
    int64_t wins, draws, losses;
    double expected;
  };
  for (const Case& c : std::vector<Case>{{10, 5, 10, 0.5},
                                         {0, 7, 0, 0.5},
                                         {0, 0, 0, 0.5},
                                         {60, 30, 40, 0.97725},  // 20 / sqrt(100): two deviations
                                         {40, 0, 60, 0.02275},
                                         {9, 0, 0, 0.99865},  // three
                                         {4, 1, 0, 0.97725}}) {
    EXPECT_NEAR(LikelihoodOfSuperiority(SinglesOf(c.wins, c.draws, c.losses)), c.expected, 1e-5)
        << c.wins << " " << c.draws << " " << c.losses;
  }
}

TEST(LikelihoodOfSuperiorityTest, Pairs) {
  EXPECT_NEAR(LikelihoodOfSuperiority(PairsOf({0, 0, 40, 0, 0})), 0.5, 1e-12);
  // (9 + 2 * 4 - 5 - 2 * 2) / sqrt(9 + 4 * 4 + 5 + 4 * 2)
  EXPECT_NEAR(LikelihoodOfSuperiority(PairsOf({2, 5, 80, 9, 4})), NormalCdf(8 / std::sqrt(38.0)),
              1e-12);
  EXPECT_NEAR(LikelihoodOfSuperiority(PairsOf({0, 0, 0, 0, 9})), 0.99865, 1e-5);
}

// The interval holds the truth in 95 % of the matches, with openings that make the games of a pair
// depend on each other and without, with few draws and with many.
TEST(EloTest, IntervalsCover) {
  constexpr int kMatches = 2000;
  struct Case {
    SimulatedMatch match;
    int pairs;
  };
  for (const Case& c : std::vector<Case>{{{.lead = 0, .draws = 0.05}, 100},
                                         {{.lead = 0.5, .draws = 2, .advantage = 0.3}, 100},
                                         {{.lead = 0.3, .draws = 0.1, .opening_bias = 2}, 100},
                                         {{.lead = 1, .draws = 8, .opening_bias = 3}, 100},
                                         {{.lead = 1.5, .draws = 1}, 100},
                                         {{.lead = 0.3, .draws = 0.1, .opening_bias = 2}, 20},
                                         {{.lead = 0.5, .draws = 1}, 20}}) {
    const double truth = EloOfScore(c.match.ExpectedScore());
    int covered = 0;
    for (int i = 0; i < kMatches; ++i) {
      RandomStream random(static_cast<uint64_t>(i));
      MatchScore score;
      for (int pair = 0; pair < c.pairs; ++pair) c.match.PlayPair(&random, &score);
      const Elo elo = EloOf(score);
      covered += elo.low <= truth && truth <= elo.high ? 1 : 0;
    }
    EXPECT_GE(covered, 0.93 * kMatches) << c.match.lead << " " << c.match.draws << " " << c.pairs;
    EXPECT_LE(covered, 0.97 * kMatches) << c.match.lead << " " << c.match.draws << " " << c.pairs;
  }
}

}  // namespace
}  // namespace crossriver
