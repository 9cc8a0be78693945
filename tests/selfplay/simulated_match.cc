#include "tests/selfplay/simulated_match.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace crossriver::testing {
namespace {

constexpr int kIntegrationSteps = 400;
constexpr double kIntegrationRange = 6;  // standard deviations to either side

constexpr int kGridSteps = 6;  // to either side
constexpr int kGridRounds = 60;
constexpr double kGridShrinks = 0.6;

double PointsExpected(double lead, double draws) {
  const double win = std::exp(lead / 2);
  const double loss = std::exp(-lead / 2);
  return (win + draws / 2) / (win + draws + loss);
}

// -inf where a probability would be negative or a result impossible that has occurred.
double LogLikelihood(const std::array<int64_t, 5>& pairs, const std::array<double, 5>& p) {
  double sum = 0;
  for (size_t k = 0; k < pairs.size(); ++k) {
    if (p[k] < 0) return -std::numeric_limits<double>::infinity();
    if (pairs[k] > 0) sum += static_cast<double>(pairs[k]) * std::log(p[k]);
  }
  return sum;
}

}  // namespace

Result SimulatedResult(double lead, double draws, RandomStream* random) {
  const double win = std::exp(lead / 2);
  const double drawn = random->Uniform() * (win + draws + std::exp(-lead / 2)) - win;
  if (drawn < 0) return Result::kWin;
  return drawn < draws ? Result::kDraw : Result::kLoss;
}

void SimulatedMatch::PlayPair(RandomStream* random, MatchScore* score) const {
  const double first = advantage + (opening_bias > 0 ? opening_bias * random->Normal() : 0);
  const Result a_first = SimulatedResult(lead + first, draws, random);
  score->AddPair(a_first, SimulatedResult(lead - first, draws, random));
}

double SimulatedMatch::ExpectedScore() const {
  double sum = 0;
  double weights = 0;
  for (int i = -kIntegrationSteps; i <= kIntegrationSteps; ++i) {
    const double deviations = kIntegrationRange * i / kIntegrationSteps;
    const double weight = std::exp(-deviations * deviations / 2);
    const double first = advantage + opening_bias * deviations;
    sum += weight / 2 * (PointsExpected(lead + first, draws) + PointsExpected(lead - first, draws));
    weights += weight;
  }
  return sum / weights;
}

double BruteForceLikelihood(const std::array<int64_t, 5>& pairs, double score) {
  double best = -std::numeric_limits<double>::infinity();
  std::array<double, 3> center = {0.2, 0.2, 0.2};  // of three probabilities; two follow from them
  double range = 0.5;
  for (int round = 0; round < kGridRounds; ++round, range *= kGridShrinks) {
    const std::array<double, 3> from = center;
    for (int a = -kGridSteps; a <= kGridSteps; ++a) {
      for (int b = -kGridSteps; b <= kGridSteps; ++b) {
        for (int c = -kGridSteps; c <= kGridSteps; ++c) {
          const double step = range / kGridSteps;
          // Probabilities of 0 lie on the edge, which the grid would miss.
          const double p1 = std::max(0.0, from[0] + a * step);
          const double p2 = std::max(0.0, from[1] + b * step);
          const double p3 = std::max(0.0, from[2] + c * step);
          const double p4 = (4 * score - p1 - 2 * p2 - 3 * p3) / 4;
          const double value = LogLikelihood(pairs, {1 - p1 - p2 - p3 - p4, p1, p2, p3, p4});
          if (value <= best) continue;
          best = value;
          center = {p1, p2, p3};
        }
      }
    }
  }
  return best;
}

}  // namespace crossriver::testing
