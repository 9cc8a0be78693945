// A logistic regression of results on material differences.
#ifndef CROSSRIVER_SELFPLAY_REPORT_MATERIAL_MODEL_H_
#define CROSSRIVER_SELFPLAY_REPORT_MATERIAL_MODEL_H_

#include <Eigen/Core>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "selfplay/report/material_samples.h"

namespace crossriver {

// The expected score of the first player in a position with the differences d is
//
//   s(d) = 1 / (1 + exp(-(b_0 + sum b_k d_k))).
//
// With y_g the first player's score in game g (a draw is 1/2), w_gt the weight of position t of it
// (a game's sum to 1) and x_gt = (1, d_gt), the coefficients maximise
//
//   L(b) = sum_g sum_t w_gt (y_g log s_gt + (1 - y_g) log(1 - s_gt)) - |b|² / (2 deviation²),
//
// the log-likelihood of a fractional logit (Papke and Wooldridge 1996) with a normal prior, which
// keeps the coefficients finite of pieces whose side always won. L is concave; Newton's method
// finds its maximum.
//
// The positions of a game share its result, so a game is one observation. With the Hessian
// H = sum w s (1 - s) x x' + I / deviation² and the games' scores u_g = sum_t w_gt x_gt (y_g -
// s_gt), the covariance is the sandwich estimate clustered by game (Liang and Zeger 1986; White
// 1982)
//
//   H^-1 (G / (G - K) sum_g u_g u_g' + I / deviation²) H^-1,   G games, K coefficients.
//
// The prior's part within makes it the prior's variance where the games say nothing.
struct MaterialFit {
  std::vector<int> columns;      // of the samples: those that are not 0 throughout
  Eigen::VectorXd coefficients;  // b_0, then one for each of `columns`, in nats
  Eigen::MatrixXd covariance;    // theirs
  int64_t games = 0;
  int64_t positions = 0;
};

// Of the prior, in nats: e^5 is 148 wins for a loss.
inline constexpr double kMaterialDeviation = 5;
// Fewer games a coefficient tell too little, also about how little it is.
inline constexpr int kGamesPerCoefficient = 10;

// Errors: FailedPrecondition with fewer than kGamesPerCoefficient games a coefficient, Aborted
// where Newton's method finds no end.
absl::StatusOr<MaterialFit> FitMaterial(const MaterialSamples& samples);

// The penalised log-likelihood, its gradient and its negative Hessian: what FitMaterial maximises.
class MaterialLikelihood {
 public:
  // `samples` must outlive the object.
  MaterialLikelihood(const MaterialSamples& samples, std::vector<int> columns);

  Eigen::Index size() const { return static_cast<Eigen::Index>(columns_.size()) + 1; }
  double Value(const Eigen::VectorXd& b) const;
  void Derivatives(const Eigen::VectorXd& b, Eigen::VectorXd* gradient,
                   Eigen::MatrixXd* curvature) const;
  // sum_g u_g u_g'.
  Eigen::MatrixXd ClusteredScores(const Eigen::VectorXd& b) const;

 private:
  const MaterialSamples& samples_;
  const std::vector<int> columns_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_REPORT_MATERIAL_MODEL_H_
