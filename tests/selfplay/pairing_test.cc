// Who plays next.
#include "selfplay/pairing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "mcts/random.h"
#include "selfplay/match_score.h"
#include "tests/selfplay/simulated_match.h"

namespace crossriver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::SimulatedResult;

std::vector<Pairing> AllPairings(int players) {
  std::vector<Pairing> all;
  for (int i = 0; i < players; ++i) {
    for (int j = i + 1; j < players; ++j) all.push_back({i, j});
  }
  return all;
}

// Each side first in half of them, scored evenly apart from `more` wins of `i` with either side.
void AddGames(int i, int j, int64_t each, int64_t more, std::vector<PairResults>* results) {
  results->push_back({i, j, each + more, 0, each});
  results->push_back({j, i, each, 0, each + more});
}

// As names such as "3-4".
std::vector<std::string> Next(int players, const std::vector<PairResults>& results,
                              const std::vector<Pairing>& allowed, int count) {
  const absl::StatusOr<Ratings> ratings = Rate(players, results, {});
  EXPECT_TRUE(ratings.ok());
  const absl::StatusOr<std::vector<size_t>> next = NextPairings(*ratings, allowed, count);
  EXPECT_TRUE(next.ok()) << next.status();
  std::vector<std::string> names;
  for (const size_t k : *next) {
    names.push_back(std::to_string(allowed[k].i) + "-" + std::to_string(allowed[k].j));
  }
  return names;
}

TEST(NextPairingsTest, ConnectsNeighboursFirst) {
  EXPECT_THAT(Next(4, {}, AllPairings(4), 3), ElementsAre("0-1", "1-2", "2-3"));
  // A new player among old ones meets the one before it.
  std::vector<PairResults> results;
  for (int i = 0; i + 1 < 4; ++i) AddGames(i + 1, i, 20, 10, &results);
  EXPECT_THAT(Next(5, results, AllPairings(5), 1), ElementsAre("3-4"));
  // Only distant ones are allowed to meet it.
  EXPECT_THAT(Next(5, results, {{0, 1}, {0, 4}, {1, 4}}, 1), ElementsAre("1-4"));
}

TEST(NextPairingsTest, SeldomPlayedPairsTeachMost) {
  std::vector<PairResults> results;
  AddGames(0, 1, 50, 0, &results);
  AddGames(1, 2, 5, 0, &results);
  AddGames(2, 3, 50, 0, &results);
  const std::vector<Pairing> neighbours = {{0, 1}, {1, 2}, {2, 3}};
  EXPECT_THAT(Next(4, results, neighbours, 1), ElementsAre("1-2"));
}

TEST(NextPairingsTest, LargeDifferencesTeachLittle) {
  // Nobody has met anyone but player 0, and all as often: what is known of the others is the same,
  // but for their distance.
  std::vector<PairResults> results;
  AddGames(1, 0, 10, 2, &results);
  AddGames(2, 0, 10, 2, &results);
  AddGames(3, 0, 2, 40, &results);
  EXPECT_THAT(Next(4, results, {{1, 3}, {2, 3}, {1, 2}}, 1), ElementsAre("1-2"));
}

// Several at once are not all the same: each takes those before it as played.
TEST(NextPairingsTest, SeveralSpread) {
  std::vector<PairResults> results;
  std::vector<Pairing> neighbours;
  for (int i = 0; i + 1 < 6; ++i) {
    AddGames(i + 1, i, 10, 2, &results);
    neighbours.push_back({i, i + 1});
  }
  const std::vector<std::string> next = Next(6, results, neighbours, 10);
  ASSERT_EQ(next.size(), 10);
  const std::set<std::string> first(next.begin(), next.begin() + 5);
  EXPECT_EQ(first.size(), 5);
  for (const std::string& name : first) EXPECT_EQ(std::ranges::count(next, name), 2) << name;
}

TEST(NextPairingsTest, NothingToChoose) {
  EXPECT_THAT(Next(3, {}, {}, 5), IsEmpty());
  EXPECT_THAT(Next(3, {}, {{0, 1}}, 0), IsEmpty());
  EXPECT_THAT(Next(3, {}, {{0, 1}}, 2), ElementsAre("0-1", "0-1"));
}

TEST(NextPairingsTest, Errors) {
  const absl::StatusOr<Ratings> ratings = Rate(3, {}, {});
  ASSERT_TRUE(ratings.ok());
  for (const Pairing& bad : std::vector<Pairing>{{0, 3}, {-1, 1}, {2, 2}}) {
    const absl::Status status =
        NextPairings(*ratings, std::vector<Pairing>{{0, 1}, bad}, 1).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status));
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("allowed[1]: expected two different players of 0 to 2, got"));
  }
}

// The width of intervals of a ladder after the same number of games, on average over all pairs.
double MeanWidth(const std::vector<Pairing>& allowed, bool choose, double step) {
  constexpr int kPlayers = 10;
  constexpr int kPairs = 300;
  RandomStream random(11);
  std::vector<PairResults> results;
  absl::StatusOr<Ratings> ratings = Rate(kPlayers, results, {});
  for (int n = 0; n < kPairs; ++n) {
    const size_t k = choose ? NextPairings(*ratings, allowed, 1)->front()
                            : static_cast<size_t>(n) % allowed.size();
    const auto& [i, j] = allowed[k];
    for (const auto& [first, second] : {Pairing{i, j}, Pairing{j, i}}) {
      ResultCounts counts;
      counts.Add(SimulatedResult(step * (first - second), 1, &random));
      results.push_back({first, second, counts.wins, counts.draws, counts.losses});
    }
    ratings = Rate(kPlayers, results, {});
  }
  double sum = 0;
  const std::vector<Pairing> all = AllPairings(kPlayers);
  for (const auto& [i, j] : all) {
    const Estimate difference = ratings->Difference(i, j);
    sum += difference.high - difference.low;
  }
  return sum / static_cast<double>(all.size());
}

TEST(NextPairingsTest, LearnsFasterThanRoundsOfAll) {
  const std::vector<Pairing> all = AllPairings(10);
  // Far apart: neighbours alone teach anything.
  EXPECT_LT(MeanWidth(all, true, 2), 0.8 * MeanWidth(all, false, 2));
  // Near each other: distant ones do so as well, and a chain of neighbours would be worse.
  std::vector<Pairing> neighbours;
  for (int i = 0; i + 1 < 10; ++i) neighbours.push_back({i, i + 1});
  EXPECT_LT(MeanWidth(all, true, 0.3), 0.8 * MeanWidth(neighbours, true, 0.3));
}

}  // namespace
}  // namespace crossriver
