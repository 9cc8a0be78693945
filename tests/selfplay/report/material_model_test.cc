// The regression of results on material: derivatives, closed forms, simulated games.
#include "selfplay/report/material_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mcts/random.h"
#include "selfplay/report/material_columns.h"
#include "selfplay/report/piece_worths.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

double LogisticOf(double x) { return 1 / (1 + std::exp(-x)); }

// How simulated games go.
struct Simulation {
  std::vector<double> coefficients;  // of each column
  double advantage = 0.2;
  double draw_chance = 0.3;
  int positions = 3;  // of a game, all with the same differences

  // A game whose differences are -2 to 2, and its result drawn from the model: the score has the
  // model's mean, with draws or without.
  void PlayInto(MaterialSamples* samples, RandomStream* random) const {
    MaterialSpells spells;
    std::vector<int8_t> row;
    double lead = advantage;
    for (const double coefficient : coefficients) {
      row.push_back(static_cast<int8_t>(static_cast<int>(random->Below(5)) - 2));
      lead += coefficient * row.back();
    }
    for (int i = 0; i < positions; ++i) {
      spells.differences.insert(spells.differences.end(), row.begin(), row.end());
      spells.plies.push_back(1 + static_cast<int>(random->Below(9)));
    }
    const auto draw = [&] { return random->Uniform() < LogisticOf(lead) ? 1.0 : 0.0; };
    const double one = draw();
    samples->AddGame(spells, random->Uniform() < draw_chance ? (one + draw()) / 2 : one);
  }
};

MaterialSamples Simulate(const Simulation& simulation, int games, uint64_t seed) {
  RandomStream random(seed);
  MaterialSamples samples(static_cast<int>(simulation.coefficients.size()));
  for (int i = 0; i < games; ++i) simulation.PlayInto(&samples, &random);
  return samples;
}

TEST(MaterialModelTest, DerivativesAgainstFiniteDifferences) {
  const MaterialSamples samples = Simulate({{0.5, -0.2, 1.0}}, 50, 3);
  const MaterialLikelihood likelihood(samples, {0, 1, 2});
  RandomStream random(5);
  for (int i = 0; i < 5; ++i) {
    Eigen::VectorXd b(likelihood.size());
    for (double& value : b) value = random.Normal();
    Eigen::VectorXd gradient;
    Eigen::MatrixXd curvature;
    likelihood.Derivatives(b, &gradient, &curvature);
    constexpr double kStep = 1e-5;
    for (Eigen::Index k = 0; k < likelihood.size(); ++k) {
      Eigen::VectorXd above = b;
      Eigen::VectorXd below = b;
      above[k] += kStep;
      below[k] -= kStep;
      EXPECT_NEAR((likelihood.Value(above) - likelihood.Value(below)) / (2 * kStep), gradient[k],
                  1e-6);
      Eigen::VectorXd gradient_above;
      Eigen::VectorXd gradient_below;
      Eigen::MatrixXd unused;
      likelihood.Derivatives(above, &gradient_above, &unused);
      likelihood.Derivatives(below, &gradient_below, &unused);
      for (Eigen::Index j = 0; j < likelihood.size(); ++j) {
        EXPECT_NEAR((gradient_below[j] - gradient_above[j]) / (2 * kStep), curvature(j, k), 1e-6);
      }
    }
  }
}

// Games with one more of a piece, and without: the logarithm of the odds, and its variance.
TEST(MaterialModelTest, ClosedForm) {
  MaterialSamples samples(1);
  const auto play = [&samples](int8_t difference, int games, int wins) {
    for (int i = 0; i < games; ++i) samples.AddGame({{difference}, {4}}, i < wins ? 1 : 0);
  };
  play(0, 1000, 500);
  play(1, 1000, 800);
  const absl::StatusOr<MaterialFit> fit = FitMaterial(samples);
  ASSERT_TRUE(fit.ok()) << fit.status();
  EXPECT_NEAR(fit->coefficients[0], 0, 1e-3);
  EXPECT_NEAR(fit->coefficients[1], std::log(4), 1e-3);
  const double variance = 1 / 250.0 + 1 / 160.0;
  EXPECT_NEAR(fit->covariance(1, 1), variance, 0.01 * variance);
}

// Positions of a game are no observations of their own, however many there are.
TEST(MaterialModelTest, AGameIsOneObservation) {
  Simulation simulation = {{0.6, 0.3}};
  simulation.positions = 1;
  const MaterialSamples once = Simulate(simulation, 400, 9);
  MaterialSamples often(2);
  once.ForBlocks(std::vector<int>{0, 1}, [&often](const MaterialSamples::Block& block) {
    for (Eigen::Index row = 0; row < block.inputs.rows(); ++row) {
      MaterialSpells spells;
      for (int copy = 0; copy < 5; ++copy) {
        spells.differences.push_back(static_cast<int8_t>(block.inputs(row, 1)));
        spells.differences.push_back(static_cast<int8_t>(block.inputs(row, 2)));
        spells.plies.push_back(3);
      }
      often.AddGame(spells, block.scores[row]);
    }
  });
  const absl::StatusOr<MaterialFit> one = FitMaterial(once);
  const absl::StatusOr<MaterialFit> five = FitMaterial(often);
  ASSERT_TRUE(one.ok() && five.ok());
  EXPECT_EQ(five->positions, 5 * one->positions);
  EXPECT_TRUE(one->coefficients.isApprox(five->coefficients, 1e-4));
  EXPECT_TRUE(one->covariance.isApprox(five->covariance, 1e-4));
}

