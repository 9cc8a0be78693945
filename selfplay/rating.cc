#include "selfplay/rating.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/check.h"
#include "selfplay/normal.h"
#include "selfplay/rating_model.h"

namespace crossriver {
namespace {

constexpr int kMaxPlayers = 2000;
constexpr int64_t kMaxGames = 1'000'000'000;  // a count
constexpr double kMinDeviation = 1;
constexpr double kMaxDeviation = 1e5;

// The prior's deviation is in Elo, and the model's scale that of decisive games: the share of draws
// between equals, which relates the two, is found first. After so many rounds it hardly changes.
constexpr int kRounds = 3;
// From here on the prior grows no wider.
constexpr double kMaxDrawShare = 0.99;

// The square of the next step in standard errors below which it is not worth while.
constexpr double kSmallStep = 1e-10;
// A step is halved until it gains this share of what its slope promises.
constexpr double kGain = 1e-4;
constexpr int kMaxHalvings = 40;
// Rounding errors of the log-posterior, relative.
constexpr double kRounding = 1e-13;

absl::Status CheckInput(int players, std::span<const PairResults> results,
                        const RatingOptions& options) {
  const auto error = [](const auto&... parts) {
    return absl::InvalidArgumentError(absl::StrCat(parts...));
  };
  if (players < 1 || players > kMaxPlayers) {
    return error("players: expected 1 to ", kMaxPlayers, ", got ", players);
  }
  if (options.anchor < 0 || options.anchor >= players) {
    return error("anchor: expected 0 to ", players - 1, ", got ", options.anchor);
  }
  if (!(options.deviation >= kMinDeviation && options.deviation <= kMaxDeviation)) {
    return error("deviation: expected ", kMinDeviation, " to ", kMaxDeviation, ", got ",
                 options.deviation);
  }
  if (options.max_steps < 1) {
    return error("max_steps: expected 1 or more, got ", options.max_steps);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const PairResults& r = results[i];
    for (const int player : {r.first, r.second}) {
      if (player >= 0 && player < players) continue;
      return error("results[", i, "]: expected players 0 to ", players - 1, ", got ", player);
    }
    if (r.first == r.second) {
      return error("results[", i, "]: expected two different players, got ", r.first, " twice");
    }
    for (const int64_t count : {r.wins, r.draws, r.losses}) {
      if (count >= 0 && count <= kMaxGames) continue;
      return error("results[", i, "]: expected counts from 0 to ", kMaxGames, ", got ", count);
    }
  }
  return absl::OkStatus();
}

// The share of draws between equals.
double DrawShareOf(double log_draw) { return ChancesOf(0, log_draw).draw; }

// Goes from `x` along `step` as far as the log-posterior grows well enough. `promise`: its slope.
void SearchAlong(const RatingModel& model, const Eigen::VectorXd& step, double promise,
                 Eigen::VectorXd* x) {
  const double before = model.LogPosterior(*x);
  const double rounding = kRounding * (1 + std::abs(before));
  double length = 1;
  for (int i = 0; i < kMaxHalvings; ++i, length /= 2) {
    const Eigen::VectorXd next = *x + length * step;
    if (model.LogPosterior(next) >= before + kGain * length * promise - rounding) {
      *x = next;
      return;
    }
  }
}

// The maximum of the log-posterior, from `x` on, and the curvature there.
absl::Status Maximise(const RatingModel& model, int max_steps, Eigen::VectorXd* x,
                      Eigen::MatrixXd* curvature) {
  Eigen::VectorXd gradient;
  for (int i = 0; i <= max_steps; ++i) {
    model.Derivatives(*x, &gradient, curvature);
    const Eigen::VectorXd step = curvature->llt().solve(gradient);
    const double promise = gradient.dot(step);
    if (promise <= kSmallStep) return absl::OkStatus();  // never so for NaN
    if (i < max_steps) SearchAlong(model, step, promise, x);
  }
  return absl::AbortedError(
      absl::StrCat("the ratings have not converged after ", max_steps, " steps"));
}

}  // namespace

Ratings::Ratings(Solution solution)
    : solution_(std::move(solution)), draw_share_(DrawShareOf(solution_.parameters.back())) {
  const size_t size = solution_.parameters.size();
  CR_CHECK(size >= 3 && solution_.covariance.size() == size * size);
}

double Ratings::Covariance(size_t i, size_t j) const {
  return solution_.covariance[i * solution_.parameters.size() + j];
}

double Ratings::DecisiveLead(int i, int j) const {
  CR_CHECK(i >= 0 && i < players() && j >= 0 && j < players());
  return solution_.parameters[static_cast<size_t>(i)] -
         solution_.parameters[static_cast<size_t>(j)];
}

double Ratings::DecisiveVariance(int i, int j) const {
  CR_CHECK(i >= 0 && i < players() && j >= 0 && j < players());
  const auto a = static_cast<size_t>(i);
  const auto b = static_cast<size_t>(j);
  return std::max(0.0, Covariance(a, a) + Covariance(b, b) - 2 * Covariance(a, b));
}

// In Elo a lead is lead (1 - q) / kNatsPerElo, where q is the share of draws between equals, and
// dq / dlog_draw = q (1 - q). The variance is that of the linear terms (the delta method).
Estimate Ratings::InElo(double lead, double variance, double with_draw) const {
  const double scale = (1 - draw_share_) / kNatsPerElo;
  const double by_draw = -lead * draw_share_;  // relative to `scale`, like the lead's own 1
  const double sum =
      variance + 2 * by_draw * with_draw + by_draw * by_draw * Covariance(log_draw(), log_draw());
  const double width = kDeviationsOf95 * std::sqrt(std::max(0.0, sum)) * scale;
  return {lead * scale, lead * scale - width, lead * scale + width};
}

Estimate Ratings::Difference(int i, int j) const {
  const double lead = DecisiveLead(i, j);
  return InElo(lead, DecisiveVariance(i, j),
               Covariance(static_cast<size_t>(i), log_draw()) -
                   Covariance(static_cast<size_t>(j), log_draw()));
}

double Ratings::LikelihoodOfSuperiority(int i, int j) const {
  const double deviation = std::sqrt(DecisiveVariance(i, j));
  return i == j || deviation == 0 ? 0.5 : NormalCdf(DecisiveLead(i, j) / deviation);
}

Estimate Ratings::Advantage() const {
  return InElo(solution_.parameters[advantage()], Covariance(advantage(), advantage()),
               Covariance(advantage(), log_draw()));
}

Estimate Ratings::DrawShare() const {
  const double value = solution_.parameters[log_draw()];
  const double width = kDeviationsOf95 * std::sqrt(Covariance(log_draw(), log_draw()));
  return {DrawShareOf(value), DrawShareOf(value - width), DrawShareOf(value + width)};
}

absl::Status Ratings::Connection() const {
  if (groups().size() == 1) return absl::OkStatus();
  std::vector<std::string> others;
  for (size_t i = 1; i < groups().size(); ++i) {
    others.push_back(absl::StrCat("[", absl::StrJoin(groups()[i], ", "), "]"));
  }
  return absl::FailedPreconditionError(
      absl::StrCat("expected games that connect every player with player ", solution_.anchor,
                   ", got none that connect ", absl::StrJoin(others, ", ")));
}

absl::StatusOr<Ratings> Rate(int players, std::span<const PairResults> results,
                             const RatingOptions& options) {
  if (absl::Status status = CheckInput(players, results, options); !status.ok()) return status;
  Ratings::Solution solution;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(players + 2);
  Eigen::MatrixXd curvature;
  double draw_share = 0;
  for (int round = 0; round < kRounds; ++round) {
    const double scale = 1 - std::min(draw_share, kMaxDrawShare);
    const RatingModel model(players, results, options.deviation / scale);
    solution.convergence = Maximise(model, options.max_steps, &x, &curvature);
    solution.groups = model.groups();
    draw_share = DrawShareOf(x[model.log_draw()]);
  }
  const Eigen::MatrixXd covariance =
      curvature.llt().solve(Eigen::MatrixXd::Identity(x.size(), x.size()));
  solution.parameters.assign(x.data(), x.data() + x.size());
  // The inverse is symmetric but for rounding errors.
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    for (Eigen::Index j = 0; j < x.size(); ++j) {
      solution.covariance.push_back((covariance(i, j) + covariance(j, i)) / 2);
    }
  }
  const auto holds_anchor = [&options](const std::vector<int>& group) {
    return std::ranges::binary_search(group, options.anchor);
  };
  std::stable_partition(solution.groups.begin(), solution.groups.end(), holds_anchor);
  solution.anchor = options.anchor;
  return Ratings(std::move(solution));
}

}  // namespace crossriver
