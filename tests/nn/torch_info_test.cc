// LibTorch links, loads and computes.
#include "nn/torch_info.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/version.h>

namespace crossriver {
namespace {

TEST(TorchInfoTest, SaysWhatWasFound) {
  EXPECT_THAT(TorchInfo(), ::testing::StartsWith(TORCH_VERSION));
  EXPECT_THAT(TorchInfo(), ::testing::HasSubstr("CUDA "));
}

TEST(TorchInfoTest, LibTorchComputes) {
  const at::Tensor a = at::arange(6, at::kFloat).reshape({2, 3});
  const at::Tensor product = at::matmul(a, a.t());
  EXPECT_EQ(product.sizes(), (at::IntArrayRef{2, 2}));
  EXPECT_EQ(product[1][1].item<float>(), 50.0F);
}

}  // namespace
}  // namespace crossriver
