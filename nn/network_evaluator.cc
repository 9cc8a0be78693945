#include "nn/network_evaluator.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "nn/inference_model.h"

namespace crossriver {

struct NetworkEvaluator::Buffers {
  explicit Buffers(const InferenceModel::Parts& parts)
      : planes(parts.BlankPlanes()),
        constants(parts.BlankConstants()),
        reader(parts.folded.options(), parts.folded.shape(), &parts.heads) {}

  // Writes a position into place `slot` of the batch.
  void Encode(const InferenceModel::Parts& parts, const EvaluationRequest& request,
              const Symmetry* symmetry, int slot) {
    const auto at = static_cast<size_t>(slot);
    parts.encoder.Encode(
        *request.position, ContextOf(*request.history), symmetry,
        static_cast<uint8_t*>(planes.data_ptr()) + at * parts.encoder.plane_bytes(),
        constants.data_ptr<float>() + at * static_cast<size_t>(constants.size(1)));
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
    // No prior is exactly 0, however far down it rounds.
    for (float& value : result->log_priors) value = std::log(std::max(value, 1e-30F));
    LogSoftmax(result->log_priors);
  }

  torch::Tensor planes, constants;  // see BlankPlanes
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
    const Rules& rules = request.position->rules();
    const VariantGroup& variants = model_->variants();
    if (variants.Find(rules.hash()) == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat("a position of '", rules.definition().id,
                                                     "' was given to a network of '",
                                                     variants.first()->definition().id, "'"));
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
    const torch::Tensor cells =
        parts.Run(buffers_->planes, buffers_->constants, parts.PassSize(count));
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
