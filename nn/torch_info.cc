#include "nn/torch_info.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <torch/version.h>

namespace crossriver {

std::string TorchInfo() {
  return std::string(TORCH_VERSION) + ", threads " + std::to_string(at::get_num_threads()) +
         ", MKL-DNN " + (at::hasMKLDNN() ? "yes" : "no") + ", CUDA " +
         (at::hasCUDA() ? "yes" : "no");
}

}  // namespace crossriver
