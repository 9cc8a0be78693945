// Books: that they grow where they should, and say what was found.
#include "selfplay/openings/book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"
#include "mcts/rollout_evaluator.h"
#include "mcts/uniform_evaluator.h"
#include "tests/selfplay/openings/opening_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using ::testing::HasSubstr;
using testing::RulesOf;

BookOptions SmallBook(int64_t positions) {
  BookOptions options;
  options.positions = positions;
  options.visits = 30;
  options.at_a_time = 8;
  return options;
}

std::vector<BookPosition> Build(const Rules& rules, const BookOptions& options,
                                OpeningTree* tree = nullptr) {
  const PositionClasses classes(&rules);
  UniformEvaluator evaluator;
  return BuildBook(StartPosition(rules), {}, options, tree, classes, &evaluator).value();
}

class BookVariantTest : public ::testing::TestWithParam<std::string> {};

TEST_P(BookVariantTest, IsOfDifferentPositionsByLegalLines) {
  const Rules& rules = RulesOf(GetParam());
  const PositionClasses classes(&rules);
  const std::vector<BookPosition> book = Build(rules, SmallBook(40));
  ASSERT_EQ(book.size(), 40U);
  EXPECT_TRUE(book[0].line.empty());
  EXPECT_EQ(book[0].cost, 0);
  std::set<uint64_t> seen;
  for (const BookPosition& position : book) {
    Position at = StartPosition(rules);
    for (const Move move : position.line) {
      ASSERT_TRUE(IsLegal(at, move));
      at.Do(move);
    }
    EXPECT_EQ(at, position.position);
    EXPECT_TRUE(seen.insert(classes.ClassOf(at).key).second);
    EXPECT_TRUE(position.searched);
    EXPECT_GE(position.value, 0);
    EXPECT_LE(position.value, 1);
    for (const BookMove& move : position.moves) EXPECT_TRUE(IsLegal(at, move.move));
  }
  for (size_t i = 1; i < book.size(); ++i) EXPECT_GE(book[i].cost, book[i - 1].cost);
}

