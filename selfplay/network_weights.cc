#include "selfplay/network_weights.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace crossriver {
namespace {

// One worker's end of a queue that it shares.
class QueueEnd : public Evaluator {
 public:
  explicit QueueEnd(std::shared_ptr<BatchingEvaluator> queue) : queue_(std::move(queue)) {}
  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override {
    return queue_->Evaluate(requests, results);
  }
  uint64_t id() const override { return queue_->id(); }

 private:
  std::shared_ptr<BatchingEvaluator> queue_;
};

}  // namespace

NetworkWeights::NetworkWeights(VariantGroup variants, const DeviceChoice& device,
                               const InferenceSettings& settings)
    : variants_(std::move(variants)), device_(device), settings_(settings) {}

absl::Status NetworkWeights::Publish(int64_t checkpoint, const Network& network,
                                     uint64_t weights_hash) {
  Published published;
  try {
    published = Prepare(checkpoint, network, weights_hash);
  } catch (const std::exception& error) {
    return absl::InternalError(
        absl::StrCat("checkpoint ", checkpoint, " can't be played with: ", error.what()));
  }
  MutexLock lock(&mutex_);
  published_.push_back(std::move(published));
  if (published_.size() > kRemembered) published_.pop_front();
  latest_ = checkpoint;
  return absl::OkStatus();
}

NetworkWeights::Published NetworkWeights::Prepare(int64_t checkpoint, const Network& network,
                                                  uint64_t weights_hash) const {
  Published published;
  published.checkpoint = checkpoint;
  published.model =
      std::make_shared<const InferenceModel>(network, variants_, weights_hash, device_, settings_);
  if (device_.cuda) {
    BatchingOptions options;
    options.max_batch = settings_.batch;
    published.queue = std::make_shared<BatchingEvaluator>(
        std::make_unique<NetworkEvaluator>(published.model), options);
  }
  return published;
}

absl::StatusOr<std::unique_ptr<Evaluator>> NetworkWeights::NewEvaluator(int64_t checkpoint) {
  Published published;
  {
    MutexLock lock(&mutex_);
    for (const Published& known : published_) {
      if (known.checkpoint == checkpoint) published = known;
    }
  }
  if (published.queue != nullptr) return {std::make_unique<QueueEnd>(published.queue)};
  if (published.model != nullptr) {
    // Each worker has a core to itself.
    SetIntraOpThreads(1);
    try {
      return {std::make_unique<NetworkEvaluator>(published.model)};
    } catch (const std::exception& error) {
      return absl::InternalError(absl::StrCat("no evaluator: ", error.what()));
    }
  }
  return absl::NotFoundError(
      absl::StrCat("the network of checkpoint ", checkpoint, " is no longer in memory"));
}

}  // namespace crossriver
