#include "nn/network_evaluator.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "core/fingerprint.h"
#include "nn/folded_network.h"
#include "nn/head_reader.h"
#include "nn/policy_map.h"

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
  if (device.cuda) {
    options.device = torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(device.index));
  }
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

struct InferenceModel::Parts {
  Parts(const Network& network, std::shared_ptr<const Rules> of, const DeviceChoice& device,
        const InferenceSettings& with)
      : rules(std::move(of)),
        settings(with),
        encoder(rules.get(),
                {with.type, with.channels_last, ColumnsOf(network.options().geometry)}),
        policy(rules.get(), encoder),
        folded(network, FoldOptionsOf(device, with)),
        heads(HeadWeightsOf(folded)) {}

  // The size of a forward pass for so many positions.
  int PassSize(int positions) const {
    if (settings.fixed_batch) return settings.batch;
    int size = kSmallestPass;
    while (size < positions) size *= 2;
    return std::min(size, settings.batch);
  }

  std::shared_ptr<const Rules> rules;
  InferenceSettings settings;
  FeatureEncoder encoder;
  PolicyMap policy;
  FoldedNetwork folded;
  HeadWeights heads;
  std::vector<Symmetry> symmetries;  // empty: as they are
  uint64_t id = 0;
};

InferenceModel::InferenceModel(const Network& network, std::shared_ptr<const Rules> rules,
                               uint64_t weights_hash, const DeviceChoice& device,
                               const InferenceSettings& settings, SymmetryUse symmetry_use) {
  CR_CHECK(settings.batch >= 1);
  auto parts = std::make_unique<Parts>(network, std::move(rules), device, settings);
  if (symmetry_use == SymmetryUse::kAverage)
    parts->symmetries = FindSymmetries(*parts->rules).reach;
  parts->id = HashBytes(absl::StrCat(weights_hash, " ", parts->encoder.schema().hash(), " ",
                                     parts->rules->hash(), " ", ToString(settings.type), " ",
                                     static_cast<int>(symmetry_use)));
  parts_ = std::move(parts);
}

InferenceModel::~InferenceModel() = default;

const InferenceSettings& InferenceModel::settings() const { return parts_->settings; }
const Rules& InferenceModel::rules() const { return *parts_->rules; }
uint64_t InferenceModel::id() const { return parts_->id; }

struct NetworkEvaluator::Buffers {
  explicit Buffers(const InferenceModel::Parts& parts)
      : planes(
            torch::zeros(parts.folded.InputShape(parts.settings.batch, parts.folded.shape().planes),
                         torch::TensorOptions().dtype(ScalarTypeOf(parts.settings.type)))),
        constants(torch::zeros({parts.settings.batch, parts.folded.shape().constants})),
        reader(parts.folded.options(), parts.folded.shape(), &parts.heads) {
    if (parts.settings.channels_last) {
      planes = planes.contiguous(planes.dim() == 5 ? at::MemoryFormat::ChannelsLast3d
                                                   : at::MemoryFormat::ChannelsLast);
    }
    if (parts.folded.fold().device.is_cuda()) {
      planes = planes.pin_memory();
      constants = constants.pin_memory();
    }
  }

  // Writes a position into place `slot` of the batch.
  void Encode(const InferenceModel::Parts& parts, const EvaluationRequest& request,
              const Symmetry* symmetry, int slot) {
    const auto at = static_cast<size_t>(slot);
    parts.encoder.Encode(
        *request.position, ContextOf(*request.history), symmetry,
        static_cast<uint8_t*>(planes.data_ptr()) + at * parts.encoder.plane_bytes(),
        constants.data_ptr<float>() + at * static_cast<size_t>(constants.size(1)));
  }

  // Runs the network over the first `size` places: [size, R, W, O].
  torch::Tensor Run(const InferenceModel::Parts& parts, int size) {
    const torch::Device device = parts.folded.fold().device;
    return parts.folded
        .Cells(planes.narrow(0, 0, size).to(device, /*non_blocking=*/true),
               constants.narrow(0, 0, size).to(device, /*non_blocking=*/true))
        .to(torch::kCPU);
  }

