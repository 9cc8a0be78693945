// Start positions of every variant, and the pool of positions to restart from.
#include "selfplay/starts.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/adjudicator.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"
#include "tests/selfplay/selfplay_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::RulesOf;

class StartsTest : public ::testing::TestWithParam<std::string> {};

void CheckStart(const Rules& rules, const Position& position) {
  const auto read = ParseFen(rules, FormatFen(position));
  ASSERT_TRUE(read.ok()) << read.status() << " " << FormatFen(position);
  EXPECT_EQ(*read, position);
  EXPECT_FALSE(Adjudicate(position, History(position), HasLegalMove(position)).is_over());
  EXPECT_EQ(position.no_progress(), 0);
}

TEST_P(StartsTest, ArmiesAreValidAndVaried) {
  const Rules& rules = RulesOf(GetParam());
  SelfPlayOptions options;
  const StartMaker starts(&rules, options, nullptr);
  RandomStream random(7);
  std::set<std::string> fens;
  int kinds = 0;
  int fewest = 1000;
  bool scattered = false;
  for (int i = 0; i < 60; ++i) {
    const Start start = starts.Make(StartKind::kArmy, &random);
    CheckStart(rules, start.position);
    fens.insert(FormatFen(start.position));
    kinds += start.kind == StartKind::kArmy ? 1 : 0;
    fewest = std::min(fewest, start.position.occupied().size());
    for (const Cell cell : start.position.occupied()) {
      scattered |= start.position.piece_at(cell) != starts.array().piece_at(cell);
    }
  }
  EXPECT_GE(kinds, 55);
  EXPECT_GE(fens.size(), 50U);
  EXPECT_LT(2 * fewest, starts.array().occupied().size() + 2);
  EXPECT_TRUE(scattered);
}

TEST_P(StartsTest, RandomPliesAreValidAndVaried) {
  const Rules& rules = RulesOf(GetParam());
  const StartMaker starts(&rules, {}, nullptr);
  RandomStream random(7);
  std::set<std::string> fens;
  for (int i = 0; i < 30; ++i) {
    const Start start = starts.Make(StartKind::kRandomPlies, &random);
    EXPECT_EQ(start.kind, StartKind::kRandomPlies);
    CheckStart(rules, start.position);
    fens.insert(FormatFen(start.position));
  }
  EXPECT_GE(fens.size(), 25U);
}

TEST_P(StartsTest, StartsByPolicyAreValid) {
  const Rules& rules = RulesOf(GetParam());
  SelfPlayOptions options = testing::QuickOptions();
  options.start_random_plies = options.start_restart = options.start_army = 0;
  options.start_policy = 1;
  options.max_plies = 1;
  std::set<std::string> fens;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const GameRecord record = testing::PlayGame(rules, options, seed);
    EXPECT_EQ(record.start_kind, StartKind::kPolicy);
    EXPECT_EQ(record.moves.size(), 1U);
    const auto position = ParseFen(rules, record.start_fen);
    ASSERT_TRUE(position.ok());
    CheckStart(rules, *position);
    fens.insert(record.start_fen);
  }
  EXPECT_GE(fens.size(), 15U);
}

