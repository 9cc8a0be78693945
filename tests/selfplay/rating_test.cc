// Ratings: closed forms, the prior, groups, errors, and whether intervals hold what they say.
#include "selfplay/rating.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "mcts/random.h"
#include "selfplay/match_score.h"
#include "selfplay/normal.h"
#include "tests/selfplay/simulated_match.h"

namespace crossriver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::SimulatedResult;

constexpr double kEloPerNat = 173.7178;  // 400 / ln(10)
// Almost none: for closed forms of the likelihood alone.
constexpr RatingOptions kWide = {.deviation = 1e5};

Ratings RatingsOf(int players, const std::vector<PairResults>& results,
                  const RatingOptions& options = {}) {
  absl::StatusOr<Ratings> ratings = Rate(players, results, options);
  EXPECT_TRUE(ratings.ok()) << ratings.status();
  EXPECT_TRUE(ratings->convergence().ok()) << ratings->convergence();
  return *std::move(ratings);
}

double Width(const Estimate& estimate) { return (estimate.high - estimate.low) / 2; }

// Bradley and Terry's model: 400 log10 of the odds. With either side first there are two odds, for
// the difference and the advantage.
TEST(RatingTest, TwoPlayersWithoutDraws) {
  const Ratings even = RatingsOf(2, {{0, 1, 3000, 0, 1000}, {1, 0, 1000, 0, 3000}}, kWide);
  EXPECT_NEAR(even.Difference(0, 1).value, 190.85, 0.1);
  EXPECT_NEAR(even.Advantage().value, 0, 1e-6);
  EXPECT_LT(even.DrawShare().value, 1e-3);
  // The information of a game is p (1 - p) = 3/16, and there are 8000 of them.
  EXPECT_NEAR(Width(even.Difference(0, 1)), 1.96 * kEloPerNat / std::sqrt(8000 * 3.0 / 16), 0.01);
  EXPECT_NEAR(even.Rating(1).value, -190.85, 0.1);

  const Ratings uneven = RatingsOf(2, {{0, 1, 8000, 0, 1000}, {1, 0, 5000, 0, 10000}}, kWide);
  EXPECT_NEAR(uneven.Difference(0, 1).value, (std::log(8) - std::log(0.5)) / 2 * kEloPerNat, 0.1);
  EXPECT_NEAR(uneven.Advantage().value, (std::log(8) + std::log(0.5)) / 2 * kEloPerNat, 0.1);
}

// Where half the games between equals are drawn the scale is logistic Elo exactly: wins, draws and
// losses are as 4 : 4 : 1, the score 2/3.
TEST(RatingTest, TwoPlayersWithDraws) {
  const Ratings ratings = RatingsOf(2, {{0, 1, 4000, 4000, 1000}, {1, 0, 1000, 4000, 4000}}, kWide);
  EXPECT_NEAR(ratings.Difference(0, 1).value, EloOfScore(2.0 / 3), 0.05);
  EXPECT_NEAR(ratings.DrawShare().value, 0.5, 1e-3);
  EXPECT_LT(ratings.DrawShare().low, 0.5);
  EXPECT_GT(ratings.DrawShare().high, 0.5);
}

// Elsewhere it is near it.
TEST(RatingTest, ScaleIsThatOfTheScore) {
  struct Case {
    int64_t wins, draws, losses;
  };
  for (const auto& [wins, draws, losses] :
       std::vector<Case>{{6000, 1000, 3000}, {3000, 6000, 1000}, {1000, 8500, 500}}) {
    const Ratings ratings =
        RatingsOf(2, {{0, 1, wins, draws, losses}, {1, 0, losses, draws, wins}}, kWide);
    const double elo = EloOfScore(static_cast<double>(2 * wins + draws) / 20000);
    EXPECT_NEAR(ratings.Difference(0, 1).value, elo, 0.03 * elo) << draws;
  }
}

