#include "selfplay/report/material_model.h"

#include <Eigen/Cholesky>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"

namespace crossriver {
namespace {

constexpr double kPrecision = 1 / (kMaterialDeviation * kMaterialDeviation);
constexpr int kMostNewtonSteps = 100;
// The square of the next step in standard errors below which it is not worth while.
constexpr double kSmallSquare = 1e-12;
// A step is halved until it gains this share of what its slope promises.
constexpr double kLeastGain = 1e-4;
constexpr int kMostHalvings = 40;
// Rounding errors of the log-likelihood, relative.
constexpr double kLikelihoodRounding = 1e-13;

// log(1 + e^x) without overflow.
double Softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

Eigen::VectorXd Logistic(const Eigen::VectorXd& x) {
  return x.unaryExpr([](double value) { return 1 / (1 + std::exp(-value)); });
}

// Goes from `b` along `step` as far as the likelihood grows well enough.
void GoAlong(const MaterialLikelihood& likelihood, const Eigen::VectorXd& step, double promise,
             Eigen::VectorXd* b) {
  const double before = likelihood.Value(*b);
  const double rounding = kLikelihoodRounding * (1 + std::abs(before));
  double length = 1;
  for (int i = 0; i < kMostHalvings; ++i, length /= 2) {
    const Eigen::VectorXd next = *b + length * step;
    if (likelihood.Value(next) >= before + kLeastGain * length * promise - rounding) {
      *b = next;
      return;
    }
  }
}

}  // namespace

MaterialLikelihood::MaterialLikelihood(const MaterialSamples& samples, std::vector<int> columns)
    : samples_(samples), columns_(std::move(columns)) {}

double MaterialLikelihood::Value(const Eigen::VectorXd& b) const {
  double sum = -kPrecision * b.squaredNorm() / 2;
  samples_.ForBlocks(columns_, [&](const MaterialSamples::Block& block) {
    const Eigen::VectorXd lead = block.inputs * b;
    for (Eigen::Index row = 0; row < lead.size(); ++row) {
      // log s = -softplus(-lead), log(1 - s) = -softplus(lead).
      sum += block.weights[row] * (block.scores[row] * lead[row] - Softplus(lead[row]));
    }
  });
  return sum;
}

void MaterialLikelihood::Derivatives(const Eigen::VectorXd& b, Eigen::VectorXd* gradient,
                                     Eigen::MatrixXd* curvature) const {
  *gradient = -kPrecision * b;
  *curvature = kPrecision * Eigen::MatrixXd::Identity(size(), size());
  samples_.ForBlocks(columns_, [&](const MaterialSamples::Block& block) {
    const Eigen::VectorXd expected = Logistic(block.inputs * b);
    const Eigen::VectorXd misses = block.weights.cwiseProduct((block.scores - expected).eval());
    const Eigen::VectorXd spread =
        block.weights.array() * expected.array() * (1 - expected.array());
    gradient->noalias() += block.inputs.transpose() * misses;
    curvature->noalias() += block.inputs.transpose() * spread.asDiagonal() * block.inputs;
  });
}

Eigen::MatrixXd MaterialLikelihood::ClusteredScores(const Eigen::VectorXd& b) const {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(size(), size());
  samples_.ForBlocks(columns_, [&](const MaterialSamples::Block& block) {
    const Eigen::VectorXd expected = Logistic(block.inputs * b);
    const Eigen::VectorXd misses = block.weights.cwiseProduct((block.scores - expected).eval());
    Eigen::Index begin = 0;
    for (const Eigen::Index end : block.game_ends) {
      const Eigen::VectorXd score = block.inputs.middleRows(begin, end - begin).transpose() *
                                    misses.segment(begin, end - begin);
      sum.noalias() += score * score.transpose();
      begin = end;
    }
  });
  return sum;
}

absl::StatusOr<MaterialFit> FitMaterial(const MaterialSamples& samples) {
  MaterialFit fit;
  fit.columns = samples.UsedColumns();
  fit.games = samples.games();
  fit.positions = samples.positions();
  const MaterialLikelihood likelihood(samples, fit.columns);
  const int64_t needed = likelihood.size() * kGamesPerCoefficient;
  if (fit.games < needed) {
    return absl::FailedPreconditionError(
        absl::StrCat("the values of ", fit.columns.size(), " kinds of pieces need at least ",
                     needed, " games with a result, and there are ", fit.games));
  }
  fit.coefficients = Eigen::VectorXd::Zero(likelihood.size());
  Eigen::VectorXd gradient;
  Eigen::MatrixXd curvature;
  for (int i = 0; i <= kMostNewtonSteps; ++i) {
    likelihood.Derivatives(fit.coefficients, &gradient, &curvature);
    const Eigen::LLT<Eigen::MatrixXd> factors = curvature.llt();
    const Eigen::VectorXd step = factors.solve(gradient);
    const double promise = gradient.dot(step);
    if (promise <= kSmallSquare) {  // never so for NaN
      const auto games = static_cast<double>(fit.games);
      const double correction = games / (games - static_cast<double>(likelihood.size()));
      const Eigen::MatrixXd within =
          correction * likelihood.ClusteredScores(fit.coefficients) +
          kPrecision * Eigen::MatrixXd::Identity(likelihood.size(), likelihood.size());
      const Eigen::MatrixXd half = factors.solve(within);
      fit.covariance = factors.solve(half.transpose());
      return fit;
    }
    GoAlong(likelihood, step, promise, &fit.coefficients);
  }
  return absl::AbortedError(
      absl::StrCat("piece values have not converged after ", kMostNewtonSteps, " steps"));
}

}  // namespace crossriver
