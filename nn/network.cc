#include "nn/network.h"

#include <torch/nn/init.h>

#include <cmath>

#include "nn/random_network.h"

namespace crossriver {
namespace {

using torch::Tensor;

// The shape of a 3x3 kernel of this geometry, or of a 1x1 one.
std::vector<int64_t> Kernel(Geometry geometry, int64_t width) {
  return std::vector<int64_t>(geometry == Geometry::kBox ? 3 : 2, width);
}

}  // namespace

torch::ScalarType ScalarTypeOf(ElementType type) {
  switch (type) {
    case ElementType::kFloat32:
      return torch::kFloat;
    case ElementType::kBFloat16:
      return torch::kBFloat16;
    case ElementType::kFloat16:
      return torch::kHalf;
  }
  return torch::kFloat;
}

torch::Device DeviceOf(const DeviceChoice& device) {
  return device.cuda ? torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(device.index))
                     : torch::Device(torch::kCPU);
}

at::MemoryFormat FormatOf(const Tensor& x, bool channels_last) {
  if (!channels_last) return at::MemoryFormat::Contiguous;
  return x.dim() == 5 ? at::MemoryFormat::ChannelsLast3d : at::MemoryFormat::ChannelsLast;
}

Tensor PoolBoard(const Tensor& x) {
  const Tensor flat = x.flatten(2);
  return torch::cat({flat.mean(2), flat.amax(2)}, 1);
}

ConvNorm::ConvNorm(int in, int out, std::vector<int64_t> kernel, double initial_scale) {
  std::vector<int64_t> sizes = {out, in};
  for (const int64_t width : kernel) {
    sizes.push_back(width);
    padding_.push_back(width / 2);
  }
  weight = register_parameter("weight", torch::empty(sizes));
  torch::nn::init::kaiming_normal_(weight, 0.0, torch::kFanIn, torch::kReLU);
  scale = register_parameter("scale", torch::full({out}, initial_scale));
  bias = register_parameter("bias", torch::zeros({out}));
  mean = register_buffer("mean", torch::zeros({out}));
  variance = register_buffer("variance", torch::ones({out}));
}

Tensor ConvNorm::Forward(const Tensor& x, const Tensor& shift) {
  const std::vector<int64_t> ones(padding_.size(), 1);
  const std::vector<int64_t> zeros(padding_.size(), 0);
  Tensor y = at::convolution(x, weight.to(x.scalar_type()), {}, ones, padding_, ones,
                             /*transposed=*/false, zeros, /*groups=*/1);
  if (shift.defined()) y = y + SpreadOver(shift, y);
  return at::batch_norm(y, scale, bias, mean, variance, is_training(), kNormMomentum, kNormEpsilon,
                        /*cudnn_enabled=*/true);
}

Dense::Dense(int in, int out, double deviation) {
  weight = register_parameter("weight", torch::randn({out, in}) * deviation);
  bias = register_parameter("bias", torch::zeros({out}));
}

Tensor ApplyDense(const Tensor& weight, const Tensor& bias, const Tensor& x) {
  const bool single = x.dim() == 2;
  const Tensor cells = single ? x.unsqueeze(2).unsqueeze(3) : x;
  std::vector<int64_t> sizes(static_cast<size_t>(cells.dim()), 1);
  sizes[0] = weight.size(0);
  sizes[1] = weight.size(1);
  const std::vector<int64_t> ones(sizes.size() - 2, 1);
  const std::vector<int64_t> zeros(sizes.size() - 2, 0);
  const Tensor y = at::convolution(cells, weight.view(sizes), bias, ones, zeros, ones,
                                   /*transposed=*/false, zeros, /*groups=*/1);
  return single ? y.flatten(1) : y;
}

Tensor SpreadOver(const Tensor& x, const Tensor& like) {
  std::vector<int64_t> sizes(static_cast<size_t>(like.dim()), 1);
  sizes[0] = x.size(0);
  sizes[1] = x.size(1);
  return x.reshape(sizes).to(like.scalar_type());
}