TEST(RatingTest, AnyResultGivesFiniteRatings) {
  constexpr int64_t kMany = 1'000'000'000;
  struct Case {
    const char* name;
    int players;
    std::vector<PairResults> results;
  };
  for (const Case& c :
       std::vector<Case>{{"no games", 3, {}},
                         {"one player", 1, {}},
                         {"a win", 2, {{0, 1, 1, 0, 0}}},
                         {"wins only", 2, {{0, 1, 1000, 0, 0}, {1, 0, 0, 0, 1000}}},
                         {"the first mover wins", 2, {{0, 1, 1000, 0, 0}, {1, 0, 1000, 0, 0}}},
                         {"draws only", 2, {{0, 1, 0, 1000, 0}}},
                         {"a chain of wins",
                          5,
                          {{0, 1, 0, 0, 9}, {1, 2, 0, 0, 9}, {2, 3, 0, 0, 9}, {3, 4, 0, 0, 9}}},
                         {"many wins", 2, {{0, 1, kMany, 0, 0}}},
                         {"many draws", 2, {{0, 1, 0, kMany, 0}}},
                         {"many games", 3, {{0, 1, kMany, kMany, kMany}, {1, 2, kMany, 0, 1}}}}) {
    SCOPED_TRACE(c.name);
    const Ratings ratings = RatingsOf(c.players, c.results);
    for (int i = 0; i < c.players; ++i) {
      for (int j = 0; j < c.players; ++j) {
        const Estimate difference = ratings.Difference(i, j);
        EXPECT_TRUE(std::isfinite(difference.low) && std::isfinite(difference.high));
        EXPECT_TRUE(i == j || difference.low < difference.high);
      }
    }
    EXPECT_TRUE(std::isfinite(Width(ratings.Advantage())));
    EXPECT_GT(ratings.DrawShare().high, ratings.DrawShare().low);
  }
}

// The prior of the default is weak: what is left of it after some games.
TEST(RatingTest, ThePriorIsWeak) {
  const Ratings won = RatingsOf(2, {{0, 1, 10, 0, 0}, {1, 0, 0, 0, 10}});
  EXPECT_GT(won.Difference(0, 1).value, 500);
  EXPECT_LT(won.Difference(0, 1).value, 1500);
  EXPECT_GT(won.Difference(0, 1).low, 0);
  // A long ladder keeps its length, whichever way it was played.
  std::vector<PairResults> chain;
  for (int i = 0; i + 1 < 30; ++i) {
    chain.push_back({i, i + 1, 18, 0, 32});
    chain.push_back({i + 1, i, 32, 0, 18});
  }
  EXPECT_NEAR(RatingsOf(30, chain).Rating(29).value, 29 * EloOfScore(0.64), 20);
}

TEST(RatingTest, TheAnchorMovesNumbersAlone) {
  const std::vector<PairResults> results = {
      {0, 1, 12, 3, 5}, {1, 2, 7, 3, 9}, {2, 0, 4, 1, 8}, {1, 0, 5, 5, 5}};
  const Ratings first = RatingsOf(3, results);
  const Ratings last = RatingsOf(3, results, {.anchor = 2});
  EXPECT_EQ(first.Rating(0).value, 0);
  EXPECT_EQ(Width(first.Rating(0)), 0);
  EXPECT_EQ(last.Rating(2).value, 0);
  EXPECT_EQ(Width(last.Rating(2)), 0);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(first.Difference(i, j).value, last.Difference(i, j).value, 1e-6);
      EXPECT_NEAR(Width(first.Difference(i, j)), Width(last.Difference(i, j)), 1e-6);
      EXPECT_NEAR(first.Difference(i, j).value, -first.Difference(j, i).value, 1e-9);
    }
  }
}

TEST(RatingTest, RowsMayBeSplit) {
  const Ratings whole = RatingsOf(2, {{0, 1, 7, 2, 3}, {1, 0, 3, 1, 2}});
  const Ratings split =
      RatingsOf(2, {{1, 0, 1, 1, 2}, {0, 1, 4, 2, 0}, {1, 0, 2, 0, 0}, {0, 1, 3, 0, 3}});
  EXPECT_NEAR(whole.Difference(0, 1).value, split.Difference(0, 1).value, 1e-6);
  EXPECT_NEAR(Width(whole.Difference(0, 1)), Width(split.Difference(0, 1)), 1e-6);
  EXPECT_NEAR(whole.Advantage().value, split.Advantage().value, 1e-6);
}

