// Evaluations by a network.
#ifndef CROSSRIVER_NN_NETWORK_EVALUATOR_H_
#define CROSSRIVER_NN_NETWORK_EVALUATOR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/evaluator.h"
#include "core/variant_group.h"
#include "nn/device.h"
#include "nn/features.h"

namespace crossriver {

class FoldedNetwork;
class Network;

// Under which symmetries of the variant's reach group positions are evaluated.
enum class SymmetryUse : uint8_t {
  kNone,     // as they are
  kAverage,  // under all of them; policy and WDL are averaged. Images of a position then get equal
             // evaluations, at as many times the cost
};

struct InferenceSettings {
  ElementType type = ElementType::kFloat32;
  bool channels_last = true;
  bool prepacked = false;  // see FoldOptions
  int batch = 32;          // positions a forward pass
  // Every pass has `batch` positions, the missing ones being blank: then an evaluation does not
  // depend on how many positions are asked for at once. Otherwise a rest of a batch takes a
  // smaller pass.
  bool fixed_batch = false;

  friend bool operator==(const InferenceSettings&, const InferenceSettings&) = default;
};

// "bfloat16 batch 32 channels-last prepacked".
std::string ToString(const InferenceSettings& settings);

// A network made ready for a variant or several, a device and settings: weights, encoder, tables.
// Immutable; shared by the evaluators of all threads.
class InferenceModel {
 public:
  // Copies what it needs of the network; keeps the rules. `weights_hash` is the network's.
  // Averaging over symmetries is for a single variant.
  InferenceModel(const Network& network, VariantGroup variants, uint64_t weights_hash,
                 const DeviceChoice& device, const InferenceSettings& settings,
                 SymmetryUse symmetry_use = SymmetryUse::kNone);
  ~InferenceModel();
  InferenceModel(const InferenceModel&) = delete;
  InferenceModel& operator=(const InferenceModel&) = delete;

  const InferenceSettings& settings() const;
  const VariantGroup& variants() const;
  // See Evaluator::id.
  uint64_t id() const;

  struct Parts;
  const Parts& parts() const { return *parts_; }

 private:
  std::unique_ptr<const Parts> parts_;
};

// One a thread; not synchronised. Buffers are reused, so that after the first calls an evaluation
// allocates nothing but what LibTorch does inside. Errors: a request of another variant than
// the model's, or what LibTorch reports (out of memory, a lost device).
class NetworkEvaluator : public Evaluator {
 public:
  explicit NetworkEvaluator(std::shared_ptr<const InferenceModel> model);
  ~NetworkEvaluator() override;

  // New weights, between calls.
  void SetModel(std::shared_ptr<const InferenceModel> model);
  const InferenceModel& model() const { return *model_; }

  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override;
  uint64_t id() const override { return model_->id(); }

 private:
  struct Buffers;

  void EvaluateSlots(std::span<const EvaluationRequest> requests, std::span<Evaluation> results);

  std::shared_ptr<const InferenceModel> model_;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_NN_NETWORK_EVALUATOR_H_