ResidualBlock::ResidualBlock(const NetworkOptions& options, const std::vector<int64_t>& kernel,
                             bool pools) {
  const int channels = options.channels;
  first = register_module("first", std::make_shared<ConvNorm>(channels, channels, kernel, 1.0));
  // A block begins as the identity.
  second = register_module("second", std::make_shared<ConvNorm>(channels, channels, kernel, 0.0));
  if (pools) {
    const int pooled = 2 * options.pooling_channels;
    pool =
        register_module("pool", std::make_shared<Dense>(pooled, channels, 0.5 / std::sqrt(pooled)));
  }
  if (options.squeeze_units > 0) {
    const int units = options.squeeze_units;
    squeeze = register_module("squeeze",
                              std::make_shared<Dense>(channels, units, std::sqrt(2.0 / channels)));
    excite =
        register_module("excite", std::make_shared<Dense>(units, channels, 1.0 / std::sqrt(units)));
  }
}

Tensor ResidualBlock::Forward(const Tensor& x) {
  Tensor y = first->Forward(x);
  if (pool != nullptr) {
    const int64_t channels = pool->weight.size(1) / 2;
    const Tensor pooled = PoolBoard(torch::relu(y.narrow(1, 0, channels))).to(torch::kFloat);
    y = y + SpreadOver(pool->Forward(pooled), y);
  }
  y = second->Forward(torch::relu(y));
  if (squeeze != nullptr) {
    const Tensor mean = y.flatten(2).mean(2).to(torch::kFloat);
    const Tensor gate = torch::sigmoid(excite->Forward(torch::relu(squeeze->Forward(mean))));
    y = y * SpreadOver(gate, y);
  }
  return torch::relu(y + x);
}

LevelMixing::LevelMixing(int channels, int levels, std::vector<int64_t> columns) : levels_(levels) {
  reduce = register_module(
      "reduce", std::make_shared<ConvNorm>(channels * levels, channels, Kernel({}, 1), 1.0));
  expand = register_module(
      "expand", std::make_shared<ConvNorm>(channels, channels * levels, Kernel({}, 1), 0.0));
  order_ = register_buffer("order", torch::tensor(columns));
  inverse_ = register_buffer("inverse", torch::argsort(order_));
}

Tensor ToColumns(const Tensor& x, const Tensor& order, int levels) {
  const int64_t batch = x.size(0), channels = x.size(1), ranks = x.size(2), columns = x.size(3);
  return x.index_select(3, order)
      .permute({0, 2, 3, 1})
      .reshape({batch, ranks, columns / levels, levels * channels})
      .permute({0, 3, 1, 2});
}

Tensor FromColumns(const Tensor& x, const Tensor& inverse, int levels) {
  const int64_t batch = x.size(0), channels = x.size(1) / levels, ranks = x.size(2);
  return x.permute({0, 2, 3, 1})
      .reshape({batch, ranks, x.size(3) * levels, channels})
      .permute({0, 3, 1, 2})
      .index_select(3, inverse);
}

Tensor LevelMixing::Forward(const Tensor& x) {
  const Tensor hidden = torch::relu(reduce->Forward(ToColumns(x, order_, levels_)));
  return torch::relu(x + FromColumns(expand->Forward(hidden), inverse_, levels_));
}

Network::Network(const NetworkOptions& options, const NetworkShape& shape,
                 const std::vector<int64_t>& mixing_columns)
    : options_(options), shape_(shape) {
  const std::vector<int64_t> kernel = Kernel(options.geometry, 3);
  const int channels = options.channels;
  input_ =
      register_module("input", std::make_shared<ConvNorm>(shape.planes, channels, kernel, 1.0));
  constants_ = register_module(
      "constants",
      std::make_shared<Dense>(shape.constants, channels, 1.0 / std::sqrt(shape.constants)));
  for (int i = 0; i < options.blocks; ++i) {
    const bool pools = options.pooling_every > 0 && (i + 1) % options.pooling_every == 0;
    blocks_.push_back(register_module("block" + std::to_string(i),
                                      std::make_shared<ResidualBlock>(options, kernel, pools)));
    if (mixing_columns.empty()) continue;
    mixings_.push_back(
        register_module("mixing" + std::to_string(i),
                        std::make_shared<LevelMixing>(channels, shape.levels, mixing_columns)));
  }
  AddHeads();
}

