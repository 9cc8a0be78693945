// Trees of openings against a recount of the same games, on every variant.
#include "selfplay/openings/opening_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/movegen.h"
#include "core/notation.h"
#include "core/symmetry.h"
#include "core/variant_loader.h"
#include "selfplay/openings/opening_builder.h"
#include "selfplay/openings/opening_update.h"
#include "selfplay/share_interval.h"
#include "tests/random_positions.h"
#include "tests/selfplay/openings/opening_helpers.h"
#include "tests/selfplay/record_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::BranchingGame;
using testing::GameOf;
using testing::Random;
using testing::RulesOf;
using testing::TreeOf;

std::vector<GameRecord> BranchingGames(const Rules& rules, int games, int plies) {
  std::vector<GameRecord> made;
  for (int i = 0; i < games; ++i) {
    made.push_back(BranchingGame(rules, static_cast<uint64_t>(i), plies));
  }
  return made;
}

class OpeningTreeVariantTest : public ::testing::TestWithParam<std::string> {};

TEST_P(OpeningTreeVariantTest, EqualsARecount) {
  const Rules& rules = RulesOf(GetParam());
  const std::vector<GameRecord> games = BranchingGames(rules, 120, 9);
  for (const OpeningSettings settings :
       {OpeningSettings{7, 1}, OpeningSettings{7, 3}, OpeningSettings{20, 5}}) {
    const testing::TreeInMemory made = TreeOf(rules, games, settings);
    for (const CheckpointRange range : {CheckpointRange(), CheckpointRange{2, 3}}) {
      const auto counted = testing::Recount(rules, games, settings, range);
      EXPECT_EQ(made.database->QueryInt("SELECT count(*) FROM opening_positions").value(),
                static_cast<int64_t>(counted.size()));
      for (const auto& [board, expected] : counted) {
        const OpeningPosition at = made.tree->At(expected.position, {.checkpoints = range}).value();
        ASSERT_EQ(at.moves.size(), expected.moves.size()) << board;
        OpeningCounts sum;
        for (const OpeningMove& move : at.moves) {
          const auto found = expected.moves.find(move.move);
          ASSERT_NE(found, expected.moves.end()) << board << " " << move.text;
          EXPECT_EQ(move.counts, found->second) << board << " " << move.text;
          sum.Add(move.counts);
        }
        EXPECT_EQ(at.counts, sum) << board;
      }
    }
  }
}

// In one go, one after the other with the builder made anew each time, or in another order.
TEST_P(OpeningTreeVariantTest, DoesNotDependOnTheOrderOfGames) {
  const Rules& rules = RulesOf(GetParam());
  std::vector<GameRecord> games = BranchingGames(rules, 60, 8);
  const OpeningSettings settings = {8, 3};
  const std::string dump = testing::DumpTree(TreeOf(rules, games, settings).database.get());
  EXPECT_GT(std::count(dump.begin(), dump.end(), '\n'), 20);

  const PositionClasses classes(&rules);
  auto database =
      BuildOpenings(classes, settings, [](OpeningGameTaker) { return absl::OkStatus(); }).value();
  for (const GameRecord& game : games) {
    auto builder = OpeningBuilder::Create(database.get(), &classes, settings).value();
    ASSERT_TRUE(builder->Add(game).ok());
    ASSERT_TRUE(builder->Write().ok());
  }
  EXPECT_EQ(testing::DumpTree(database.get()), dump);

  Random random(5);
  for (size_t left = games.size(); left > 1; --left) {
    std::swap(games[left - 1], games[random.Below(left)]);
  }
  EXPECT_EQ(testing::DumpTree(TreeOf(rules, games, settings).database.get()), dump);
}

TEST_P(OpeningTreeVariantTest, MirrorImagesAreOne) {
  const Rules& rules = RulesOf(GetParam());
  const size_t symmetries = FindSymmetries(rules).start.size();
  for (uint64_t id = 0; id < 10; ++id) {
    const GameRecord game = BranchingGame(rules, 2 * id, 12);
    const std::string dump = testing::DumpTree(TreeOf(rules, {game, game}, {12, 1}).database.get());
    for (size_t i = 0; i < symmetries; ++i) {
      const auto mirrored = TreeOf(rules, {game, testing::Mirrored(rules, game, i)}, {12, 1});
      EXPECT_EQ(testing::DumpTree(mirrored.database.get()), dump);
    }
  }
}

