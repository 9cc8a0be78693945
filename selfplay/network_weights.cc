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

NetworkWeights::NetworkWeights(std::shared_ptr<const Rules> rules, const DeviceChoice& device,
                               const InferenceSettings& settings)
    : rules_(std::move(rules)), device_(device), settings_(settings) {}

void NetworkWeights::Publish(int64_t checkpoint, const Network& network, uint64_t weights_hash) {
  Published published;
  published.checkpoint = checkpoint;
  published.model =
      std::make_shared<const InferenceModel>(network, rules_, weights_hash, device_, settings_);
  if (device_.cuda) {
    BatchingOptions options;
    options.max_batch = settings_.batch;
    published.queue = std::make_shared<BatchingEvaluator>(
        std::make_unique<NetworkEvaluator>(published.model), options);
  }
  MutexLock lock(&mutex_);
  published_.push_back(std::move(published));
  if (published_.size() > kRemembered) published_.pop_front();
  latest_ = checkpoint;
}

absl::StatusOr<std::unique_ptr<Evaluator>> NetworkWeights::NewEvaluator(int64_t checkpoint) {
  MutexLock lock(&mutex_);
  for (const Published& published : published_) {
    if (published.checkpoint != checkpoint) continue;
    if (published.queue != nullptr) return {std::make_unique<QueueEnd>(published.queue)};
    return {std::make_unique<NetworkEvaluator>(published.model)};
  }
  return absl::NotFoundError(
      absl::StrCat("the network of checkpoint ", checkpoint, " is no longer in memory"));
}

}  // namespace crossriver
