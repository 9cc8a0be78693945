#include "selfplay/report/piece_worths.h"

#include <algorithm>
#include <cmath>

#include "selfplay/normal.h"
#include "selfplay/report/material_model.h"

namespace crossriver {
namespace {

Estimate WithInterval(double value, double variance) {
  const double reach = kDeviationsOf95 * std::sqrt(std::max(variance, 0.0));
  return {value, value - reach, value + reach};
}

double ScoreOfNats(double nats) { return 1 / (1 + std::exp(-nats)); }

Estimate AsScore(const Estimate& nats) {
  return {ScoreOfNats(nats.value), ScoreOfNats(nats.low), ScoreOfNats(nats.high)};
}

// The weights of the coefficients in m, 0 for b_0: n_j / N.
Eigen::VectorXd ArrayShares(const MaterialColumns& columns, const MaterialFit& fit) {
  Eigen::VectorXd shares = Eigen::VectorXd::Zero(fit.coefficients.size());
  for (size_t i = 0; i < fit.columns.size(); ++i) {
    shares[static_cast<Eigen::Index>(i + 1)] = columns.column(fit.columns[i]).in_array;
  }
  const double pieces = shares.sum();
  if (pieces > 0) shares /= pieces;
  return shares;
}

void SetPoints(const MaterialColumns& columns, const MaterialFit& fit,
               std::vector<PieceWorth>* pieces) {
  const Eigen::VectorXd shares = ArrayShares(columns, fit);
  const double mean = shares.dot(fit.coefficients);
  const double error = std::sqrt(std::max(shares.dot(fit.covariance * shares), 0.0));
  if (!(mean > 0 && mean > kSureOfMean * error)) return;
  for (size_t k = 0; k < pieces->size(); ++k) {
    const auto index = static_cast<Eigen::Index>(k + 1);
    const double value = fit.coefficients[index];
    Eigen::VectorXd gradient = -kMeanPoints * value / (mean * mean) * shares;
    gradient[index] += kMeanPoints / mean;
    (*pieces)[k].points =
        WithInterval(kMeanPoints * value / mean, gradient.dot(fit.covariance * gradient));
  }
}

}  // namespace

absl::StatusOr<PieceWorths> EstimatePieceWorths(const MaterialColumns& columns,
                                                const MaterialSamples& samples) {
  const absl::StatusOr<MaterialFit> fit = FitMaterial(samples);
  if (!fit.ok()) return fit.status();
  PieceWorths worths;
  worths.games = fit->games;
  worths.positions = fit->positions;
  const auto nats = [&fit](Eigen::Index i) {
    return WithInterval(fit->coefficients[i], fit->covariance(i, i));
  };
  worths.first_score = AsScore(nats(0));
  for (size_t i = 0; i < fit->columns.size(); ++i) {
    const Estimate value = nats(static_cast<Eigen::Index>(i + 1));
    worths.pieces.push_back({columns.column(fit->columns[i]), value, AsScore(value), {}});
  }
  SetPoints(columns, *fit, &worths.pieces);
  for (int i = 0; i < columns.size(); ++i) {
    if (!columns.column(i).in_play) continue;
    if (std::find(fit->columns.begin(), fit->columns.end(), i) == fit->columns.end()) {
      worths.never_uneven.push_back(columns.column(i).name);
    }
  }
  return worths;
}

}  // namespace crossriver
