#include "nn/inference_model.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "core/fingerprint.h"

namespace crossriver {
namespace {

// Passes smaller than this are padded to it: below, LibTorch leaves its fast path.
constexpr int kSmallestPass = 4;

HeadWeights::Matrix MatrixOf(const torch::Tensor& weight) {
  if (!weight.defined()) return {};
  const torch::Tensor dense = weight.contiguous();
  return Eigen::Map<const HeadWeights::Matrix>(dense.data_ptr<float>(), dense.size(0),
                                               dense.size(1));
}

Eigen::VectorXf VectorOf(const torch::Tensor& bias) {
  if (!bias.defined()) return {};
  const torch::Tensor dense = bias.contiguous();
  return Eigen::Map<const Eigen::VectorXf>(dense.data_ptr<float>(), dense.size(0));
}

HeadWeights HeadWeightsOf(const FoldedNetwork& network) {
  return {MatrixOf(network.drops.weight),        VectorOf(network.drops.bias),
          MatrixOf(network.value_hidden.weight), VectorOf(network.value_hidden.bias),
          MatrixOf(network.value.weight),        VectorOf(network.value.bias)};
}

FoldOptions FoldOptionsOf(const DeviceChoice& device, const InferenceSettings& settings) {
  FoldOptions options;
  options.device = DeviceOf(device);
  options.type = ScalarTypeOf(settings.type);
  options.channels_last = settings.channels_last;
  options.prepacked = settings.prepacked;
  options.batch = settings.batch;
  return options;
}

}  // namespace

std::string ToString(const InferenceSettings& settings) {
  return absl::StrCat(ToString(settings.type), " batch ", settings.batch,
                      settings.channels_last ? " channels-last" : " planar",
                      settings.prepacked ? " prepacked" : "");
}

InferenceModel::Parts::Parts(const Network& network, VariantGroup of, const DeviceChoice& device,
                             const InferenceSettings& with)
    : variants(std::move(of)),
      settings(with),
      encoder(variants.pointers(),
              {with.type, with.channels_last, ColumnsOf(network.options().geometry)}),
      policy(variants.first().get(), encoder),
      folded(network, FoldOptionsOf(device, with)),
      heads(HeadWeightsOf(folded)) {}

int InferenceModel::Parts::PassSize(int positions) const {
  if (settings.fixed_batch) return settings.batch;
  int size = kSmallestPass;
  while (size < positions) size *= 2;
  return std::min(size, settings.batch);
}

torch::Tensor InferenceModel::Parts::BlankPlanes() const {
  const torch::Tensor zeros =
      torch::zeros(folded.InputShape(settings.batch, folded.shape().planes),
                   torch::TensorOptions().dtype(ScalarTypeOf(settings.type)));
  const torch::Tensor planes = zeros.contiguous(FormatOf(zeros, settings.channels_last));
  // Pinned memory travels to the device while the processor goes on.
  return folded.fold().device.is_cuda() ? planes.pin_memory() : planes;
}

torch::Tensor InferenceModel::Parts::BlankConstants() const {
  const torch::Tensor constants = torch::zeros({settings.batch, folded.shape().constants});
  return folded.fold().device.is_cuda() ? constants.pin_memory() : constants;
}

torch::Tensor InferenceModel::Parts::Run(const torch::Tensor& planes,
                                         const torch::Tensor& constants, int size) const {
  const torch::Device device = folded.fold().device;
  return folded
      .Cells(planes.narrow(0, 0, size).to(device, /*non_blocking=*/true),
             constants.narrow(0, 0, size).to(device, /*non_blocking=*/true))
      .to(torch::kCPU);
}

InferenceModel::InferenceModel(const Network& network, VariantGroup variants, uint64_t weights_hash,
                               const DeviceChoice& device, const InferenceSettings& settings,
                               SymmetryUse symmetry_use) {
  CR_CHECK(settings.batch >= 1);
  auto parts = std::make_unique<Parts>(network, std::move(variants), device, settings);
  const Rules& first = *parts->variants.first();
  if (symmetry_use == SymmetryUse::kAverage) {
    CR_CHECK(parts->variants.size() == 1);
    parts->symmetries = FindSymmetries(first).reach;
  }
  parts->id =
      HashBytes(absl::StrCat(weights_hash, " ", parts->encoder.schema().hash(), " ", first.hash(),
                             " ", ToString(settings.type), " ", static_cast<int>(symmetry_use)));
  parts_ = std::move(parts);
}

InferenceModel::~InferenceModel() = default;

const InferenceSettings& InferenceModel::settings() const { return parts_->settings; }
const VariantGroup& InferenceModel::variants() const { return parts_->variants; }
uint64_t InferenceModel::id() const { return parts_->id; }

}  // namespace crossriver
