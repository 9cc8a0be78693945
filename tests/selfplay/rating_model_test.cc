// The likelihood of ratings and its derivatives.
#include "selfplay/rating_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mcts/random.h"

namespace crossriver {
namespace {

using Groups = std::vector<std::vector<int>>;

TEST(ChancesTest, DavidsonsModel) {
  // Odds of 9 to 1 with as many draws as the geometric mean of wins and losses.
  const GameChances chances = ChancesOf(std::log(9), 0);
  EXPECT_NEAR(chances.win, 9.0 / 13, 1e-12);
  EXPECT_NEAR(chances.draw, 3.0 / 13, 1e-12);
  EXPECT_NEAR(chances.loss, 1.0 / 13, 1e-12);
  EXPECT_NEAR(ChancesOf(0, -50).Information(), 0.25, 1e-9);
  for (const double lead : {-2000.0, 2000.0}) {
    const GameChances sure = ChancesOf(lead, 0);
    EXPECT_EQ(lead > 0 ? sure.win : sure.loss, 1);
    EXPECT_EQ(sure.Information(), 0);
  }
}

TEST(RatingModelTest, Groups) {
  const std::vector<PairResults> results = {
      {6, 2, 1, 0, 0}, {2, 4, 0, 1, 0}, {5, 1, 0, 0, 1}, {0, 3, 0, 0, 0}};
  EXPECT_EQ(RatingModel(7, results, 1000).groups(), (Groups{{0}, {1, 5}, {2, 4, 6}, {3}}));
}

TEST(RatingModelTest, DerivativesAgainstFiniteDifferences) {
  const std::vector<PairResults> results = {{0, 1, 5, 3, 2}, {1, 0, 4, 0, 7}, {1, 2, 0, 9, 1},
                                            {3, 2, 6, 2, 0}, {4, 5, 1, 1, 1}, {0, 3, 1, 0, 0}};
  const RatingModel model(7, results, 300);
  RandomStream random(7);
  for (int i = 0; i < 10; ++i) {
    Eigen::VectorXd x(model.size());
    for (double& value : x) value = random.Normal();
    Eigen::VectorXd gradient;
    Eigen::MatrixXd curvature;
    model.Derivatives(x, &gradient, &curvature);
    constexpr double kStep = 1e-5;
    for (Eigen::Index k = 0; k < model.size(); ++k) {
      Eigen::VectorXd above = x;
      Eigen::VectorXd below = x;
      above[k] += kStep;
      below[k] -= kStep;
      EXPECT_NEAR((model.LogPosterior(above) - model.LogPosterior(below)) / (2 * kStep),
                  gradient[k], 1e-6)
          << k;
      Eigen::VectorXd gradient_above;
      Eigen::VectorXd gradient_below;
      Eigen::MatrixXd unused;
      model.Derivatives(above, &gradient_above, &unused);
      model.Derivatives(below, &gradient_below, &unused);
      for (Eigen::Index j = 0; j < model.size(); ++j) {
        EXPECT_NEAR((gradient_below[j] - gradient_above[j]) / (2 * kStep), curvature(j, k), 1e-6)
            << j << " " << k;
      }
    }
  }
}

}  // namespace
}  // namespace crossriver
