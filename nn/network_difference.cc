#include "nn/network_difference.h"

#include <limits>

#include "nn/tensor_map.h"

namespace crossriver {

std::vector<TensorDifference> CompareTensors(const Network& first, const Network& second) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const TensorMap a = CopyWeights(first);
  const TensorMap b = CopyWeights(second);
  std::vector<TensorDifference> rows;
  for (const auto& [name, tensor] : a) {
    const auto other = b.find(name);
    if (other == b.end() || other->second.sizes() != tensor.sizes()) {
      rows.push_back({name, tensor.numel(), kNone, kNone, kNone});
      continue;
    }
    const torch::Tensor change = (other->second - tensor).abs();
    const double norm = tensor.norm().item<double>();
    rows.push_back({name, tensor.numel(), change.mean().item<double>(), change.max().item<double>(),
                    change.norm().item<double>() / (norm > 0 ? norm : 1)});
  }
  for (const auto& [name, tensor] : b) {
    if (a.count(name) == 0) rows.push_back({name, tensor.numel(), kNone, kNone, kNone});
  }
  return rows;
}

}  // namespace crossriver
