// Tensors by name. Includes LibTorch: keep it out of headers that others include.
#ifndef CROSSRIVER_NN_TENSOR_MAP_H_
#define CROSSRIVER_NN_TENSOR_MAP_H_

#include <torch/types.h>

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "nn/network.h"

namespace crossriver {

using TensorMap = std::map<std::string, torch::Tensor>;

// A copy on the CPU, contiguous, without history.
torch::Tensor CopyToCpu(const torch::Tensor& tensor);

// Parameters and buffers of a network (running statistics among them), as copies on the CPU.
TensorMap CopyWeights(const Network& network);

// The other way round. Errors: a tensor that is missing, left over, of another type or shape, or
// has a number that is not finite, with its name; the network is then unchanged.
absl::Status SetWeights(const TensorMap& weights, Network* network);

// OK, or the first tensor with a number that is not finite, by name.
absl::Status CheckFinite(const TensorMap& tensors);

// A fingerprint of names, types, shapes and values.
uint64_t HashTensors(const TensorMap& tensors);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_TENSOR_MAP_H_