INSTANTIATE_TEST_SUITE_P(Variants, StartsTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

TEST(StartMakerTest, GivenOpenings) {
  const Rules& rules = RulesOf("switchback");
  RandomStream random(7);
  std::vector<Position> openings;
  std::set<std::string> given;
  const StartMaker other(&rules, {}, nullptr);
  for (int i = 0; i < 5; ++i) {
    openings.push_back(other.Make(StartKind::kRandomPlies, &random).position);
    given.insert(FormatFen(openings.back()));
  }
  SelfPlayOptions options;
  options.start_random_plies = options.start_policy = options.start_restart = options.start_army =
      0;
  options.start_opening = 1;
  const StartMaker starts(&rules, options, nullptr, &openings);
  std::set<std::string> made;
  for (int i = 0; i < 60; ++i) {
    ASSERT_EQ(starts.DrawKind(&random), StartKind::kOpening);
    const Start start = starts.Make(StartKind::kOpening, &random);
    EXPECT_EQ(start.kind, StartKind::kOpening);
    made.insert(FormatFen(start.position));
  }
  EXPECT_EQ(made, given);
  // Without any, games begin from the array.
  EXPECT_EQ(other.Make(StartKind::kOpening, &random).kind, StartKind::kArray);
}

TEST(StartMakerTest, EqualStreamsMakeEqualStarts) {
  const StartMaker starts(&RulesOf("switchback"), {}, nullptr);
  for (const StartKind kind : {StartKind::kArmy, StartKind::kRandomPlies}) {
    RandomStream one(3);
    RandomStream other(3);
    EXPECT_EQ(starts.Make(kind, &one).position, starts.Make(kind, &other).position);
    EXPECT_EQ(one.Next(), other.Next());
  }
}

TEST(StartMakerTest, KindsByTheirShares) {
  SelfPlayOptions options;
  options.start_random_plies = 0.1;
  options.start_policy = 0.2;
  options.start_restart = 0.3;
  options.start_army = 0.15;
  const StartMaker starts(&RulesOf("switchback"), options, nullptr);
  RandomStream random(5);
  std::map<StartKind, int> counts;
  for (int i = 0; i < 10000; ++i) ++counts[starts.DrawKind(&random)];
  EXPECT_NEAR(counts[StartKind::kRandomPlies], 1000, 200);
  EXPECT_NEAR(counts[StartKind::kPolicy], 2000, 200);
  EXPECT_NEAR(counts[StartKind::kRestart], 3000, 200);
  EXPECT_NEAR(counts[StartKind::kArmy], 1500, 200);
  EXPECT_NEAR(counts[StartKind::kArray], 2500, 200);
}

GameRecord SomeGame(const Rules& rules, uint64_t seed) {
  SelfPlayOptions options = testing::QuickOptions();
  options.full_share = 1;
  return testing::PlayGame(rules, options, seed);
}

TEST(StartPoolTest, AnEmptyPoolFallsBackToTheArray) {
  const StartPool pool(10);
  const StartMaker starts(&RulesOf("switchback"), {}, &pool);
  RandomStream random(1);
  const Start start = starts.Make(StartKind::kRestart, &random);
  EXPECT_EQ(start.kind, StartKind::kArray);
  EXPECT_EQ(start.position, starts.array());
}

TEST(StartPoolTest, TakesTheMostSurprisingPosition) {
  const Rules& rules = RulesOf("switchback");
  GameRecord record = SomeGame(rules, 1);
  ASSERT_GT(record.moves.size(), 8U);
  for (RecordedMove& move : record.moves) move.surprise = 0;
  record.moves[7].surprise = 3;
  Position expected = *ParseFen(rules, record.start_fen);
  for (size_t ply = 0; ply < 7; ++ply) expected.Do(record.moves[ply].move);
  StartPool pool(10);
  pool.Add(rules, record);
  RandomStream random(1);
  int hits = 0;
  for (int i = 0; i < 20; ++i) {
    hits += pool.Draw(rules, /*surprising=*/true, &random) == FormatFen(expected) ? 1 : 0;
  }
  EXPECT_GE(hits, 19);  // two positions: eight draws all miss it once in 256 times
  const StartMaker starts(&rules, {}, &pool);
  const Start start = starts.Make(StartKind::kRestart, &random);
  EXPECT_EQ(start.kind, StartKind::kRestart);
  CheckStart(rules, start.position);
}

TEST(StartPoolTest, StaysWithinItsBoundAndForgetsTheOldest) {
  const Rules& rules = RulesOf("minishogi");
  StartPool pool(6);
  std::set<std::string> old;
  RandomStream random(1);
  for (uint64_t seed = 0; seed < 3; ++seed) pool.Add(rules, SomeGame(rules, seed));
  for (int i = 0; i < 200; ++i) old.insert(*pool.Draw(rules, false, &random));
  for (uint64_t seed = 10; seed < 20; ++seed) pool.Add(rules, SomeGame(rules, seed));
  EXPECT_EQ(pool.size(), 6U);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(old.count(*pool.Draw(rules, false, &random)), 0U);
}

TEST(StartPoolTest, TakesNothingOfWhatItCannotUse) {
  const Rules& rules = RulesOf("switchback");
  StartPool pool(10);
  pool.Add(rules, SomeGame(RulesOf("xiangqi"), 1));
  GameRecord unreadable = SomeGame(rules, 1);
  unreadable.start_fen = "nonsense";
  pool.Add(rules, unreadable);
  GameRecord unsearched = SomeGame(rules, 1);
  for (RecordedMove& move : unsearched.moves) move.visits = 0;
  pool.Add(rules, unsearched);
  pool.Add(rules, GameRecord());
  EXPECT_EQ(pool.size(), 0U);
  GameRecord illegal = SomeGame(rules, 1);
  illegal.moves[0].move = Move();
  for (RecordedMove& move : illegal.moves) move.surprise = 0;
  illegal.moves.back().surprise = 1;
  pool.Add(rules, illegal);
  EXPECT_LE(pool.size(), 1U);
}

TEST(StartPoolTest, KeepsVariantsApart) {
  const Rules& weak = RulesOf("shoxiang-sh-weak");
  const Rules& strong = RulesOf("shoxiang-sh-strong");
  StartPool pool(4);
  RandomStream random(1);
  pool.Add(weak, SomeGame(weak, 1));
  EXPECT_FALSE(pool.Draw(strong, false, &random).has_value());
  std::set<std::string> of_weak;
  for (int i = 0; i < 100; ++i) of_weak.insert(*pool.Draw(weak, false, &random));
  for (uint64_t seed = 2; seed < 8; ++seed) pool.Add(strong, SomeGame(strong, seed));
  EXPECT_EQ(pool.size(), of_weak.size() + 4);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(of_weak.count(*pool.Draw(weak, false, &random)), 1U);
}

TEST(StartPoolTest, ServesSeveralThreads) {
  const Rules& rules = RulesOf("minishogi");
  const GameRecord record = SomeGame(rules, 1);
  StartPool pool(50);
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      RandomStream random(i);
      for (int n = 0; n < 100; ++n) {
        pool.Add(rules, record);
        EXPECT_TRUE(pool.Draw(rules, true, &random).has_value());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool.size(), 50U);
}

}  // namespace
}  // namespace crossriver
