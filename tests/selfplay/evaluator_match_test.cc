// Matches between evaluators.
#include "selfplay/evaluator_match.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <memory>

#include "mcts/uniform_evaluator.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::SharedRulesOf;

// Counts material: more of one's own pieces on the board is better.
class Material : public Evaluator {
 public:
  explicit Material(float sign) : sign_(sign) {}  // thread-safe but for `fails_at`
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

  std::atomic<int> calls = 0;
  int fails_at = 0;

 private:
  const float sign_;
};

EvaluatorMatchOptions Quick() {
  EvaluatorMatchOptions options;
  options.games = 20;
  options.visits = 16;
  options.at_a_time = 8;
  options.max_plies = 120;
  return options;
}

TEST(MatchTest, WhoTakesBeatsWhoGives) {
  // Games of this variant end in mate soon.
  const auto rules = SharedRulesOf("shoxiang-xq-standard");
  EvaluatorMatchOptions options = Quick();
  options.max_plies = 400;
  Material takes(1), gives(-1);
  const auto result = PlayMatch(rules, &takes, &gives, options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->games(), 20);
  EXPECT_GT(result->score(), 0.7);
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
  EXPECT_EQ(result->pairs, (std::array<int64_t, 5>{0, 0, 10, 0, 0}));
}

TEST(MatchTest, EqualOptionsGiveEqualResults) {
  const auto rules = SharedRulesOf("minishogi");
  const auto play = [&rules](uint64_t seed, int at_a_time, int threads = 1) {
    Material a(1);
    UniformEvaluator b;
    EvaluatorMatchOptions options = Quick();
    options.seed = seed;
    options.at_a_time = at_a_time;
    options.threads = threads;
    const auto result = PlayMatch(rules, &a, &b, options);
    return *result;
  };
  EXPECT_EQ(play(3, 8), play(3, 8));
  EXPECT_EQ(play(3, 8), play(3, 1));
  EXPECT_EQ(play(3, 8), play(3, 3, /*threads=*/2));
}

TEST(MatchTest, ASequentialTestEndsIt) {
  const auto rules = SharedRulesOf("shoxiang-xq-standard");
  EvaluatorMatchOptions options = Quick();
  options.games = 400;
  options.max_plies = 400;
  options.sprt = SprtOptions{-20, 20, 0.05, 0.05};
  Material takes(1), gives(-1);
  const auto better = PlayMatch(rules, &takes, &gives, options);
  ASSERT_TRUE(better.ok());
  EXPECT_LT(better->games(), 200);
  EXPECT_EQ(Sprt(*better, *options.sprt).decision, SprtDecision::kAcceptH1);
  const auto worse = PlayMatch(rules, &gives, &takes, options);
  ASSERT_TRUE(worse.ok());
  EXPECT_LT(worse->games(), 200);
  EXPECT_EQ(Sprt(*worse, *options.sprt).decision, SprtDecision::kAcceptH0);
}

TEST(MatchTest, ErrorsAndInterruptsEndIt) {
  const auto rules = SharedRulesOf("minishogi");
  Material a(1), b(1);
  b.fails_at = 20;
  EXPECT_EQ(PlayMatch(rules, &a, &b, Quick()).status().message(), "the device is gone");
  Material c(1), d(1);
  EvaluatorMatchOptions options = Quick();
  options.interrupted = [&c] { return c.calls >= 10; };
  EXPECT_TRUE(absl::IsCancelled(PlayMatch(rules, &c, &d, options).status()));
}

// No game is as long as the opening that is asked for.
TEST(MatchTest, OpeningsEndBeforeGamesDo) {
  const auto rules = SharedRulesOf("shoxiang-xq-standard");
  Material a(1), b(1);
  EvaluatorMatchOptions options = Quick();
  options.games = 2;
  options.opening_plies = 1 << 13;
  const auto result = PlayMatch(rules, &a, &b, options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->games(), 2);
}

TEST(MatchTest, NoGames) {
  const auto rules = SharedRulesOf("minishogi");
  Material a(1), b(1);
  EvaluatorMatchOptions options = Quick();
  options.games = 1;
  const auto result = PlayMatch(rules, &a, &b, options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->games(), 0);
}

}  // namespace
}  // namespace crossriver
