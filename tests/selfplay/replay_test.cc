// The replay window: what becomes of records, and what is drawn.
#include "selfplay/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/movegen.h"
#include "tests/selfplay/selfplay_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::PlayGame;
using testing::QuickOptions;
using testing::SharedRulesOf;

GameRecord Game(const Rules& rules, uint64_t id) {
  GameRecord record = PlayGame(rules, QuickOptions(), /*seed=*/id);
  record.id = id;
  return record;
}

int FullSearches(const GameRecord& record) {
  return static_cast<int>(std::count_if(record.moves.begin(), record.moves.end(),
                                        [](const RecordedMove& move) { return move.full; }));
}

TEST(ReplayOptionsTest, WindowGrowsByAPowerLaw) {
  ReplayOptions options;
  options.min_rows = 1000;
  options.growth = 0.4;
  options.exponent = 0.65;
  options.max_rows = 20'000;
  EXPECT_EQ(WindowRows(options, 0), 1000);
  EXPECT_EQ(WindowRows(options, 1000), 1000);
  // 1000 (1 + 0.4 (10^0.65 - 1) / 0.65) = 3133.5
  EXPECT_EQ(WindowRows(options, 10'000), 3133);
  // At first by `growth` rows a row.
  EXPECT_NEAR(static_cast<double>(WindowRows(options, 1010)), 1004, 1);
  EXPECT_EQ(WindowRows(options, 1'000'000'000), 20'000);
}

TEST(ReplayOptionsTest, MistakesAreNamed) {
  ReplayOptions options;
  EXPECT_TRUE(Validate(options).ok());
  options.max_rows = options.min_rows - 1;
  EXPECT_EQ(Validate(options).message().substr(0, 8), "max_rows");
  options = {};
  options.exponent = 2;
  EXPECT_EQ(Validate(options).message().substr(0, 8), "exponent");
}

class ReplayTest : public ::testing::TestWithParam<const char*> {};

// Everything a drawn row says, against the game it is of.
TEST_P(ReplayTest, RowsAreThoseOfTheGame) {
  const auto rules = SharedRulesOf(GetParam());
  for (uint64_t id = 1; id <= 6; ++id) {
    const GameRecord record = Game(*rules, id);
    ReplayWindow window(rules, ReplayOptions());
    ASSERT_TRUE(window.Add(record).ok());
    ASSERT_EQ(window.rows(), FullSearches(record));
    if (window.rows() == 0) continue;
    std::map<uint64_t, std::vector<int>> plies;  // by the position's key
    std::vector<Side> movers;
    ASSERT_TRUE(
        ReplayRecord(*rules, record, [&](int ply, const Position& position, const History&, auto) {
          plies[position.key()].push_back(ply);
          movers.push_back(position.side_to_move());
          return true;
        }).ok());
    RandomStream random(id);
    for (const TrainingRow& row : window.Sample(200, &random)) {
      ASSERT_TRUE(plies.contains(row.position.key()));
      std::vector<Move> legal;
      GenerateLegalMoves(row.position, &legal);
      EXPECT_EQ(row.moves, legal);
      EXPECT_NEAR(std::accumulate(row.policy.begin(), row.policy.end(), 0.0), 1, 1e-4);
      EXPECT_EQ(row.policy_weight, 1);
      EXPECT_EQ(row.game_id, id);
      // A position that comes twice has several plies; one of them must fit.
      const bool fits = std::any_of(
          plies[row.position.key()].begin(), plies[row.position.key()].end(), [&](int ply) {
            const auto at = static_cast<size_t>(ply);
            if (at >= record.moves.size() || !record.moves[at].full) return false;
            if (row.policy != ExpandPolicy(record.moves[at].policy, legal)) return false;
            return row.search == record.moves[at].root;
          });
      EXPECT_TRUE(fits);
      EXPECT_EQ(row.outcome.has_value(), record.result != Result::kNone);
      if (record.result == Result::kWin || record.result == Result::kLoss) {
        const bool first_won = record.result == Result::kWin;
        const bool mover_won = first_won == (row.position.side_to_move() == Side::kFirst);
        EXPECT_EQ(row.outcome->win, mover_won ? 1 : 0);
        EXPECT_EQ(row.outcome->loss, mover_won ? 0 : 1);
      }
      EXPECT_EQ(row.plies_left.has_value(), row.outcome.has_value() && !record.resigned);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Variants, ReplayTest,
                         ::testing::Values("minishogi", "switchback", "shoxiang-xq-standard"));

TEST(ReplayWindowTest, HoldsGamesOfSeveralVariants) {
  const auto weak = SharedRulesOf("shoxiang-sh-weak");
  const auto strong = SharedRulesOf("shoxiang-sh-strong");
  const absl::StatusOr<VariantGroup> group = VariantGroup::Create({weak, strong});
  ASSERT_TRUE(group.ok()) << group.status();
  ReplayWindow window(*group, ReplayOptions());
  ASSERT_TRUE(window.Add(Game(*weak, 1)).ok());
  ASSERT_TRUE(window.Add(Game(*strong, 2)).ok());
  RandomStream random(1);
  std::set<std::pair<uint64_t, std::string>> seen;
  for (const TrainingRow& row : window.Sample(500, &random)) {
    seen.emplace(row.game_id, row.position.rules().definition().id);
  }
  EXPECT_EQ(seen, (std::set<std::pair<uint64_t, std::string>>{{1, "shoxiang-sh-weak"},
                                                              {2, "shoxiang-sh-strong"}}));
  const absl::Status other = window.Add(Game(*SharedRulesOf("shoxiang-sh-standard"), 3));
  EXPECT_EQ(other.code(), absl::StatusCode::kInvalidArgument);
}

TEST(ReplayWindowTest, OldestGamesGo) {
  const auto rules = SharedRulesOf("minishogi");
  ReplayOptions options;
  options.min_rows = 60;
  options.growth = 0;
  ReplayWindow window(rules, options);
  std::vector<int> rows;
  for (uint64_t id = 1; id <= 20; ++id) {
    const GameRecord record = Game(*rules, id);
    rows.push_back(FullSearches(record));
    ASSERT_TRUE(window.Add(record).ok());
    // As few games as have 60 rows.
    int64_t kept = 0;
    size_t first = rows.size();
    while (first > 0 && kept < 60) kept += rows[--first];
    EXPECT_EQ(window.rows(), kept) << id;
  }
  RandomStream random(1);
  std::set<uint64_t> seen;
  for (const TrainingRow& row : window.Sample(2000, &random)) seen.insert(row.game_id);
  EXPECT_EQ(*seen.rbegin(), 20U);
  EXPECT_GT(*seen.begin(), 10U);
  EXPECT_EQ(window.total_rows(), std::accumulate(rows.begin(), rows.end(), int64_t{0}));
}

TEST(ReplayWindowTest, EqualSeedsDrawEqualRows) {
  const auto rules = SharedRulesOf("minishogi");
  ReplayWindow window(rules, ReplayOptions());
  for (uint64_t id = 1; id <= 4; ++id) ASSERT_TRUE(window.Add(Game(*rules, id)).ok());
  RandomStream first(9), second(9), third(10);
  const auto keys = [&window](RandomStream* random) {
    std::vector<uint64_t> list;
    for (const TrainingRow& row : window.Sample(50, random)) list.push_back(row.position.key());
    return list;
  };
  const std::vector<uint64_t> drawn = keys(&first);
  EXPECT_EQ(drawn, keys(&second));
  EXPECT_NE(drawn, keys(&third));
}

TEST(ReplayWindowTest, CheapSearchesTeachValuesOnly) {
  const auto rules = SharedRulesOf("minishogi");
  ReplayOptions options;
  options.cheap_rows = true;
  ReplayWindow window(rules, options);
  const GameRecord record = Game(*rules, 4);
  ASSERT_TRUE(window.Add(record).ok());
  const auto searched =
      std::count_if(record.moves.begin(), record.moves.end(),
                    [](const RecordedMove& move) { return move.full || move.visits > 0; });
  EXPECT_EQ(window.rows(), searched);
  RandomStream random(1);
  std::set<float> weights;
  for (const TrainingRow& row : window.Sample(300, &random)) weights.insert(row.policy_weight);
  EXPECT_EQ(weights, (std::set<float>{0, 1}));
}

TEST(ReplayWindowTest, SurpriseWeighsRowsAndKeepsTheGamesWeight) {
  const auto rules = SharedRulesOf("minishogi");
  ReplayOptions options;
  options.surprise_share = 0.5;
  ReplayWindow window(rules, options);
  GameRecord record = Game(*rules, 5);
  double sum = 0;
  int rows = 0;
  for (RecordedMove& move : record.moves) {
    if (!move.full) continue;
    move.surprise = static_cast<float>(rows++ % 3);
    sum += static_cast<double>(move.surprise);
  }
  ASSERT_GT(sum, 0);
  ASSERT_TRUE(window.Add(record).ok());
  RandomStream random(1);
  std::set<float> weights;
  for (const TrainingRow& row : window.Sample(500, &random)) weights.insert(row.weight);
  ASSERT_EQ(weights.size(), 3U);
  const double mean = sum / rows;
  size_t surprise = 0;
  for (const float weight : weights) {
    EXPECT_NEAR(static_cast<double>(weight), 0.5 + 0.5 * static_cast<double>(surprise) / mean,
                1e-5);
    ++surprise;
  }
}

TEST(ReplayWindowTest, ImportedGamesTeachTheirMoves) {
  const auto rules = SharedRulesOf("minishogi");
  GameRecord record = Game(*rules, 7);
  record.moves.resize(record.moves.size() - 2);  // not over by the rules
  record.start_kind = StartKind::kImported;
  record.result = Result::kNone;
  record.truncated = true;
  record.reason = Reason::kNone;
  record.resigned = false;
  for (RecordedMove& move : record.moves) {
    RecordedMove plain;
    plain.move = move.move;
    move = plain;
  }
  ReplayWindow window(rules, ReplayOptions());
  // Neither a result nor a search's opinion: nothing to learn a value from.
  ASSERT_TRUE(window.Add(record).ok());
  EXPECT_EQ(window.rows(), 0);
  record.truncated = false;
  record.resigned = true;
  record.result = Result::kWin;
  ASSERT_TRUE(window.Add(record).ok());
  EXPECT_EQ(window.rows(), static_cast<int64_t>(record.moves.size()));
  RandomStream random(1);
  for (const TrainingRow& row : window.Sample(50, &random)) {
    EXPECT_NEAR(*std::max_element(row.policy.begin(), row.policy.end()), 1, 1e-4);
  }
}

TEST(ReplayWindowTest, ABadRecordLeavesNothingBehind) {
  const auto rules = SharedRulesOf("minishogi");
  ReplayWindow window(rules, ReplayOptions());
  ASSERT_TRUE(window.Add(Game(*rules, 1)).ok());
  const int64_t rows = window.rows();
  GameRecord bad = Game(*rules, 2);
  bad.moves[bad.moves.size() / 2].move = Move::FromRaw(0x3FFF);
  EXPECT_FALSE(window.Add(bad).ok());
  EXPECT_EQ(window.rows(), rows);
  EXPECT_EQ(window.total_rows(), rows);
}

}  // namespace
}  // namespace crossriver
