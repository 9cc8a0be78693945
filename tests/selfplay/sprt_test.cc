// The sequential test: bounds, likelihood ratio, error rates.
#include "selfplay/sprt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/selfplay/simulated_match.h"

namespace crossriver {
namespace {

using testing::BruteForceLikelihood;
using ::testing::HasSubstr;
using testing::SimulatedMatch;

// By pairs alone, as counts that belong together.
MatchScore ScoreOf(const std::array<int64_t, 5>& pairs) {
  MatchScore score;
  for (int64_t i = 0; i < pairs[0]; ++i) score.AddPair(Result::kLoss, Result::kLoss);
  for (int64_t i = 0; i < pairs[1]; ++i) score.AddPair(Result::kLoss, Result::kDraw);
  for (int64_t i = 0; i < pairs[2]; ++i) score.AddPair(Result::kDraw, Result::kDraw);
  for (int64_t i = 0; i < pairs[3]; ++i) score.AddPair(Result::kDraw, Result::kWin);
  for (int64_t i = 0; i < pairs[4]; ++i) score.AddPair(Result::kWin, Result::kWin);
  return score;
}

TEST(SprtTest, WaldsBounds) {
  const SprtState even = Sprt({}, {});
  EXPECT_NEAR(even.lower, -2.9444, 1e-4);  // log(0.05 / 0.95)
  EXPECT_NEAR(even.upper, 2.9444, 1e-4);
  EXPECT_EQ(even.llr, 0);
  EXPECT_EQ(even.decision, SprtDecision::kContinue);
  const SprtState uneven = Sprt({}, {.alpha = 0.01, .beta = 0.1});
  EXPECT_NEAR(uneven.lower, std::log(0.1 / 0.99), 1e-12);
  EXPECT_NEAR(uneven.upper, std::log(0.9 / 0.01), 1e-12);
}

TEST(SprtTest, RatioAgainstBruteForce) {
  const SprtOptions options = {.elo0 = -10, .elo1 = 60};
  for (const auto& pairs : std::vector<std::array<int64_t, 5>>{{10, 60, 200, 90, 15},
                                                               {0, 3, 20, 8, 0},
                                                               {0, 0, 6, 0, 0},
                                                               {0, 0, 0, 0, 3},
                                                               {2, 0, 0, 0, 0}}) {
    const double expected = BruteForceLikelihood(pairs, ScoreOfElo(options.elo1)) -
                            BruteForceLikelihood(pairs, ScoreOfElo(options.elo0));
    EXPECT_NEAR(Sprt(ScoreOf(pairs), options).llr, expected, 1e-4) << pairs[2];
  }
}

// Between near hypotheses the ratio is n (s1 - s0) (2 m - s0 - s1) / 2 V (Van den Bergh's
// approximation).
TEST(SprtTest, RatioAgainstTheApproximation) {
  const std::array<int64_t, 5> pairs = {500, 4000, 9000, 4400, 600};
  double n = 0, mean = 0, square = 0;
  for (size_t k = 0; k < pairs.size(); ++k) {
    n += static_cast<double>(pairs[k]);
    mean += static_cast<double>(pairs[k]) * static_cast<double>(k) / 4;
    square += static_cast<double>(pairs[k]) * static_cast<double>(k * k) / 16;
  }
  mean /= n;
  const double variance = square / n - mean * mean;
  const double s0 = ScoreOfElo(0);
  const double s1 = ScoreOfElo(5);
  const double expected = n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
  EXPECT_NEAR(Sprt(ScoreOf(pairs), {.elo0 = 0, .elo1 = 5}).llr, expected,
              0.01 * std::abs(expected));
}

TEST(SprtTest, Decisions) {
  struct Case {
    std::array<int64_t, 5> pairs;
    SprtDecision decision;
  };
  const SprtOptions options = {.elo0 = 0, .elo1 = 50};
  for (const auto& [pairs, decision] :
       std::vector<Case>{{{0, 0, 0, 0, 1}, SprtDecision::kContinue},
                         {{0, 0, 3, 0, 0}, SprtDecision::kContinue},
                         {{0, 10, 60, 70, 10}, SprtDecision::kAcceptH1},
                         {{10, 70, 60, 10, 0}, SprtDecision::kAcceptH0},
                         {{0, 0, 200, 0, 0}, SprtDecision::kAcceptH0},
                         {{0, 0, 0, 0, 40}, SprtDecision::kAcceptH1}}) {
    EXPECT_EQ(Sprt(ScoreOf(pairs), options).decision, decision) << pairs[2] << " " << pairs[4];
  }
}

TEST(SprtTest, BadOptions) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  struct Case {
    SprtOptions options;
    const char* message;
  };
  for (const auto& [options, message] :
       std::vector<Case>{{{.elo0 = 5, .elo1 = 5}, "elo1: expected more than elo0 (5), got 5"},
                         {{.elo0 = 5, .elo1 = -5}, "elo1: expected more than elo0 (5), got -5"},
                         {{.elo0 = kNan}, "elo0: expected -2000 to 2000, got nan"},
                         {{.elo1 = 1e9}, "elo1: expected -2000 to 2000"},
                         {{.alpha = 0}, "alpha: expected 1e-09 to 0.49, got 0"},
                         {{.beta = 0.5}, "beta: expected 1e-09 to 0.49, got 0.5"}}) {
    EXPECT_THAT(std::string(Validate(options).message()), HasSubstr(message));
  }
  EXPECT_TRUE(Validate(SprtOptions()).ok());
}

// How often the wrong hypothesis is accepted, and after how many pairs on average.
struct Outcome {
  double wrong = 0;
  double pairs = 0;
};

Outcome Simulate(const SimulatedMatch& match, const SprtOptions& options, SprtDecision right) {
  constexpr int kMatches = 2000;
  constexpr int kLongest = 100000;
  Outcome outcome;
  for (int i = 0; i < kMatches; ++i) {
    RandomStream random(static_cast<uint64_t>(i) + 1);
    MatchScore score;
    SprtDecision decision = SprtDecision::kContinue;
    while (decision == SprtDecision::kContinue && score.num_pairs() < kLongest) {
      match.PlayPair(&random, &score);
      decision = Sprt(score, options).decision;
    }
    outcome.wrong += decision == right ? 0 : 1.0 / kMatches;
    outcome.pairs += static_cast<double>(score.num_pairs()) / kMatches;
  }
  return outcome;
}

// At the edge of either hypothesis, which is where errors are most frequent. Three standard
// deviations of 2000 matches are 1.5 %.
TEST(SprtTest, ErrorRates) {
  struct Case {
    double gap;  // elo1 - elo0
    SimulatedMatch match;
    double alpha;
    double beta;
    double most_pairs;  // on average
  };
  for (const auto& [gap, match, alpha, beta, most_pairs] :
       std::vector<Case>{{100, {.lead = 0, .draws = 0.02}, 0.05, 0.05, 50},
                         {100, {.lead = 0.4, .draws = 0.02, .opening_bias = 2}, 0.05, 0.05, 40},
                         {100, {.lead = -0.2, .draws = 1, .advantage = 0.5}, 0.02, 0.1, 50},
                         {50, {.lead = 0.2, .draws = 1, .opening_bias = 2}, 0.05, 0.05, 80},
                         {50, {.lead = 0, .draws = 8, .opening_bias = 5}, 0.05, 0.05, 60}}) {
    const double truth = EloOfScore(match.ExpectedScore());
    const Outcome h0 =
        Simulate(match, {.elo0 = truth, .elo1 = truth + gap, .alpha = alpha, .beta = beta},
                 SprtDecision::kAcceptH0);
    EXPECT_LE(h0.wrong, alpha + 0.015) << gap << " " << match.draws;
    EXPECT_LE(h0.pairs, most_pairs) << gap << " " << match.draws;
    const Outcome h1 =
        Simulate(match, {.elo0 = truth - gap, .elo1 = truth, .alpha = alpha, .beta = beta},
                 SprtDecision::kAcceptH1);
    EXPECT_LE(h1.wrong, beta + 0.015) << gap << " " << match.draws;
    EXPECT_LE(h1.pairs, most_pairs) << gap << " " << match.draws;
  }
}

}  // namespace
}  // namespace crossriver