INSTANTIATE_TEST_SUITE_P(Variants, BookVariantTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

// Each cost is the cheapest sum along moves of the book, and each value the best answered score.
TEST(BookTest, CostsAndValuesFollowFromItsMoves) {
  const Rules& rules = RulesOf("minishogi");
  const PositionClasses classes(&rules);
  RolloutOptions rollouts;
  rollouts.games = 2;
  RolloutEvaluator evaluator(rollouts);
  const BookOptions options = SmallBook(60);
  const std::vector<BookPosition> book =
      BuildBook(StartPosition(rules), {}, options, nullptr, classes, &evaluator).value();
  std::map<uint64_t, const BookPosition*> by_key;
  for (const BookPosition& position : book) {
    by_key[classes.ClassOf(position.position).key] = &position;
  }
  std::map<uint64_t, double> cheapest = {{classes.ClassOf(book[0].position).key, 0}};
  for (const BookPosition& position : book) {
    for (const BookMove& move : position.moves) {
      Position after = position.position;
      after.Do(move.move);
      const uint64_t key = classes.ClassOf(after).key;
      EXPECT_EQ(by_key.count(key) != 0, move.in_book);
      EXPECT_GE(move.cost, position.cost + options.ply_cost);
      if (!move.in_book) continue;
      EXPECT_NEAR(move.score, 1 - by_key[key]->value, 1e-9);
      const auto at = cheapest.try_emplace(key, move.cost).first;
      at->second = std::min(at->second, move.cost);
    }
  }
  for (const auto& [key, position] : by_key) EXPECT_NEAR(position->cost, cheapest[key], 1e-9);
}

TEST(BookTest, GamesSpareSearches) {
  const Rules& rules = RulesOf("xiangqi");
  std::vector<GameRecord> games;
  for (int i = 0; i < 40; ++i) {
    games.push_back(testing::GameOf(rules, {i < 30 ? "b1c3" : "c1e3", "b10c8"},
                                    i % 4 == 0 ? Result::kLoss : Result::kWin));
  }
  const auto made = testing::TreeOf(rules, games, {10, 1});
  BookOptions options = SmallBook(12);
  options.thick_games = 35;
  const std::vector<BookPosition> book = Build(rules, options, made.tree.get());
  EXPECT_FALSE(book[0].searched);
  EXPECT_EQ(book[0].games, 40);
  ASSERT_EQ(book[0].moves.size(), 2U);
  EXPECT_NEAR(book[0].moves[0].share, 0.75, 1e-9);
  EXPECT_EQ(book[0].moves[0].games, 30);
  for (size_t i = 1; i < book.size(); ++i) EXPECT_TRUE(book[i].searched);
  options.checkpoints = {1, 2};  // of which there are no games
  const std::vector<BookPosition> late = Build(rules, options, made.tree.get());
  EXPECT_TRUE(late[0].searched);
  EXPECT_EQ(late[0].games, 0);
}

// In a position that is its own mirror image, with the games and visits of both.
TEST(BookTest, MovesThatMirrorEachOtherAreOne) {
  const Rules& rules = RulesOf("xiangqi");
  const PositionClasses classes(&rules);
  std::vector<GameRecord> games;
  for (int i = 0; i < 40; ++i) {
    games.push_back(testing::GameOf(rules, {i < 30 ? "b1c3" : "h1g3"}));
  }
  const auto made = testing::TreeOf(rules, games, {10, 1});
  BookOptions options = SmallBook(1);
  options.visits = 300;
  const std::vector<BookPosition> book = Build(rules, options, made.tree.get());
  ASSERT_EQ(book.size(), 1U);
  EXPECT_TRUE(book[0].searched);
  EXPECT_LE(book[0].moves.size(), 23U);  // of 44, two of which are their own mirror images
  std::set<uint64_t> seen;
  int64_t most_games = 0;
  for (const BookMove& move : book[0].moves) {
    Position after = book[0].position;
    after.Do(move.move);
    EXPECT_TRUE(seen.insert(classes.ClassOf(after).key).second) << FormatMove(rules, move.move);
    most_games = std::max(most_games, move.games);
  }
  EXPECT_EQ(most_games, 40);
}

TEST(BookTest, TakesWhatIsProven) {
  const Rules& rules = RulesOf("xiangqi");
  const PositionClasses classes(&rules);
  const Position start =
      ParseFen(rules, "n3k4/2par4/4P4/6p2/9/2B5c/9/3K4P/C4R3/5R3 w 16 241").value();
  UniformEvaluator evaluator;
  BookOptions options = SmallBook(1);
  options.visits = 300;
  const std::vector<BookPosition> book =
      BuildBook(start, {}, options, nullptr, classes, &evaluator).value();
  ASSERT_FALSE(book[0].moves.empty());
  EXPECT_DOUBLE_EQ(book[0].value, 1);
  EXPECT_TRUE(book[0].moves[0].proven);
  EXPECT_TRUE(book[0].moves[0].ends_game);
  EXPECT_DOUBLE_EQ(book[0].moves[0].score, 1);
}

TEST(BookTest, EndsWhereItShall) {
  const Rules& rules = RulesOf("minishogi");
  BookOptions options = SmallBook(1000);
  options.max_ply = 1;
  const std::vector<BookPosition> book = Build(rules, options);
  EXPECT_LT(book.size(), 40U);  // the array and what follows
  for (const BookPosition& position : book) EXPECT_LE(position.line.size(), 1U);
  options = SmallBook(1000);
  options.progress = [](int64_t positions) { return positions < 20; };
  EXPECT_LT(Build(rules, options).size(), 40U);
}

TEST(BookTest, TheSameForTheSameSeed) {
  const Rules& rules = RulesOf("switchback");
  const std::vector<BookPosition> one = Build(rules, SmallBook(30));
  const std::vector<BookPosition> other = Build(rules, SmallBook(30));
  ASSERT_EQ(one.size(), other.size());
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].line, other[i].line);
    EXPECT_EQ(one[i].cost, other[i].cost);
  }
}

TEST(BookTest, NamesWhatIsWrong) {
  const struct {
    const char* says;
    void (*spoil)(BookOptions*);
  } cases[] = {
      {"positions: expected at least 1", [](BookOptions* o) { o->positions = 0; }},
      {"visits: expected at least 1", [](BookOptions* o) { o->visits = 0; }},
      {"max_ply: expected at least 1", [](BookOptions* o) { o->max_ply = -1; }},
      {"loss_cost: expected a number from 0", [](BookOptions* o) { o->loss_cost = std::nan(""); }},
  };
  for (const auto& bad : cases) {
    BookOptions options;
    bad.spoil(&options);
    EXPECT_THAT(std::string(Validate(options).message()), HasSubstr(bad.says));
  }
}

}  // namespace
}  // namespace crossriver
