#include "nn/folded_network.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <string>
#include <utility>

#include "core/check.h"
#include "nn/elementwise.h"

namespace crossriver {
namespace {

using torch::Tensor;

// Whether the loops of nn/elementwise.h fit.
bool HasPlainLoops(const Tensor& x) {
  return x.is_cpu() && x.is_contiguous(FormatOf(x, true)) &&
         (x.scalar_type() == torch::kFloat || x.scalar_type() == torch::kBFloat16);
}

BoardArray ShapeOf(const Tensor& x) {
  const auto channels = static_cast<size_t>(x.size(1));
  const auto batch = static_cast<size_t>(x.size(0));
  return {batch, static_cast<size_t>(x.numel()) / batch / channels, channels};
}

BFloat16* BFloats(const Tensor& x) { return static_cast<BFloat16*>(x.data_ptr()); }

// y = max(0, y + x), in place.
void AddThenRectify(const Tensor& x, Tensor* y) {
  if (!HasPlainLoops(x) || !HasPlainLoops(*y)) {
    y->add_(x).relu_();
  } else if (y->scalar_type() == torch::kFloat) {
    AddAndRectify(x.data_ptr<float>(), ShapeOf(x).size(), y->data_ptr<float>());
  } else {
    AddAndRectify(BFloats(x), ShapeOf(x).size(), BFloats(*y));
  }
}

// The same with `shift`, [B, C] in fp32, added to every cell.
void ShiftThenRectify(const Tensor& shift, Tensor* y) {
  if (!HasPlainLoops(*y)) {
    y->add_(SpreadOver(shift, *y)).relu_();
  } else if (y->scalar_type() == torch::kFloat) {
    ShiftAndRectify(shift.contiguous().data_ptr<float>(), ShapeOf(*y), y->data_ptr<float>());
  } else {
    ShiftAndRectify(shift.contiguous().data_ptr<float>(), ShapeOf(*y), BFloats(*y));
  }
}

// PoolBoard of the rectified first channels of y, [B, 2 * channels] in fp32.
Tensor RectifyThenPool(const Tensor& y, int64_t channels) {
  if (!HasPlainLoops(y)) {
    return PoolBoard(torch::relu(y.narrow(1, 0, channels))).to(torch::kFloat);
  }
  Tensor pooled = torch::empty({y.size(0), 2 * channels});
  const auto count = static_cast<size_t>(channels);
  if (y.scalar_type() == torch::kFloat) {
    RectifyAndPool(y.data_ptr<float>(), ShapeOf(y), count, pooled.data_ptr<float>());
  } else {
    RectifyAndPool(BFloats(y), ShapeOf(y), count, pooled.data_ptr<float>());
  }
  return pooled;
}

// The columns of a cross-section side by side: [B, C, R, W] as [B, L * C, R, W / L], both channels
// last, so that only whole cells move.
Tensor GatherColumns(const Tensor& x, const std::vector<int32_t>& cells, int levels) {
  Tensor out = torch::empty({x.size(0), levels * x.size(1), x.size(2), x.size(3) / levels},
                            x.options(), FormatOf(x, true));
  if (x.scalar_type() == torch::kFloat) {
    GatherCells(x.data_ptr<float>(), ShapeOf(x), cells.data(), out.data_ptr<float>());
  } else {
    GatherCells(BFloats(x), ShapeOf(x), cells.data(), BFloats(out));
  }
  return out;
}

// The way back: added to x and rectified.
void ScatterColumns(const Tensor& mixed, const std::vector<int32_t>& cells, Tensor* x) {
  if (x->scalar_type() == torch::kFloat) {
    ScatterAddAndRectify(mixed.data_ptr<float>(), ShapeOf(*x), cells.data(), x->data_ptr<float>());
  } else {
    ScatterAddAndRectify(BFloats(mixed), ShapeOf(*x), cells.data(), BFloats(*x));
  }
}

// The order of a rank's columns as one of all cells.
std::vector<int32_t> CellOrder(const Tensor& columns, int ranks) {
  std::vector<int32_t> cells;
  for (int rank = 0; rank < ranks; ++rank) {
    for (int64_t i = 0; i < columns.numel(); ++i) {
      cells.push_back(static_cast<int32_t>(rank * columns.numel() + columns[i].item<int64_t>()));
    }
  }
  return cells;
}

// What the norm multiplies its input by.
Tensor NormFactor(const ConvNorm& source) {
  return source.scale.detach() / torch::sqrt(source.variance + kNormEpsilon);
}

Tensor PlainConvolution(const Tensor& x, const Tensor& weight, const Tensor& bias,
                        const std::vector<int64_t>& padding, const std::vector<int64_t>& ones,
                        const std::vector<int64_t>& zeros) {
  return at::convolution(x, weight, bias, ones, padding, ones, /*transposed=*/false, zeros,
                         /*groups=*/1);
}

// The output of one of LibTorch's operators called by name; undefined where it has none.
std::optional<c10::IValue> CallOperator(const char* name, std::vector<c10::IValue> arguments) {
  const auto found = c10::Dispatcher::singleton().findSchema({name, ""});
  if (!found.has_value()) return std::nullopt;
  found->callBoxed(&arguments);
  return arguments.front();
}

}  // namespace

FoldedConvolution::FoldedConvolution(const ConvNorm& source, bool rectify,
                                     const std::vector<int64_t>& input, const FoldOptions& options)
    : rectify_(rectify) {
  const Tensor factor = NormFactor(source);
  std::vector<int64_t> sizes(static_cast<size_t>(source.weight.dim()), 1);
  sizes[0] = factor.size(0);
  weight_ = (source.weight.detach() * factor.view(sizes)).to(options.device, options.type);
  weight_ = weight_.contiguous(FormatOf(weight_, options.channels_last));
  bias_ = (source.bias.detach() - source.mean * factor).to(options.device, options.type);
  for (int64_t axis = 2; axis < weight_.dim(); ++axis) padding_.push_back(weight_.size(axis) / 2);
  ones_.assign(padding_.size(), 1);
  zeros_.assign(padding_.size(), 0);
  if (options.prepacked && options.device.is_cpu() && options.channels_last) Prepack(input);
}

bool FoldedConvolution::Prepack(const std::vector<int64_t>& input) {
  if (padding_.size() != 2) return false;
  try {
    const std::optional<c10::IValue> packed = CallOperator(
        "mkldnn_prepacked::conv2d_prepack", {weight_, bias_, ones_, padding_, ones_, int64_t{1},
                                             input, std::string(rectify_ ? "relu" : "none")});
    if (!packed.has_value()) return false;
    // Taken only if it computes the same.
    const Tensor probe =
        torch::randn(input).to(weight_.scalar_type()).contiguous(FormatOf(weight_, true));
    const Tensor expected = Forward(probe).to(torch::kFloat);
    packed_ = *packed;
    const Tensor error = (Forward(probe).to(torch::kFloat) - expected).abs().max();
    const double tolerance = 0.02 * (1 + expected.abs().max().item<double>());
    if (!(error.item<double>() <= tolerance)) packed_.reset();
  } catch (const std::exception&) {
    packed_.reset();  // this LibTorch can't do it
  }
  return packed_.has_value();
}

Tensor FoldedConvolution::Forward(const Tensor& x) const {
  if (packed_.has_value()) {
    return CallOperator("mkldnn_prepacked::conv2d_run", {x, *packed_})->toTensor();
  }
  Tensor y = PlainConvolution(x, weight_, bias_, padding_, ones_, zeros_);
  return rectify_ ? y.relu_() : y;
}

FoldedNetwork::FoldedNetwork(const Network& network, const FoldOptions& options)
    : network_options_(network.options()), shape_(network.shape()), fold_(options) {
  const c10::InferenceMode inference;
  const std::vector<int64_t> planes = InputShape(options.batch, shape_.planes);
  const std::vector<int64_t> trunk = InputShape(options.batch, network_options_.channels);
  input_.emplace(*network.input_, /*rectify=*/false, planes, options);
  const Tensor factor = NormFactor(*network.input_);
  constants_ = {(network.constants_->weight.detach() * factor.unsqueeze(1)).to(options.device),
                (network.constants_->bias.detach() * factor).to(options.device)};
  for (const auto& block : network.blocks_) {
    const bool plain = block->pool == nullptr;
    blocks_.push_back({FoldedConvolution(*block->first, plain, trunk, options),
                       FoldedConvolution(*block->second, false, trunk, options),
                       {},
                       {},
                       {}});
    if (block->pool != nullptr) blocks_.back().pool = Copy(*block->pool);
    if (block->squeeze != nullptr) {
      blocks_.back().squeeze = Copy(*block->squeeze);
      blocks_.back().excite = Copy(*block->excite);
    }
  }
  for (const auto& mixing : network.mixings_) {
    const int channels = network_options_.channels;
    const auto columns = [&](int wide) {
      return std::vector<int64_t>{options.batch, wide, shape_.ranks, shape_.files};
    };
    mixings_.push_back(
        {FoldedConvolution(*mixing->reduce, true, columns(channels * shape_.levels), options),
         FoldedConvolution(*mixing->expand, false, columns(channels), options),
         mixing->order().to(options.device), mixing->inverse().to(options.device),
         CellOrder(mixing->order(), shape_.ranks)});
  }
  const int64_t outputs =
      shape_.cell_vectors() * network_options_.policy_channels + network_options_.value_channels;
  heads_ = Copy(*network.heads_);
  heads_.weight = heads_.weight.narrow(0, 0, outputs).contiguous();
  heads_.bias = heads_.bias.narrow(0, 0, outputs).contiguous();
  const auto on_cpu = [](const Dense& dense) {
    return Matrix{dense.weight.detach().to(torch::kCPU).clone(),
                  dense.bias.detach().to(torch::kCPU).clone()};
  };
  if (network.drops_ != nullptr) drops = on_cpu(*network.drops_);
  value_hidden = on_cpu(*network.value_hidden_);
  value = on_cpu(*network.value_);
}

FoldedNetwork::Matrix FoldedNetwork::Copy(const Dense& dense) const {
  return {dense.weight.detach().to(fold_.device).clone(),
          dense.bias.detach().to(fold_.device).clone()};
}

std::vector<int64_t> FoldedNetwork::InputShape(int batch, int channels) const {
  if (network_options_.geometry == Geometry::kBox) {
    return {batch, channels, shape_.ranks, shape_.levels, shape_.files};
  }
  return {batch, channels, shape_.ranks, shape_.columns()};
}

Tensor FoldedNetwork::Run(const Block& block, const Tensor& x) const {
  Tensor y = block.first.Forward(x);
  if (block.pool.has_value()) {
    const int64_t channels = block.pool->weight.size(1) / 2;
    const Tensor pooled = RectifyThenPool(y, channels);
    ShiftThenRectify(ApplyDense(block.pool->weight, block.pool->bias, pooled), &y);
  }
  y = block.second.Forward(y);
  if (block.squeeze.has_value()) {
    const Tensor mean = y.flatten(2).mean(2).to(torch::kFloat);
    const Tensor hidden = ApplyDense(block.squeeze->weight, block.squeeze->bias, mean).relu_();
    y.mul_(SpreadOver(ApplyDense(block.excite->weight, block.excite->bias, hidden).sigmoid_(), y));
  }
  AddThenRectify(x, &y);
  return y;
}

Tensor FoldedNetwork::Run(const Mixing& mixing, Tensor x) const {
  const bool plain = HasPlainLoops(x);
  const Tensor columns = plain ? GatherColumns(x, mixing.cells, shape_.levels)
                               : ToColumns(x, mixing.order, shape_.levels);
  const Tensor mixed = mixing.expand.Forward(mixing.reduce.Forward(columns));
  if (!plain || !HasPlainLoops(mixed)) {
    return FromColumns(mixed, mixing.inverse, shape_.levels).add_(x).relu_();
  }
  ScatterColumns(mixed, mixing.cells, &x);
  return x;
}

Tensor FoldedNetwork::Cells(const Tensor& planes, const Tensor& constants) const {
  const c10::InferenceMode inference;
  Tensor x = input_->Forward(planes);
  ShiftThenRectify(ApplyDense(constants_.weight, constants_.bias, constants), &x);
  for (size_t i = 0; i < blocks_.size(); ++i) {
    x = Run(blocks_[i], x);
    if (i < mixings_.size()) x = Run(mixings_[i], std::move(x));
  }
  const Tensor cells = ApplyDense(heads_.weight, heads_.bias, x.to(torch::kFloat));
  return cells.contiguous(FormatOf(cells, true));
}

}  // namespace crossriver
