// How far the weights of two networks are apart.
#ifndef CROSSRIVER_NN_NETWORK_DIFFERENCE_H_
#define CROSSRIVER_NN_NETWORK_DIFFERENCE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace crossriver {

class Network;

struct TensorDifference {
  std::string name;
  int64_t numbers = 0;
  double mean = 0;      // mean absolute difference
  double max = 0;       // largest
  double relative = 0;  // norm of the difference / norm of the first
};

// One row for each tensor that both have in the same shape, by name. A tensor that only one has, or
// that has another shape in the other, has NaN in all three.
std::vector<TensorDifference> CompareTensors(const Network& first, const Network& second);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_NETWORK_DIFFERENCE_H_
