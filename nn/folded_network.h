// The network as play sees it: batch norms folded into the convolutions, one type and layout
// throughout. Includes LibTorch: keep it out of headers that others include.
#ifndef CROSSRIVER_NN_FOLDED_NETWORK_H_
#define CROSSRIVER_NN_FOLDED_NETWORK_H_

#include <ATen/core/ivalue.h>
#include <torch/types.h>

#include <memory>
#include <optional>
#include <vector>

#include "nn/network.h"

namespace crossriver {

struct FoldOptions {
  torch::Device device = torch::kCPU;
  torch::ScalarType type = torch::kFloat;  // of the trunk; heads are fp32
  bool channels_last = true;
  // Convolutions whose weights are laid out once for the processor, with the rectifier behind them
  // fused in (oneDNN through LibTorch). For one batch size, on the CPU only; where LibTorch has
  // none that fit, ordinary ones are used.
  bool prepacked = false;
  int batch = 32;
};

// A convolution with its bias and, if so told, the rectifier behind it.
class FoldedConvolution {
 public:
  // Folds `source` with its running statistics. `input` is the shape of what it will be given.
  FoldedConvolution(const ConvNorm& source, bool rectify, const std::vector<int64_t>& input,
                    const FoldOptions& options);
  torch::Tensor Forward(const torch::Tensor& x) const;

 private:
  bool Prepack(const std::vector<int64_t>& input);

  torch::Tensor weight_, bias_;
  std::vector<int64_t> padding_, ones_, zeros_;
  bool rectify_;
  std::optional<c10::IValue> packed_;
};

// Immutable after construction; Forward may run on several threads at once.
class FoldedNetwork {
 public:
  FoldedNetwork(const Network& network, const FoldOptions& options);

  // planes [B, P, R, W] of the folded type, layout and device; constants [B, G] fp32. Returns what
  // the heads make of each cell, fp32, channels last: [B, O, R, W] with the N*D cell vectors first
  // and the value channels behind them.
  torch::Tensor Cells(const torch::Tensor& planes, const torch::Tensor& constants) const;

  const NetworkOptions& options() const { return network_options_; }
  const NetworkShape& shape() const { return shape_; }
  const FoldOptions& fold() const { return fold_; }
  // The shape of a batch of planes.
  std::vector<int64_t> InputShape(int batch, int channels) const;

  // The small matrices behind the pooled value channels, [out, in] and [out], fp32 on the CPU.
  struct Matrix {
    torch::Tensor weight, bias;
  };
  Matrix drops, value_hidden, value;

 private:
  struct Block {
    FoldedConvolution first, second;
    std::optional<Matrix> pool, squeeze, excite;
  };
  struct Mixing {
    FoldedConvolution reduce, expand;
    torch::Tensor order, inverse;  // of the board's columns
    std::vector<int32_t> cells;    // the same as an order of all cells
  };

  torch::Tensor Run(const Block& block, const torch::Tensor& x) const;
  // May change x.
  torch::Tensor Run(const Mixing& mixing, torch::Tensor x) const;
  Matrix Copy(const Dense& dense) const;

  NetworkOptions network_options_;
  NetworkShape shape_;
  FoldOptions fold_;
  std::optional<FoldedConvolution> input_;
  Matrix constants_, heads_;
  std::vector<Block> blocks_;
  std::vector<Mixing> mixings_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_NN_FOLDED_NETWORK_H_
