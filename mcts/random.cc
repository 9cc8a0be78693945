#include "mcts/random.h"

#include <cmath>
#include <numbers>

namespace crossriver {

// Box and Muller (1958); the second number is not kept, so that a stream is a function of the
// calls.
double RandomStream::Normal() {
  const double radius = std::sqrt(-2.0 * std::log(Uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * Uniform());
}

double RandomStream::Gumbel() { return -std::log(-std::log(Uniform())); }

// Marsaglia and Tsang (2000). Shapes below 1 by Gamma(a) = Gamma(a + 1) U^(1/a).
double RandomStream::Gamma(double shape) {
  if (shape < 1.0) return Gamma(shape + 1.0) * std::pow(Uniform(), 1.0 / shape);
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = Normal();
    const double root = 1.0 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(Uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

std::vector<float> Dirichlet(size_t size, double alpha, RandomStream* random) {
  std::vector<double> gammas(size);
  double sum = 0;
  for (double& gamma : gammas) sum += gamma = random->Gamma(alpha);
  std::vector<float> shares(size, 1.0F / static_cast<float>(size));
  // Tiny parameters can underflow to nothing but zeros; the even distribution stands in.
  if (sum <= 0) return shares;
  for (size_t i = 0; i < size; ++i) shares[i] = static_cast<float>(gammas[i] / sum);
  return shares;
}

}  // namespace crossriver
