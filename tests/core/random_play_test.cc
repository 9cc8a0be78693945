// Random games and random positions of every built-in variant: the fast rules against themselves,
// against plain bookkeeping, and on a sample of positions against the slow rules.
//
// The environment makes longer runs of it:
//
//   CROSSRIVER_GAMES=10000 CROSSRIVER_MAX_PLIES=2000 CROSSRIVER_SLOW_EVERY=500 core_test
//     --gtest_filter=Variants/RandomPlayTest.*
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"
#include "tests/game_walk.h"
#include "tests/position_checks.h"
#include "tests/random_positions.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::Coverage;
using testing::GameWalk;
using testing::Random;
using testing::RulesOf;
using testing::WalkOptions;

class RandomPlayTest : public ::testing::TestWithParam<std::string> {
 protected:
  const Rules& rules_ = RulesOf(GetParam());
};

TEST_P(RandomPlayTest, GamesFromTheStart) {
  const WalkOptions options = WalkOptions::FromEnvironment({});
  Coverage coverage;
  for (int game = 0; game < options.games && !HasFailure(); ++game) {
    SCOPED_TRACE(game);
    Random random("games " + GetParam(), options.seed, game);
    GameWalk(StartPosition(rules_), options, GameWalk::StyleOf(game), random, &coverage).Run();
  }
  RecordProperty("coverage", coverage.Text());
  EXPECT_GT(coverage.plies, 100);
  EXPECT_GT(coverage.captures, 0);
  EXPECT_EQ(coverage.drops > 0, rules_.has_drops());
}

// Thinned armies give endings, repetitions and perpetual checks much sooner.
TEST_P(RandomPlayTest, GamesFromRandomPositions) {
  const WalkOptions options = WalkOptions::FromEnvironment({});
  Coverage coverage;
  for (int game = 0; game < options.games && !HasFailure(); ++game) {
    SCOPED_TRACE(game);
    Random random("thinned games " + GetParam(), options.seed, game);
    const std::optional<Position> start = RandomPosition(rules_, &random);
    if (!start.has_value()) continue;
    GameWalk(*start, options, GameWalk::StyleOf(game), random, &coverage).Run();
  }
  RecordProperty("coverage", coverage.Text());
  EXPECT_GT(coverage.checks, 0);
}

TEST_P(RandomPlayTest, RandomPositions) {
  const WalkOptions options = WalkOptions::FromEnvironment({});
  const int tries = 20 * options.games;
  testing::PositionChecker checker(&rules_);
  int accepted = 0;
  for (int i = 0; i < tries && !HasFailure(); ++i) {
    Random random("positions " + GetParam(), options.seed, i);
    const std::optional<Position> position = RandomPosition(rules_, &random);
    if (!position.has_value()) continue;
    SCOPED_TRACE(testing::Describe(*position));
    ++accepted;
    std::vector<Move> moves;
    GenerateLegalMoves(*position, &moves);
    checker.CheckState(*position);
    checker.CheckMoves(*position, moves);
    checker.CheckFen(*position);
    checker.CheckTexts(*position, moves, &random);
    checker.CheckIsLegal(*position, moves, &random);
    checker.CheckAgainstSlow(*position, moves);
  }
  EXPECT_GT(accepted, tries / 4);
}

INSTANTIATE_TEST_SUITE_P(Variants, RandomPlayTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

}  // namespace
}  // namespace crossriver
