#include "selfplay/draw_move.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace crossriver {
namespace {

// Below it the likeliest is taken.
constexpr double kLeastTemperature = 0.01;

}  // namespace

size_t DrawByWeight(std::span<const float> weights, double temperature, RandomStream* random) {
  const auto most = std::max_element(weights.begin(), weights.end());
  if (temperature < kLeastTemperature) return static_cast<size_t>(most - weights.begin());
  std::vector<double> sums(weights.size());
  double sum = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    sum += std::pow(static_cast<double>(weights[i] / *most), 1 / temperature);
    sums[i] = sum;
  }
  const double at = random->Uniform() * sum;
  const auto drawn = std::upper_bound(sums.begin(), sums.end() - 1, at);
  return static_cast<size_t>(drawn - sums.begin());
}

Move DrawMove(const SearchResult& result, double temperature, RandomStream* random) {
  if (result.proof.result != Result::kNone || temperature < kLeastTemperature) return result.best;
  std::vector<float> weights;
  for (const MoveResult& move : result.moves) {
    weights.push_back(move.proof.result == Result::kLoss ? 0.0F : move.target);
  }
  if (*std::max_element(weights.begin(), weights.end()) <= 0) return result.best;
  return result.moves[DrawByWeight(weights, temperature, random)].move;
}

}  // namespace crossriver
