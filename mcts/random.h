// Random numbers of a search: the same on every machine, unlike the distributions of <random>.
#ifndef CROSSRIVER_MCTS_RANDOM_H_
#define CROSSRIVER_MCTS_RANDOM_H_

#include <cstdint>
#include <vector>

#include "core/fingerprint.h"

namespace crossriver {

// One stream. Not synchronised.
class RandomStream {
 public:
  explicit RandomStream(uint64_t seed) : sequence_(seed) {}

  uint64_t Next() { return sequence_.Next(); }
  // 0 .. bound-1; the bias of the remainder is below 1e-10 for every bound in use.
  size_t Below(size_t bound) { return Next() % bound; }
  // From 0 to 1, both exclusive.
  double Uniform() { return (static_cast<double>(Next() >> 11) + 0.5) * 0x1p-53; }
  double Normal();             // mean 0, variance 1
  double Gumbel();             // location 0, scale 1
  double Gamma(double shape);  // scale 1; shape > 0

 private:
  KeySequence sequence_;
};

// `size` probabilities from the Dirichlet distribution with all parameters `alpha`.
std::vector<float> Dirichlet(size_t size, double alpha, RandomStream* random);

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_RANDOM_H_
