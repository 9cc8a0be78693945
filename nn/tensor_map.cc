#include "nn/tensor_map.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/fingerprint.h"

namespace crossriver {
namespace {

// All tensors of the network that belong in a checkpoint, by name.
TensorMap Tensors(const Network& network) {
  TensorMap tensors;
  for (const auto& item : network.named_parameters()) tensors[item.key()] = item.value();
  for (const auto& item : network.named_buffers()) {
    // Tables of indices follow from the variant.
    if (item.value().is_floating_point()) tensors[item.key()] = item.value();
  }
  return tensors;
}

std::string ShapeText(const torch::Tensor& tensor) {
  return absl::StrCat("[", absl::StrJoin(tensor.sizes(), ", "), "]");
}

absl::Status CheckTensor(const std::string& name, const torch::Tensor& have,
                         const torch::Tensor& want) {
  if (have.sizes() != want.sizes()) {
    return absl::InvalidArgumentError(absl::StrCat("tensor '", name, "' has shape ",
                                                   ShapeText(have), ", the network wants ",
                                                   ShapeText(want)));
  }
  if (have.scalar_type() != want.scalar_type()) {
    return absl::InvalidArgumentError(
        absl::StrCat("tensor '", name, "' has type ", c10::toString(have.scalar_type()),
                     ", the network wants ", c10::toString(want.scalar_type())));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckFinite(const TensorMap& tensors) {
  for (const auto& [name, tensor] : tensors) {
    if (!torch::isfinite(tensor).all().item<bool>()) {
      return absl::InvalidArgumentError(
          absl::StrCat("tensor '", name, "' holds a number that is not finite"));
    }
  }
  return absl::OkStatus();
}

torch::Tensor CopyToCpu(const torch::Tensor& tensor) {
  return tensor.detach().to(torch::kCPU, tensor.scalar_type(), /*non_blocking=*/false,
                            /*copy=*/true, at::MemoryFormat::Contiguous);
}

TensorMap CopyWeights(const Network& network) {
  TensorMap copies;
  for (const auto& [name, tensor] : Tensors(network)) {
    copies[name] = CopyToCpu(tensor);
  }
  return copies;
}

absl::Status SetWeights(const TensorMap& weights, Network* network) {
  TensorMap targets = Tensors(*network);
  for (const auto& [name, target] : targets) {
    const auto found = weights.find(name);
    if (found == weights.end()) {
      return absl::InvalidArgumentError(absl::StrCat("tensor '", name, "' is missing"));
    }
    absl::Status status = CheckTensor(name, found->second, target);
    if (status.ok()) status = CheckFinite({{name, found->second}});
    if (!status.ok()) return status;
  }
  for (const auto& [name, tensor] : weights) {
    if (targets.count(name) == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("tensor '", name, "' is none of the network's"));
    }
  }
  const torch::NoGradGuard no_grad;
  for (auto& [name, target] : targets) target.copy_(weights.at(name));
  return absl::OkStatus();
}

uint64_t HashTensors(const TensorMap& tensors) {
  uint64_t hash = 0;
  for (const auto& [name, tensor] : tensors) {
    const torch::Tensor bytes = tensor.detach().to(torch::kCPU).contiguous();
    const uint64_t content =
        HashBytes({static_cast<const char*>(bytes.data_ptr()), bytes.nbytes()});
    hash =
        HashBytes(absl::StrCat(absl::Hex(hash), " ", name, " ", c10::toString(bytes.scalar_type()),
                               ShapeText(bytes), absl::Hex(content)));
  }
  return hash;
}

}  // namespace crossriver