// Both orders of two moves of the first player around the same move of the second.
TEST_P(OpeningTreeVariantTest, TranspositionsAreOne) {
  const Rules& rules = RulesOf(GetParam());
  const Position array = StartPosition(rules);
  std::vector<Move> legal;
  GenerateLegalMoves(array, &legal);
  const auto texts = [&](const std::vector<Move>& moves) {
    std::vector<std::string> made;
    for (const Move move : moves) made.push_back(FormatMove(rules, move));
    return made;
  };
  int found = 0;
  for (size_t i = 0; i < legal.size() && found == 0; ++i) {
    for (size_t j = i + 1; j < legal.size() && found == 0; ++j) {
      const auto play = [&](Move a, Move b, Move c) -> std::optional<Position> {
        Position position = array;
        for (const Move move : {a, b, c}) {
          if (!IsLegal(position, move)) return std::nullopt;
          position.Do(move);
        }
        return position;
      };
      Position after = array;
      after.Do(legal[i]);
      std::vector<Move> answers;
      GenerateLegalMoves(after, &answers);
      const Move answer = answers[answers.size() / 2];
      const auto one = play(legal[i], answer, legal[j]);
      const auto other = play(legal[j], answer, legal[i]);
      if (!one || !other || one->key() != other->key()) continue;
      ++found;
      GenerateLegalMoves(*one, &answers);
      const Move last = answers.front();
      const auto made = TreeOf(rules,
                               {GameOf(rules, texts({legal[i], answer, legal[j], last})),
                                GameOf(rules, texts({legal[j], answer, legal[i], last}))},
                               {10, 1});
      const OpeningPosition at = made.tree->At(*one).value();
      ASSERT_EQ(at.moves.size(), 1U);
      EXPECT_EQ(at.moves[0].counts.games, 2);
      EXPECT_EQ(at.ply, 3);
    }
  }
  EXPECT_EQ(found, 1);
}

INSTANTIATE_TEST_SUITE_P(Variants, OpeningTreeVariantTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

TEST(OpeningTreeTest, CountsFromTheMoversView) {
  const Rules& rules = RulesOf("xiangqi");
  const auto made = TreeOf(
      rules,
      {GameOf(rules, {"b1c3", "h10g8"}, Result::kWin),
       GameOf(rules, {"b1c3", "h10g8"}, Result::kLoss),
       GameOf(rules, {"b1c3", "h10g8"}, Result::kDraw),
       GameOf(rules, {"b1c3", "b10c8"}, Result::kWin), GameOf(rules, {"a1a2"}, Result::kNone)},
      {10, 1});
  Position position = StartPosition(rules);
  const OpeningPosition first = made.tree->At(position).value();
  ASSERT_EQ(first.moves.size(), 2U);
  EXPECT_EQ(first.ply, 0);
  EXPECT_EQ(first.counts.games, 5);
  EXPECT_EQ(first.moves[0].text, "b1c3");
  EXPECT_DOUBLE_EQ(first.moves[0].share, 0.8);
  EXPECT_DOUBLE_EQ(*first.moves[0].score.score, 2.5 / 4);
  EXPECT_NEAR(*first.moves[0].score.value, 0.5, 1e-4);  // records keep 16 bits
  EXPECT_DOUBLE_EQ(*first.moves[0].score.search_value, 1);
  EXPECT_DOUBLE_EQ(first.moves[0].score.visits, 10);
  EXPECT_FALSE(first.moves[1].score.score.has_value());
  EXPECT_EQ(first.moves[1].score.low, 0);
  EXPECT_EQ(first.moves[1].score.high, 1);

  position.Do(first.moves[0].move);
  const OpeningPosition second = made.tree->At(position).value();
  EXPECT_EQ(second.side_to_move, Side::kSecond);
  EXPECT_DOUBLE_EQ(*second.score.score, 1.5 / 4);
  EXPECT_EQ(made.tree->At(position, {.min_games = 2}).value().moves.size(), 1U);

  position.Do(second.moves[0].move);
  EXPECT_TRUE(made.tree->At(position).value().moves.empty());
}

// The second player's answer to a symmetric position may be either of two mirror images.
TEST(OpeningTreeTest, EqualMovesOfASymmetricPositionAreOne) {
  const Rules& rules = RulesOf("xiangqi");
  const auto made = TreeOf(
      rules, {GameOf(rules, {"b1c3"}), GameOf(rules, {"h1g3"}), GameOf(rules, {"b1a3"})}, {10, 1});
  const OpeningPosition at = made.tree->At(StartPosition(rules)).value();
  ASSERT_EQ(at.moves.size(), 2U);
  EXPECT_EQ(at.moves[0].counts.games, 2);
  EXPECT_TRUE(at.moves[0].text == "b1c3" || at.moves[0].text == "h1g3");
}

TEST(OpeningTreeTest, CheckpointsInWhichAMoveWasPopular) {
  const Rules& rules = RulesOf("xiangqi");
  std::vector<GameRecord> games;
  for (int64_t checkpoint = 0; checkpoint < 6; ++checkpoint) {
    for (int game = 0; game < 10; ++game) {
      const bool rare = checkpoint >= 1 && checkpoint <= 3 ? game < 5 : game < 1;
      games.push_back(GameOf(rules, {rare ? "a1a2" : "b1c3"}, Result::kWin, checkpoint));
    }
  }
  games.push_back(GameOf(rules, {"a1a2"}, Result::kWin, kNoCheckpoint));
  const auto made = TreeOf(rules, games, {10, 4});
  const OpeningPosition at = made.tree->At(StartPosition(rules), {.popular_share = 0.2}).value();
  ASSERT_EQ(at.moves.size(), 2U);
  EXPECT_EQ(at.moves[0].first_popular, 0);
  EXPECT_EQ(at.moves[0].last_popular, 5);
  EXPECT_EQ(at.moves[1].first_popular, 1);
  EXPECT_EQ(at.moves[1].last_popular, 3);
  const OpeningPosition late =
      made.tree->At(StartPosition(rules), {.checkpoints = {4, 5}, .popular_share = 0.2}).value();
  EXPECT_EQ(late.counts.games, 20);
  EXPECT_EQ(late.moves[1].counts.games, 2);
  EXPECT_EQ(late.moves[1].first_popular, 1);
  const auto by_checkpoint = made.tree->ByCheckpoint(StartPosition(rules)).value();
  ASSERT_EQ(by_checkpoint.size(), 7U);
  EXPECT_EQ(by_checkpoint[0].first, kNoCheckpoint);
  EXPECT_EQ(by_checkpoint[6].second.games, 10);
}

TEST(OpeningTreeTest, MeasuresDiversity) {
  const Rules& rules = RulesOf("xiangqi");
  const std::vector<GameRecord> games = {
      GameOf(rules, {"b1c3", "a10a9"}), GameOf(rules, {"b1c3", "a10a9"}),
      GameOf(rules, {"a1a2", "a10a9"}), GameOf(rules, {"c1e3", "b10c8"})};
  const auto made = TreeOf(rules, games, {10, 1});
  const std::vector<OpeningPly> plies = made.tree->Diversity({}).value();
  ASSERT_EQ(plies.size(), 2U);
  EXPECT_EQ(plies[0].ply, 0);
  EXPECT_EQ(plies[0].games, 4);
  EXPECT_EQ(plies[0].positions, 1);
  EXPECT_DOUBLE_EQ(plies[0].position_entropy, 0);
  EXPECT_DOUBLE_EQ(plies[0].move_entropy, 1.5);  // shares of 1/2, 1/4, 1/4
  EXPECT_DOUBLE_EQ(plies[0].common_position, 1);
  EXPECT_DOUBLE_EQ(plies[0].common_move, 0.5);
  EXPECT_EQ(plies[1].positions, 3);
  EXPECT_DOUBLE_EQ(plies[1].position_entropy, 1.5);
  EXPECT_DOUBLE_EQ(plies[1].move_entropy, 0);
  EXPECT_DOUBLE_EQ(plies[1].common_position, 0.5);
  EXPECT_TRUE(made.tree->Diversity({7, 9}).value().empty());

  // Games that have left the tree are in positions of their own: they do not make it look narrow.
  const auto thin = TreeOf(rules, games, {10, 2});
  const std::vector<OpeningPly> kept = thin.tree->Diversity({}).value();
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[1].games, 2);
  EXPECT_EQ(kept[1].positions, 1);
  EXPECT_EQ(kept[1].all_games, 4);
  EXPECT_DOUBLE_EQ(kept[1].position_entropy, 1.5);
  EXPECT_DOUBLE_EQ(kept[1].common_position, 0.5);
  EXPECT_DOUBLE_EQ(kept[1].common_move, 1);
}