// 95 % intervals hold the true values about so often.
TEST(MaterialModelTest, IntervalsHoldSimulatedValues) {
  const Simulation simulation = {{1.2, 0.4, 0.1, -0.3}};
  int held = 0;
  int all = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    const absl::StatusOr<MaterialFit> fit = FitMaterial(Simulate(simulation, 400, seed));
    ASSERT_TRUE(fit.ok()) << fit.status();
    for (size_t k = 0; k < simulation.coefficients.size(); ++k) {
      const auto index = static_cast<Eigen::Index>(k + 1);
      const double error = fit->coefficients[index] - simulation.coefficients[k];
      held += std::abs(error) < 1.96 * std::sqrt(fit->covariance(index, index)) ? 1 : 0;
      ++all;
    }
  }
  EXPECT_GE(held, all * 92 / 100);
  EXPECT_LE(held, all * 98 / 100);
}

// A piece whose side has always won has a large value, known badly, and not an infinite one.
TEST(MaterialModelTest, Separation) {
  MaterialSamples samples(2);
  for (int i = 0; i < 200; ++i) {
    const auto difference = static_cast<int8_t>(i % 2 == 0 ? 1 : -1);
    samples.AddGame({{difference, static_cast<int8_t>(i % 3 - 1)}, {1}}, difference > 0 ? 1 : 0);
  }
  const absl::StatusOr<MaterialFit> fit = FitMaterial(samples);
  ASSERT_TRUE(fit.ok()) << fit.status();
  EXPECT_GT(fit->coefficients[1], 3);
  EXPECT_LT(fit->coefficients[1], 50);
  EXPECT_GT(fit->covariance(1, 1), 0.1);
}

TEST(MaterialModelTest, ColumnsWithoutDifferences) {
  MaterialSamples samples(3);
  for (int i = 0; i < 100; ++i) {
    samples.AddGame({{0, static_cast<int8_t>(i % 3 - 1), 0}, {1}}, i % 2);
  }
  const absl::StatusOr<MaterialFit> fit = FitMaterial(samples);
  ASSERT_TRUE(fit.ok()) << fit.status();
  EXPECT_THAT(fit->columns, ElementsAre(1));
}

TEST(MaterialModelTest, TooFewGames) {
  for (const int games : {0, 1, 29}) {
    const absl::StatusOr<MaterialFit> fit = FitMaterial(Simulate({{1, 1}}, games, 1));
    EXPECT_EQ(fit.status().code(), absl::StatusCode::kFailedPrecondition) << games;
  }
  EXPECT_TRUE(FitMaterial(Simulate({{1, 1}}, 30, 1)).ok());
  MaterialSamples empty(2);
  empty.AddGame({}, 1);  // no quiet position
  EXPECT_EQ(empty.games(), 0);
}

TEST(PieceWorthsTest, PointsOfTheArray) {
  const MaterialColumns columns(testing::RulesOf("minishogi"));
  Simulation simulation;
  simulation.advantage = 0;
  double mean = 0;
  int pieces = 0;
  for (int i = 0; i < columns.size(); ++i) {
    simulation.coefficients.push_back(0.1 + 0.05 * i);
    mean += columns.column(i).in_array * simulation.coefficients.back();
    pieces += columns.column(i).in_array;
  }
  mean /= pieces;
  const MaterialSamples samples = Simulate(simulation, 5000, 21);
  const absl::StatusOr<PieceWorths> worths = EstimatePieceWorths(columns, samples);
  ASSERT_TRUE(worths.ok()) << worths.status();
  ASSERT_EQ(worths->pieces.size(), static_cast<size_t>(columns.size()));
  EXPECT_THAT(worths->never_uneven, ElementsAre());
  double sum = 0;
  int held = 0;
  for (size_t i = 0; i < worths->pieces.size(); ++i) {
    const PieceWorth& piece = worths->pieces[i];
    ASSERT_TRUE(piece.points.has_value());
    sum += piece.column.in_array * piece.points->value;
    const double truth = kMeanPoints * simulation.coefficients[i] / mean;
    held += piece.points->low < truth && truth < piece.points->high ? 1 : 0;
    EXPECT_NEAR(piece.score.value, LogisticOf(piece.nats.value), 1e-12);
  }
  EXPECT_NEAR(sum / pieces, kMeanPoints, 1e-9);
  EXPECT_GE(held, columns.size() - 2);
  EXPECT_LT(worths->first_score.low, 0.5);
  EXPECT_GT(worths->first_score.high, 0.5);
}

TEST(PieceWorthsTest, NoPointsWhereMaterialTellsNothing) {
  const MaterialColumns columns(testing::RulesOf("minishogi"));
  Simulation simulation;
  simulation.coefficients.assign(static_cast<size_t>(columns.size()), 0);
  const auto worths = EstimatePieceWorths(columns, Simulate(simulation, 1000, 2));
  ASSERT_TRUE(worths.ok()) << worths.status();
  for (const PieceWorth& piece : worths->pieces) EXPECT_FALSE(piece.points.has_value());
}

}  // namespace
}  // namespace crossriver
