// The networks of a run as self-play takes them.
#ifndef CROSSRIVER_SELFPLAY_NETWORK_WEIGHTS_H_
#define CROSSRIVER_SELFPLAY_NETWORK_WEIGHTS_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "core/batching_evaluator.h"
#include "core/mutex.h"
#include "core/variant_group.h"
#include "nn/device.h"
#include "nn/network_evaluator.h"
#include "selfplay/seams.h"

namespace crossriver {

class Network;

// Networks of this process's trainer. On a CPU each worker gets an evaluator of its own; on a GPU
// all workers' requests meet in one queue (core/batching_evaluator.h).
class NetworkWeights : public WeightSource {
 public:
  NetworkWeights(VariantGroup variants, const DeviceChoice& device,
                 const InferenceSettings& settings);

  // Makes a network the newest. Copies what it needs. Errors: what LibTorch reports.
  absl::Status Publish(int64_t checkpoint, const Network& network, uint64_t weights_hash);

  int64_t latest() const override { return latest_.load(); }
  // Of the newest networks only: a worker that asks for an older one has been overtaken.
  absl::StatusOr<std::unique_ptr<Evaluator>> NewEvaluator(int64_t checkpoint) override;

 private:
  struct Published {
    int64_t checkpoint = kNoCheckpoint;
    std::shared_ptr<const InferenceModel> model;
    std::shared_ptr<BatchingEvaluator> queue;  // on a GPU
  };
  static constexpr size_t kRemembered = 3;

  Published Prepare(int64_t checkpoint, const Network& network, uint64_t weights_hash) const;

  const VariantGroup variants_;
  const DeviceChoice device_;
  const InferenceSettings settings_;
  std::atomic<int64_t> latest_ = kNoCheckpoint;
  Mutex mutex_;
  std::deque<Published> published_ ABSL_GUARDED_BY(mutex_);  // newest last
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_NETWORK_WEIGHTS_H_