  // From what the network made of one position to log_priors and wdl.
  void Read(const InferenceModel::Parts& parts, const float* cells,
            const EvaluationRequest& request, const Symmetry* symmetry) {
    actions.clear();
    for (const Move move : request.moves) {
      actions.push_back(parts.policy.Of(move, request.position->side_to_move(), symmetry));
    }
    log_priors.resize(actions.size());
    reader.Read(cells, actions, log_priors, &wdl);
  }

  // Adds them as image `image` of `images` to a result, which is complete after the last.
  void Add(int image, int images, Evaluation* result) const {
    if (images == 1) {
      result->log_priors.assign(log_priors.begin(), log_priors.end());
      result->wdl = wdl;
      return;
    }
    if (image == 0) {
      result->log_priors.assign(log_priors.size(), 0);
      result->wdl = {};
    }
    const float weight = 1.0F / static_cast<float>(images);
    for (size_t i = 0; i < log_priors.size(); ++i) {
      result->log_priors[i] += weight * std::exp(log_priors[i]);
    }
    result->wdl.win += weight * wdl.win;
    result->wdl.draw += weight * wdl.draw;
    result->wdl.loss += weight * wdl.loss;
    if (image + 1 < images) return;
    for (float& value : result->log_priors) value = std::log(value);
    LogSoftmax(result->log_priors);
  }

  torch::Tensor planes;     // [batch, P, R, W], of the type and layout the network reads
  torch::Tensor constants;  // [batch, G]
  HeadReader reader;
  std::vector<PolicyAction> actions;
  std::vector<float> log_priors;
  Wdl wdl;
};

NetworkEvaluator::NetworkEvaluator(std::shared_ptr<const InferenceModel> model) {
  SetModel(std::move(model));
}

NetworkEvaluator::~NetworkEvaluator() = default;

void NetworkEvaluator::SetModel(std::shared_ptr<const InferenceModel> model) {
  model_ = std::move(model);
  const c10::InferenceMode inference;
  buffers_ = std::make_unique<Buffers>(model_->parts());
}

absl::Status NetworkEvaluator::Evaluate(std::span<const EvaluationRequest> requests,
                                        std::span<Evaluation> results) {
  CR_CHECK(requests.size() == results.size());
  for (const EvaluationRequest& request : requests) {
    if (&request.position->rules() != &model_->rules() &&
        request.position->rules().hash() != model_->rules().hash()) {
      return absl::InvalidArgumentError(
          absl::StrCat("a position of '", request.position->rules().definition().id,
                       "' was given to a network of '", model_->rules().definition().id, "'"));
    }
  }
  try {
    EvaluateSlots(requests, results);
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat("network evaluation failed: ", error.what()));
  }
  return absl::OkStatus();
}

// A request takes as many places of the batch, one after the other, as there are symmetries.
void NetworkEvaluator::EvaluateSlots(std::span<const EvaluationRequest> requests,
                                     std::span<Evaluation> results) {
  const c10::InferenceMode inference;
  const InferenceModel::Parts& parts = model_->parts();
  const auto images = static_cast<int>(std::max<size_t>(1, parts.symmetries.size()));
  const auto total = static_cast<int>(requests.size()) * images;
  const auto symmetry_of = [&](int slot) {
    return parts.symmetries.empty() ? nullptr
                                    : &parts.symmetries[static_cast<size_t>(slot % images)];
  };
  for (int begin = 0; begin < total; begin += parts.settings.batch) {
    const int count = std::min(parts.settings.batch, total - begin);
    for (int i = 0; i < count; ++i) {
      const auto request = static_cast<size_t>((begin + i) / images);
      buffers_->Encode(parts, requests[request], symmetry_of(begin + i), i);
    }
    const torch::Tensor cells = buffers_->Run(parts, parts.PassSize(count));
    const auto* data = cells.data_ptr<float>();
    const auto floats_per_slot = static_cast<size_t>(cells.numel() / cells.size(0));
    for (int i = 0; i < count; ++i) {
      const auto index = static_cast<size_t>((begin + i) / images);
      buffers_->Read(parts, data + static_cast<size_t>(i) * floats_per_slot, requests[index],
                     symmetry_of(begin + i));
      buffers_->Add((begin + i) % images, images, &results[index]);
    }
  }
}

}  // namespace crossriver
