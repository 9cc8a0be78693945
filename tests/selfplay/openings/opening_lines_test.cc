// Main lines and changes of small trees.
#include "selfplay/openings/opening_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/notation.h"
#include "tests/selfplay/openings/opening_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using ::testing::ElementsAre;
using testing::GameOf;
using testing::RulesOf;
using testing::TreeOf;

using Texts = std::vector<std::string>;

void AddGames(int games, const Texts& moves, std::vector<GameRecord>* all,
              Result result = Result::kWin, int64_t checkpoint = 0) {
  for (int i = 0; i < games; ++i) {
    all->push_back(GameOf(RulesOf("xiangqi"), moves, result, checkpoint));
  }
}

TEST(MainLinesTest, BranchWhereMostGamesLeave) {
  const Rules& rules = RulesOf("xiangqi");
  std::vector<GameRecord> games;
  AddGames(5, {"a1a2", "a10a9", "a2a1"}, &games);
  AddGames(3, {"a1a2", "b10c8"}, &games, Result::kLoss);
  AddGames(2, {"c1e3"}, &games, Result::kDraw);
  const auto made = TreeOf(rules, games, {10, 1});
  const auto lines = MainLines(made.tree.get(), StartPosition(rules), {}).value();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_THAT(lines[0].texts, ElementsAre("a1a2", "a10a9", "a2a1"));
  EXPECT_DOUBLE_EQ(lines[0].reach, 0.5);
  EXPECT_DOUBLE_EQ(*lines[0].score.score, 1);
  EXPECT_DOUBLE_EQ(*lines[0].score.search_value, 1);
  EXPECT_THAT(lines[1].texts, ElementsAre("a1a2", "b10c8"));
  EXPECT_DOUBLE_EQ(lines[1].reach, 0.3);
  EXPECT_EQ(lines[1].counts.games, 3);
  EXPECT_DOUBLE_EQ(*lines[1].score.score, 0);
  // The second player's opinion of the move before last.
  EXPECT_DOUBLE_EQ(*lines[1].score.search_value, 0);
  EXPECT_THAT(lines[2].texts, ElementsAre("c1e3"));

  OpeningLineOptions options;
  options.max_lines = 1;
  options.max_plies = 2;
  EXPECT_THAT(MainLines(made.tree.get(), StartPosition(rules), options).value()[0].texts,
              ElementsAre("a1a2", "a10a9"));
  options.query.min_games = 4;
  options.max_lines = 5;
  EXPECT_EQ(MainLines(made.tree.get(), StartPosition(rules), options).value().size(), 1U);
}

// A line ends where it would go round in a circle.
TEST(MainLinesTest, EndInACircle) {
  const Rules& rules = RulesOf("xiangqi");
  std::vector<GameRecord> games;
  AddGames(3, {"a1a2", "a10a9", "a2a1", "a9a10", "c1e3"}, &games);
  const auto made = TreeOf(rules, games, {10, 1});
  const auto lines = MainLines(made.tree.get(), StartPosition(rules), {}).value();
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].moves.size(), 4U);
}

TEST(CompareOpeningsTest, MovesThatRoseAndFell) {
  const Rules& rules = RulesOf("xiangqi");
  std::vector<GameRecord> games;
  AddGames(70, {"a1a2", "b10c8"}, &games, Result::kWin, 1);
  AddGames(30, {"c1e3", "b10c8"}, &games, Result::kLoss, 1);
  AddGames(20, {"a1a2", "b10c8"}, &games, Result::kWin, 2);
  AddGames(80, {"c1e3", "b10c8"}, &games, Result::kLoss, 2);
  AddGames(100, {"b1a3"}, &games, Result::kLoss, 3);  // of no interest
  const auto made = TreeOf(rules, games, {10, 1});
  OpeningChangeOptions options;
  options.before = {1, 1};
  options.after = {2, 2};
  const OpeningChanges changes =
      CompareOpenings(made.tree.get(), StartPosition(rules), options).value();
  ASSERT_EQ(changes.moves.size(), 2U);
  for (const MoveChange& change : changes.moves) {
    EXPECT_TRUE(change.line.empty());
    EXPECT_EQ(change.games_before, 100);
    EXPECT_EQ(change.games_after, 100);
    EXPECT_TRUE(change.is_certain());
    const bool rose = change.text == "c1e3";
    EXPECT_DOUBLE_EQ(change.share_before, rose ? 0.3 : 0.7);
    EXPECT_DOUBLE_EQ(change.share_after, rose ? 0.8 : 0.2);
    EXPECT_LT(change.difference.low, change.share_after - change.share_before);
    EXPECT_GT(change.difference.high, change.share_after - change.share_before);
  }
  EXPECT_TRUE(changes.values.empty());  // 1/2 throughout

  options.min_games = 101;
  EXPECT_TRUE(
      CompareOpenings(made.tree.get(), StartPosition(rules), options).value().moves.empty());
}

TEST(CompareOpeningsTest, ValuesAreTheFirstPlayers) {
  const Rules& rules = RulesOf("xiangqi");
  std::vector<GameRecord> games;
  AddGames(25, {"a1a2", "b10c8"}, &games, Result::kWin, 1);
  AddGames(25, {"a1a2", "b10c8"}, &games, Result::kWin, 2);
  for (GameRecord& game : games) {
    const bool late = game.moves[0].checkpoint == 2;
    game.moves[1].raw = late ? Wdl{0.2F, 0, 0.8F} : Wdl{0.6F, 0, 0.4F};
  }
  const auto made = TreeOf(rules, games, {10, 1});
  OpeningChangeOptions options;
  options.before = {1, 1};
  options.after = {2, 2};
  const OpeningChanges changes =
      CompareOpenings(made.tree.get(), StartPosition(rules), options).value();
  EXPECT_TRUE(changes.moves.empty());
  ASSERT_EQ(changes.values.size(), 1U);
  EXPECT_THAT(changes.values[0].line, ElementsAre("a1a2"));
  EXPECT_NEAR(changes.values[0].value_before, 0.4, 1e-4);
  EXPECT_NEAR(changes.values[0].value_after, 0.8, 1e-4);
  EXPECT_DOUBLE_EQ(*changes.values[0].score_before, 1);
}

}  // namespace
}  // namespace crossriver
