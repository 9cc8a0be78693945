// Matches between evaluators.
#include "selfplay/match.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <tuple>

#include "mcts/uniform_evaluator.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::SharedRulesOf;

// Counts material: more of one's own pieces on the board is better.
class Material : public Evaluator {
 public:
  explicit Material(float sign) : sign_(sign) {}
  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override {
    calls += 1;
    if (fails_at != 0 && calls >= fails_at) return absl::UnavailableError("the device is gone");
    for (size_t i = 0; i < requests.size(); ++i) {
      const Position& position = *requests[i].position;
      const Side mover = position.side_to_move();
      const float lead = static_cast<float>(position.pieces(mover).size()) -
                         static_cast<float>(position.pieces(Other(mover)).size());
      const float win = 1 / (1 + std::exp(-sign_ * lead));
      results[i].wdl = {win, 0, 1 - win};
      const auto count = static_cast<float>(requests[i].moves.size());
      results[i].log_priors.assign(requests[i].moves.size(), -std::log(count));
    }
    return absl::OkStatus();
  }
  uint64_t id() const override { return sign_ > 0 ? 1 : 2; }

  int calls = 0;
  int fails_at = 0;

 private:
  const float sign_;
};

MatchOptions Quick() {
  MatchOptions options;
  options.games = 20;
  options.visits = 16;
  options.at_a_time = 8;
  options.max_plies = 120;
  return options;
}

TEST(MatchTest, WhoTakesBeatsWhoGives) {
  // Games of this variant end in mate soon.
  const auto rules = SharedRulesOf("shoxiang-xq-standard");
  MatchOptions options = Quick();
  options.max_plies = 400;
  Material takes(1), gives(-1);
  const auto result = PlayMatch(rules, &takes, &gives, options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->games(), 20);
  EXPECT_GT(result->score(), 0.7);
  EXPECT_LT(result->low(), result->score());
  EXPECT_GT(result->high(), result->score());
  const auto turned = PlayMatch(rules, &gives, &takes, options);
  ASSERT_TRUE(turned.ok());
  EXPECT_LT(turned->score(), 0.3);
}

TEST(MatchTest, AgainstItselfSidesAreEven) {
  const auto rules = SharedRulesOf("minishogi");
  Material one(1), other(1);
  const auto result = PlayMatch(rules, &one, &other, Quick());
  ASSERT_TRUE(result.ok());
  // Each start is played twice by the same player: what A gets in one game, B gets in the other.
  EXPECT_DOUBLE_EQ(result->score(), 0.5);
  EXPECT_DOUBLE_EQ(result->points_by_side[0] + result->points_by_side[1], 10);
}

TEST(MatchTest, EqualOptionsGiveEqualResults) {
  const auto rules = SharedRulesOf("minishogi");
  const auto play = [&rules](uint64_t seed, int at_a_time) {
    Material a(1);
    UniformEvaluator b;
    MatchOptions options = Quick();
    options.seed = seed;
    options.at_a_time = at_a_time;
    const auto result = PlayMatch(rules, &a, &b, options);
    return std::tuple(result->wins, result->draws, result->losses, result->points_by_side[0]);
  };
  EXPECT_EQ(play(3, 8), play(3, 8));
  EXPECT_EQ(play(3, 8), play(3, 1));
}

TEST(MatchTest, ErrorsAndInterruptsEndIt) {
  const auto rules = SharedRulesOf("minishogi");
  Material a(1), b(1);
  b.fails_at = 20;
  EXPECT_EQ(PlayMatch(rules, &a, &b, Quick()).status().message(), "the device is gone");
  Material c(1), d(1);
  MatchOptions options = Quick();
  options.interrupted = [&c] { return c.calls >= 10; };
  EXPECT_TRUE(absl::IsCancelled(PlayMatch(rules, &c, &d, options).status()));
}

// No game is as long as the opening that is asked for.
TEST(MatchTest, OpeningsEndBeforeGamesDo) {
  const auto rules = SharedRulesOf("shoxiang-xq-standard");
  Material a(1), b(1);
  MatchOptions options = Quick();
  options.games = 2;
  options.opening_plies = 1 << 13;
  const auto result = PlayMatch(rules, &a, &b, options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->games(), 2);
}

TEST(MatchTest, NoGames) {
  const auto rules = SharedRulesOf("minishogi");
  Material a(1), b(1);
  MatchOptions options = Quick();
  options.games = 1;
  const auto result = PlayMatch(rules, &a, &b, options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->games(), 0);
  EXPECT_EQ(result->low(), 0);
  EXPECT_EQ(result->high(), 1);
}

// Against values of the formula computed by hand.
TEST(MatchResultTest, WilsonsInterval) {
  MatchResult result;
  result.wins = 90;
  result.losses = 10;
  EXPECT_NEAR(result.low(), 0.8256, 1e-3);
  EXPECT_NEAR(result.high(), 0.9448, 1e-3);
  result = {};
  result.wins = 10;
  EXPECT_NEAR(result.low(), 0.7225, 1e-3);
  EXPECT_NEAR(result.high(), 1, 1e-9);
}

}  // namespace
}  // namespace crossriver