TEST(OpeningTreeTest, ErrorsOfOtherTrees) {
  const Rules& rules = RulesOf("xiangqi");
  auto empty = Database::Open(":memory:", Database::Mode::kCreate, {}).value();
  EXPECT_TRUE(absl::IsNotFound(OpeningTree::Open(empty.get(), &rules).status()));
  const auto made = TreeOf(rules, {}, {10, 1});
  const absl::Status other = OpeningTree::Open(made.database.get(), &RulesOf("shogi")).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(other));
  EXPECT_TRUE(absl::IsNotFound(OpeningTree::OpenFile("/nowhere/run.db", &rules).status()));
}

TEST(OpeningCountsTest, IntervalsAsPublished) {
  // Wilson's, by hand from his formula.
  EXPECT_NEAR(WilsonInterval(0, 10).low, 0, 1e-12);
  EXPECT_NEAR(WilsonInterval(0, 10).high, 0.27753, 1e-5);
  EXPECT_NEAR(WilsonInterval(81, 263).low, 0.2553, 1e-4);  // Newcombe 1998a, table I
  EXPECT_NEAR(WilsonInterval(81, 263).high, 0.3662, 1e-4);
  // Newcombe 1998b, table II, method 10.
  const ShareInterval difference = DifferenceInterval(48, 80, 56, 70);
  EXPECT_NEAR(difference.low, 0.0524, 1e-4);
  EXPECT_NEAR(difference.high, 0.3339, 1e-4);
}

}  // namespace
}  // namespace crossriver