void Network::AddHeads() {
  const int depth = options_.policy_channels;
  const int pooled = 2 * options_.value_channels;
  const bool replies = options_.reply_weight > 0;
  const int outputs = shape_.cell_vectors() * depth + options_.value_channels + (replies ? 2 : 0);
  const auto dense = [this](const char* name, int in, int out, double deviation) {
    return register_module(name, std::make_shared<Dense>(in, out, deviation));
  };
  heads_ = dense("heads", options_.channels, outputs, 1.0 / std::sqrt(options_.channels));
  if (shape_.hand_kinds > 0) {
    drops_ = dense("drops", pooled, shape_.hand_kinds * depth, 1.0 / std::sqrt(pooled));
    if (replies) reply_drops_ = dense("reply_drops", pooled, shape_.hand_kinds, 0.0);
  }
  value_hidden_ = dense("value_hidden", pooled, options_.value_units, std::sqrt(2.0 / pooled));
  value_ = dense("value", options_.value_units, 3, 0.0);  // at first all results are as likely
  if (options_.plies_left_weight > 0) {
    plies_left_ = dense("plies_left", options_.value_units, 1, 0.0);
  }
}

NetworkOutput Network::Forward(const Tensor& planes, const Tensor& constants) {
  Tensor x = torch::relu(input_->Forward(planes, constants_->Forward(constants)));
  for (size_t i = 0; i < blocks_.size(); ++i) {
    x = blocks_[i]->Forward(x);
    if (i < mixings_.size()) x = mixings_[i]->Forward(x);
  }
  const Tensor heads = heads_->Forward(x.to(torch::kFloat));
  const int64_t vectors = shape_.cell_vectors() * options_.policy_channels;
  const Tensor pooled = PoolBoard(torch::relu(heads.narrow(1, vectors, options_.value_channels)));
  const Tensor hidden = torch::relu(value_hidden_->Forward(pooled));
  NetworkOutput output;
  output.cell_vectors = heads.narrow(1, 0, vectors);
  if (drops_ != nullptr) {
    output.drop_vectors =
        drops_->Forward(pooled).view({planes.size(0), shape_.hand_kinds, options_.policy_channels});
  }
  output.wdl = value_->Forward(hidden);
  if (plies_left_ != nullptr) output.plies_left = plies_left_->Forward(hidden).flatten();
  if (options_.reply_weight > 0) {
    const int64_t first = vectors + options_.value_channels;
    output.reply_from = heads.select(1, first).flatten(1);
    if (reply_drops_ != nullptr) {
      output.reply_from = torch::cat({output.reply_from, reply_drops_->Forward(pooled)}, 1);
    }
    output.reply_to = heads.select(1, first + 1).flatten(1);
  }
  return output;
}

int64_t Network::NumParameters() const {
  int64_t count = 0;
  for (const Tensor& parameter : parameters()) count += parameter.numel();
  return count;
}

std::vector<int64_t> MixingColumns(const NetworkOptions& options, const Topology& topology) {
  std::vector<int64_t> columns;
  if (options.geometry != Geometry::kMixed || topology.levels() == 1) return columns;
  for (int file = 0; file < topology.files(); ++file) {
    for (int level = 0; level < topology.levels(); ++level) {
      columns.push_back(topology.LetterColumn(topology.CellAt({level, file, 0})));
    }
  }
  return columns;
}

std::shared_ptr<Network> RandomNetwork(const NetworkOptions& options, const Rules& rules,
                                       uint64_t seed) {
  torch::manual_seed(seed);
  std::shared_ptr<Network> network = MakeNetwork(options, rules);
  network->eval();
  return network;
}

std::shared_ptr<Network> MakeNetwork(const NetworkOptions& options, const Rules& rules) {
  const NetworkShape shape = ShapeOf(rules, FeatureSchema(rules));
  return std::make_shared<Network>(options, shape, MixingColumns(options, rules.topology()));
}

}  // namespace crossriver
