// The network as training sees it. Includes LibTorch: keep it out of headers that others include.
//
// A residual network in the manner of AlphaZero (Silver et al. 2018), with KataGo's global pooling
// bias (Wu 2019, arXiv 1902.10565), and heads that know no geometry:
//
//   policy  the score of a move is q(start) . k(end) / sqrt(D). Each cell has vectors q, k and,
//           where pieces promote, p, which takes q's place in moves that promote; a kind in hand
//           has a vector made from what the value head pools, which takes q's place in drops.
//   value   win, draw and loss of the mover, from the mean and maximum of channels over the board.
//   for training only: plies left, as log(1 + plies), and the start and end of the opponent's
//   reply.
#ifndef CROSSRIVER_NN_NETWORK_H_
#define CROSSRIVER_NN_NETWORK_H_

#include <torch/nn/module.h>
#include <torch/types.h>

#include <memory>
#include <string>
#include <vector>

#include "nn/device.h"
#include "nn/network_options.h"

namespace crossriver {

// Of the batch norms: their epsilon, and the weight of a batch in the running statistics.
inline constexpr double kNormEpsilon = 1e-5;
inline constexpr double kNormMomentum = 0.1;

// All in fp32. B positions, D policy channels, H kinds in hand.
struct NetworkOutput {
  torch::Tensor cell_vectors;  // [B, N*D, R, W] (box: [B, N*D, R, L, F]): q, k and p of each cell
  torch::Tensor drop_vectors;  // [B, H, D]
  torch::Tensor wdl;           // [B, 3], logits
  torch::Tensor plies_left;    // [B], or undefined
  torch::Tensor reply_from;    // [B, cells + H], logits, or undefined: a cell or a kind in hand
  torch::Tensor reply_to;      // [B, cells], logits, or undefined
};

// LibTorch's names of a type and a device.
torch::ScalarType ScalarTypeOf(ElementType type);
torch::Device DeviceOf(const DeviceChoice& device);

// The memory order of x, [B, C, R, W] or [B, C, R, L, F].
at::MemoryFormat FormatOf(const torch::Tensor& x, bool channels_last);

// weight x + bias at each cell of x, [B, in] or [B, in, R, W], in the type of x.
torch::Tensor ApplyDense(const torch::Tensor& weight, const torch::Tensor& bias,
                         const torch::Tensor& x);

// x, [B, C], as [B, C, 1, 1] or with as many ones as `like` has, in the type of `like`.
torch::Tensor SpreadOver(const torch::Tensor& x, const torch::Tensor& like);

// A convolution without bias and the batch norm behind it.
class ConvNorm : public torch::nn::Module {
 public:
  // `kernel` is the kernel's shape, such as {3, 3}; padded to keep the board's size.
  ConvNorm(int in, int out, std::vector<int64_t> kernel, double initial_scale);

  // Convolves in the type of `x`. `shift`, [B, out], is added before the norm; it may be undefined.
  torch::Tensor Forward(const torch::Tensor& x, const torch::Tensor& shift = {});

  torch::Tensor weight, scale, bias, mean, variance;

 private:
  std::vector<int64_t> padding_;
};

// A matrix and a bias. Computed as a convolution of one cell: LibTorch's products of matrices need
// a fast BLAS, which is not always there; its convolutions do not.
class Dense : public torch::nn::Module {
 public:
  Dense(int in, int out, double deviation);
  torch::Tensor Forward(const torch::Tensor& x) const { return ApplyDense(weight, bias, x); }

  torch::Tensor weight, bias;  // [out, in], [out]
};

class ResidualBlock : public torch::nn::Module {
 public:
  ResidualBlock(const NetworkOptions& options, const std::vector<int64_t>& kernel, bool pools);
  torch::Tensor Forward(const torch::Tensor& x);

  std::shared_ptr<ConvNorm> first, second;
  std::shared_ptr<Dense> pool;             // from 2 * pooling_channels, or null
  std::shared_ptr<Dense> squeeze, excite;  // or null
};

// Between blocks of Geometry::kMixed: x + expand(relu(reduce(x))), where reduce sees all levels of
// a (file, rank) column at once.
class LevelMixing : public torch::nn::Module {
 public:
  // `columns` lists the board's columns, [file][level], by their place in the network's order.
  LevelMixing(int channels, int levels, std::vector<int64_t> columns);
  torch::Tensor Forward(const torch::Tensor& x);

  const torch::Tensor& order() const { return order_; }
  const torch::Tensor& inverse() const { return inverse_; }

  std::shared_ptr<ConvNorm> reduce, expand;

 private:
  int levels_;
  torch::Tensor order_, inverse_;
};

// The board cut into (file, rank) columns, the levels of each side by side as channels, [B, C, R,
// W] to [B, L*C, R, F], and back. `order` lists the board's columns by file and level, `inverse` is
// its inverse. Cheap in channels-last memory.
torch::Tensor ToColumns(const torch::Tensor& x, const torch::Tensor& order, int levels);
torch::Tensor FromColumns(const torch::Tensor& x, const torch::Tensor& inverse, int levels);

class Network : public torch::nn::Module {
 public:
  // Random weights from LibTorch's generator; see torch::manual_seed.
  Network(const NetworkOptions& options, const NetworkShape& shape,
          const std::vector<int64_t>& mixing_columns);

  // planes [B, P, R, W] (box: [B, P, R, L, F]) in fp32 or bf16, in which type the trunk then
  // computes; constants [B, G] in fp32.
  NetworkOutput Forward(const torch::Tensor& planes, const torch::Tensor& constants);

  const NetworkOptions& options() const { return options_; }
  const NetworkShape& shape() const { return shape_; }
  int64_t NumParameters() const;

 private:
  friend class FoldedNetwork;

  void AddHeads();

  NetworkOptions options_;
  NetworkShape shape_;
  std::shared_ptr<ConvNorm> input_;
  std::shared_ptr<Dense> constants_;
  std::vector<std::shared_ptr<ResidualBlock>> blocks_;
  std::vector<std::shared_ptr<LevelMixing>> mixings_;
  // One convolution of one cell for all heads: the cell vectors, then the value channels, then two
  // channels of the reply head.
  std::shared_ptr<Dense> heads_;
  std::shared_ptr<Dense> drops_, value_hidden_, value_, plies_left_, reply_drops_;
};

// The columns LevelMixing wants; empty for other geometries and flat boards.
std::vector<int64_t> MixingColumns(const NetworkOptions& options, const Topology& topology);

std::shared_ptr<Network> MakeNetwork(const NetworkOptions& options, const Rules& rules);

// Mean and maximum over the board: [B, C, …] to [B, 2C].
torch::Tensor PoolBoard(const torch::Tensor& x);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_NETWORK_H_