TEST(RatingTest, LikelihoodOfSuperiority) {
  const Ratings ratings = RatingsOf(2, {{0, 1, 60, 0, 40}, {1, 0, 40, 0, 60}}, kWide);
  EXPECT_EQ(ratings.LikelihoodOfSuperiority(0, 0), 0.5);
  // A lead of log(1.5), each of 200 games telling 0.24.
  EXPECT_NEAR(ratings.LikelihoodOfSuperiority(0, 1),
              NormalCdf(std::log(1.5) * std::sqrt(200 * 0.24)), 1e-4);
  EXPECT_NEAR(ratings.LikelihoodOfSuperiority(1, 0), 1 - ratings.LikelihoodOfSuperiority(0, 1),
              1e-12);
}

TEST(RatingTest, UnconnectedPlayersAreNamed) {
  const std::vector<PairResults> results = {{1, 2, 30, 0, 20},
                                            {2, 1, 20, 0, 30},
                                            {3, 4, 10, 20, 30},
                                            {4, 6, 40, 10, 5},
                                            {3, 6, 40, 10, 30}};
  const Ratings ratings = RatingsOf(7, results, {.anchor = 4});
  EXPECT_THAT(ratings.groups(),
              ElementsAre(ElementsAre(3, 4, 6), ElementsAre(0), ElementsAre(1, 2), ElementsAre(5)));
  EXPECT_TRUE(absl::IsFailedPrecondition(ratings.Connection()));
  EXPECT_EQ(std::string(ratings.Connection().message()),
            "expected games that connect every player with player 4, got none that connect [0], "
            "[1, 2], [5]");
  EXPECT_LT(Width(ratings.Rating(6)), 150);
  EXPECT_LT(Width(ratings.Difference(1, 2)), 100);
  EXPECT_GT(Width(ratings.Rating(1)), 2000);
  EXPECT_GT(Width(ratings.Rating(5)), 2000);
  EXPECT_TRUE(RatingsOf(3, {{0, 1, 1, 0, 0}, {1, 2, 0, 1, 0}}).Connection().ok());
}

TEST(RatingTest, TooFewStepsAreReported) {
  const absl::StatusOr<Ratings> ratings =
      Rate(2, std::vector<PairResults>{{0, 1, 1000, 10, 0}}, {.max_steps = 1});
  ASSERT_TRUE(ratings.ok());
  EXPECT_TRUE(absl::IsAborted(ratings->convergence()));
  EXPECT_THAT(std::string(ratings->convergence().message()), HasSubstr("after 1 steps"));
}

TEST(RatingTest, Errors) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  struct Case {
    int players;
    PairResults results;
    RatingOptions options;
    const char* message;
  };
  for (const Case& c : std::vector<Case>{
           {0, {}, {}, "players: expected 1 to 2000, got 0"},
           {1 << 30, {}, {}, "players: expected 1 to 2000"},
           {3, {0, 3}, {}, "results[0]: expected players 0 to 2, got 3"},
           {3, {-1, 2}, {}, "results[0]: expected players 0 to 2, got -1"},
           {3, {1, 1}, {}, "results[0]: expected two different players, got 1 twice"},
           {3, {0, 1, -5}, {}, "results[0]: expected counts from 0 to 1000000000, got -5"},
           {3, {0, 1, 0, 0, int64_t{1} << 60}, {}, "results[0]: expected counts from 0"},
           {3, {0, 1}, {.anchor = 3}, "anchor: expected 0 to 2, got 3"},
           {3, {0, 1}, {.deviation = 0}, "deviation: expected 1 to 100000, got 0"},
           {3, {0, 1}, {.deviation = kNan}, "deviation: expected 1 to 100000, got nan"},
           {3, {0, 1}, {.max_steps = 0}, "max_steps: expected 1 or more, got 0"}}) {
    const absl::Status status =
        Rate(c.players, std::vector<PairResults>{c.results}, c.options).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << c.message;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message));
  }
}

