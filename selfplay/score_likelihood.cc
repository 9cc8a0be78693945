#include "selfplay/score_likelihood.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"

namespace crossriver {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// More than are ever needed: halvings alone need about 100.
constexpr int kMaxSteps = 200;
constexpr double kTolerance = 1e-12;  // of t, relative to the nearer end of its range

// The results of a match as deviations from an expected score.
struct Deviations {
  std::array<double, ScoreLikelihood::kMaxCells> size;
  std::array<double, ScoreLikelihood::kMaxCells> count;
  size_t n = 0;

  // sum n_i log(1 + t d_i)
  double Value(double t) const {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) {
      if (count[i] > 0) sum += count[i] * std::log1p(t * size[i]);
    }
    return sum;
  }
  // Its first derivative, and the second one in `*second`.
  double Slope(double t, double* second) const {
    double first = 0;
    *second = 0;
    for (size_t i = 0; i < n; ++i) {
      if (count[i] == 0) continue;
      const double ratio = size[i] / (1 + t * size[i]);
      first += count[i] * ratio;
      *second -= count[i] * ratio * ratio;
    }
    return first;
  }
};

// The t between `low` < 0 and `high` > 0 at which the falling slope is 0, or the end towards which
// it has no zero. Newton's method, with halvings wherever it would leave the bracket.
double Maximum(const Deviations& deviations, double low, double high) {
  const double tolerance = kTolerance * std::min(-low, high);
  double t = 0;
  for (int step = 0; step < kMaxSteps && high - low > tolerance; ++step) {
    double second = 0;
    const double slope = deviations.Slope(t, &second);
    if (slope == 0) return t;
    (slope > 0 ? low : high) = t;
    const double next = t - slope / second;
    // Not a number where the second derivative is 0.
    const bool inside = next > low && next < high;
    const double before = t;
    t = inside ? next : (low + high) / 2;
    if (inside && std::abs(t - before) <= tolerance) break;
  }
  return t;
}

}  // namespace

ScoreLikelihood::ScoreLikelihood(const MatchScore& score) {
  double half_points = 0;
  const auto add = [this, &half_points](int games, int points, int64_t count) {
    CR_CHECK(count >= 0);
    cells_[size_++] = {static_cast<double>(games), static_cast<double>(points),
                       static_cast<double>(count)};
    half_points += static_cast<double>(points) * static_cast<double>(count);
  };
  if (score.num_pairs() > 0) {
    for (size_t k = 0; k < score.pairs.size(); ++k) add(2, static_cast<int>(k), score.pairs[k]);
  }
  if (score.singles.games() > 0) {
    add(1, 0, score.singles.losses);
    add(1, 1, score.singles.draws);
    add(1, 2, score.singles.wins);
  }
  // Whoever filled the members by hand has to have filled all of them.
  CR_CHECK(score.games() == 2 * score.num_pairs() + score.singles.games());
  CR_CHECK(static_cast<double>(score.total().half_points()) == half_points);
}

double ScoreLikelihood::Loss(double s) const {
  Deviations deviations;
  double smallest = kInfinity;
  double largest = -kInfinity;
  for (const ScoreCell& cell : cells()) {
    const double deviation = cell.half_points / 2 - cell.games * s;
    deviations.size[deviations.n] = deviation;
    deviations.count[deviations.n] = cell.count;
    ++deviations.n;
    smallest = std::min(smallest, deviation);
    largest = std::max(largest, deviation);
  }
  if (deviations.n == 0) return 0;
  // At s = 0 and s = 1 a single result remains possible in each kind of trial.
  if (smallest >= 0 || largest <= 0) {
    for (size_t i = 0; i < deviations.n; ++i) {
      if (deviations.count[i] > 0 && deviations.size[i] != 0) return kInfinity;
    }
    return 0;
  }
  const double t = Maximum(deviations, -1 / largest, -1 / smallest);
  return std::max(0.0, deviations.Value(t));
}

}  // namespace crossriver