// A simulated ladder: who plays whom, how far apart neighbours are, how often equals draw.
struct Ladder {
  const char* name;
  int reach;     // players play all that are at most so far away
  int games;     // of each two who play, with each side first
  double step;   // Elo between neighbours, on average
  double draws;  // Davidson's parameter
};

constexpr int kPlayers = 10;
constexpr double kAdvantage = 40;  // Elo

// How often intervals held the truth.
struct Coverage {
  double ratings = 0;     // all, relative to the anchor
  double neighbours = 0;  // differences
  double ends = 0;        // last against first
  double advantage = 0;
  double draw_share = 0;
};

bool Holds(const Estimate& estimate, double truth) {
  return estimate.low <= truth && truth <= estimate.high;
}

Coverage Simulate(const Ladder& ladder, int ladders) {
  const double nats_per_elo = (1 + ladder.draws / 2) / kEloPerNat;
  Coverage covered;
  for (int n = 0; n < ladders; ++n) {
    RandomStream random(static_cast<uint64_t>(n) + 1);
    std::vector<double> truth = {0};
    while (truth.size() < kPlayers) {
      truth.push_back(truth.back() + ladder.step + 30 * random.Normal());
    }
    std::vector<PairResults> results;
    for (int i = 0; i < kPlayers; ++i) {
      for (int j = 0; j < kPlayers; ++j) {
        if (i == j || std::abs(i - j) > ladder.reach) continue;
        const double lead = truth[static_cast<size_t>(i)] - truth[static_cast<size_t>(j)];
        ResultCounts counts;
        for (int game = 0; game < ladder.games; ++game) {
          counts.Add(SimulatedResult((lead + kAdvantage) * nats_per_elo, ladder.draws, &random));
        }
        results.push_back({i, j, counts.wins, counts.draws, counts.losses});
      }
    }
    const Ratings ratings = RatingsOf(kPlayers, results);
    const double all = ladders;
    for (int i = 1; i < kPlayers; ++i) {
      const double rating = truth[static_cast<size_t>(i)];
      const double before = truth[static_cast<size_t>(i) - 1];
      covered.ratings += Holds(ratings.Rating(i), rating) / (all * (kPlayers - 1));
      covered.neighbours +=
          Holds(ratings.Difference(i, i - 1), rating - before) / (all * (kPlayers - 1));
    }
    covered.ends += Holds(ratings.Rating(kPlayers - 1), truth.back()) / all;
    covered.advantage += Holds(ratings.Advantage(), kAdvantage) / all;
    covered.draw_share += Holds(ratings.DrawShare(), ladder.draws / (2 + ladder.draws)) / all;
  }
  return covered;
}

// In chains distant players have never met.
TEST(RatingTest, IntervalsCover) {
  for (const Ladder& ladder : std::vector<Ladder>{{"chain", 1, 50, 60, 0.05},
                                                  {"chain with draws", 1, 50, 60, 2},
                                                  {"steep chain", 1, 50, 150, 1},
                                                  {"drawish chain", 1, 50, 30, 8},
                                                  {"three neighbours", 3, 20, 60, 0.5},
                                                  {"everybody", kPlayers, 6, 30, 1}}) {
    const Coverage coverage = Simulate(ladder, 400);
    for (const double share : {coverage.ratings, coverage.neighbours}) {
      EXPECT_GE(share, 0.93) << ladder.name;
      EXPECT_LE(share, 0.97) << ladder.name;
    }
    // 400 trials: three standard deviations are 3.3 %.
    for (const double share : {coverage.ends, coverage.advantage, coverage.draw_share}) {
      EXPECT_GE(share, 0.917) << ladder.name;
      EXPECT_LE(share, 0.983) << ladder.name;
    }
  }
}

}  // namespace
}  // namespace crossriver
